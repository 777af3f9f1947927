package direct

import (
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
)

// maxRequest bounds a request answered here, in bytes; a longer one is net/http's.
const maxRequest = 4096

// request reads plain requests, one after the other, into one http.Request.
// What is the same as in the request before is not read again.
type request struct {
	http   http.Request
	url    url.URL
	fields []byte // what the header map was read from
}

func newRequest(remoteAddr string) *request {
	r := &request{}
	r.http = http.Request{
		Method: http.MethodGet, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		URL: &r.url, Body: http.NoBody, RemoteAddr: remoteAddr,
	}
	return r
}

// read takes the bytes of one whole plain request; on false they are anything
// else, and nothing may be answered from r.
func (r *request) read(b []byte) bool {
	if at := bytes.Index(b, []byte("\r\n\r\n")); at < 0 || at != len(b)-4 {
		return false // not whole, or more behind it
	}
	end := bytes.Index(b, []byte("\r\n"))
	target, plain := bytes.CutPrefix(b[:end], []byte("GET "))
	if !plain {
		return false
	}
	if target, plain = bytes.CutSuffix(target, []byte(" HTTP/1.1")); !plain {
		return false
	}
	if string(target) != r.http.RequestURI && !r.readTarget(target) {
		return false
	}
	return bytes.Equal(b[end:], r.fields) || r.readFields(b[end:])
}

// readTarget takes an absolute path with or without a query, in characters that
// stand for themselves.
func (r *request) readTarget(target []byte) bool {
	if len(target) == 0 || target[0] != '/' || len(target) > 1 && target[1] == '/' {
		return false
	}
	path := len(target)
	for i, c := range target {
		switch {
		case c >= asciiEnd || pathByte[c] == 0:
			if c != '?' || i == len(target)-1 {
				return false
			}
			path = i
		default:
			continue
		}
		break
	}
	for _, c := range target[path:] {
		if c <= ' ' || c > '~' || c == '#' {
			return false
		}
	}
	text := string(target)
	r.http.RequestURI, r.url.Path, r.url.RawQuery = text, text[:path], ""
	if path < len(text) {
		r.url.RawQuery = text[path+1:]
	}
	return true
}

// readFields takes the header fields with their line ends, which begin with
// that of the request line and end with the empty line.
func (r *request) readFields(b []byte) bool {
	header, host := http.Header{}, ""
	r.fields = r.fields[:0]
	for rest := b[2:]; len(rest) > 2; {
		line, more, _ := bytes.Cut(rest, []byte("\r\n"))
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found || !isPlainText(value) {
			return false
		}
		key, text := textproto.CanonicalMIMEHeaderKey(string(name)), string(bytes.Trim(value, " "))
		switch {
		case key == "Host" && host == "" && isPlainHost(text):
			host = text
		case passed[key]:
			header[key] = append(header[key], text)
		default:
			return false
		}
		rest = more
	}
	if host == "" {
		return false
	}
	r.http.Header, r.http.Host = header, host
	r.fields = append(r.fields, b...)
	return true
}

// passed are the header fields that a handler may read and that ask nothing of
// the connection, of the body or of the way an answer travels.
var passed = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Authorization": true,
	"If-None-Match": true, "Origin": true, "Referer": true, "User-Agent": true, "X-Api-Key": true,
}

func isPlainText(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func isPlainHost(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= asciiEnd || pathByte[c] == 0 && c != ':' && c != '[' && c != ']' || c == '/' {
			return false
		}
	}
	return s != ""
}

// asciiEnd is the first byte beyond ASCII.
const asciiEnd = 0x80

// pathByte holds 1 for what stands for itself in a path (RFC 3986, 2.3, and the
// slash).
var pathByte = func() (t [asciiEnd]uint8) {
	for _, c := range []byte("/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		t[c] = 1
	}
	return t
}()
