package direct

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"
)

// joined is up to how many bytes a body is copied behind its head to be written
// with it; a longer one is handed to the kernel from where it lies.
const joined = 1 << 14

// answer is the http.ResponseWriter of a connection, used for one answer after
// the other. A handler must set neither Connection, Trailer nor
// Transfer-Encoding, and no status below 200. A body comes with its length
// always: where the handler does not tell it, it is kept until the handler is done.
type answer struct {
	net    net.Conn
	header http.Header

	status   int // 0 until there is one
	length   int // Content-Length as the handler gave it, -1 for none
	head     []byte
	body     []byte // written and kept
	sent     bool
	hijacked bool
	err      error // why no other answer can follow

	keys  []string    // of header, sorted
	parts [2][]byte   // of vec
	vec   net.Buffers // head and body on their way

	date   [len(http.TimeFormat)]byte
	second int64 // of date, Unix
}

func (a *answer) reset() {
	clear(a.header)
	a.status, a.length, a.sent = 0, -1, false
	a.body = a.body[:0]
}

func (a *answer) Header() http.Header { return a.header }

// WriteHeader fixes the status and the header.
func (a *answer) WriteHeader(status int) {
	if a.status != 0 || a.hijacked {
		return
	}
	a.status = status
	h := append(a.head[:0], "HTTP/1.1 "...)
	h = strconv.AppendInt(h, int64(status), 10)
	h = append(h, ' ')
	if text := http.StatusText(status); text != "" {
		h = append(h, text...)
	} else {
		h = strconv.AppendInt(append(h, "status code "...), int64(status), 10)
	}
	h = append(h, "\r\n"...)
	if n, err := strconv.Atoi(a.header.Get("Content-Length")); err == nil && n >= 0 && hasBody(status) {
		a.length = n
	}
	a.keys = a.keys[:0]
	for key := range a.header {
		a.keys = append(a.keys, key)
	}
	slices.Sort(a.keys)
	for _, key := range a.keys {
		if key == "Content-Length" && a.length < 0 || key == "Content-Type" && status == http.StatusNotModified {
			continue
		}
		for _, value := range a.header[key] {
			h = appendField(h, key, value)
		}
	}
	if _, given := a.header["Date"]; !given {
		h = append(h, "Date: "...)
		h = append(h, a.now()...)
		h = append(h, "\r\n"...)
	}
	a.head = h
}

// appendField writes a line; what would end it within a value becomes a space.
func appendField(dst []byte, key, value string) []byte {
	dst = append(dst, key...)
	dst = append(dst, ": "...)
	if strings.ContainsAny(value, "\r\n") {
		value = strings.NewReplacer("\r", " ", "\n", " ").Replace(value)
	}
	dst = append(dst, textproto.TrimString(value)...)
	return append(dst, "\r\n"...)
}

// now is the value of Date.
func (a *answer) now() []byte {
	t := time.Now()
	if t.Unix() != a.second {
		a.second = t.Unix()
		t.UTC().AppendFormat(a.date[:0], http.TimeFormat)
	}
	return a.date[:]
}

// Write takes a part of the body. The whole of an announced body goes out at once.
func (a *answer) Write(p []byte) (int, error) {
	if a.hijacked {
		return 0, http.ErrHijacked
	}
	a.WriteHeader(http.StatusOK)
	switch whole := len(a.body) + len(p); {
	case !hasBody(a.status):
		return 0, http.ErrBodyNotAllowed
	case a.length >= 0 && (whole > a.length || a.sent && len(p) > 0):
		a.err = http.ErrContentLength // as with net/http, the last answer of the connection
		return 0, a.err
	case whole == a.length && len(a.body) == 0 && !a.sent:
		a.send(p)
	default:
		a.body = append(a.body, p...)
	}
	return len(p), a.err
}

// finish sends what the handler left to be sent; it reports whether the
// connection can take another request.
func (a *answer) finish() bool {
	if a.hijacked {
		return false
	}
	a.WriteHeader(http.StatusOK)
	short := !a.sent && a.length > len(a.body)
	if !a.sent {
		a.send(a.body)
	}
	return a.err == nil && !short
}

func (a *answer) send(body []byte) {
	a.sent = true
	h := a.head
	if hasBody(a.status) {
		if a.length < 0 {
			h = append(h, "Content-Length: "...)
			h = strconv.AppendInt(h, int64(len(body)), 10)
			h = append(h, "\r\n"...)
		}
		if _, typed := a.header["Content-Type"]; !typed && a.header.Get("Content-Encoding") == "" && len(body) > 0 {
			h = appendField(h, "Content-Type", http.DetectContentType(body))
		}
	}
	h = append(h, "\r\n"...)
	var err error
	if len(body) <= joined {
		h = append(h, body...)
		_, err = a.net.Write(h)
	} else {
		a.parts = [2][]byte{h, body}
		a.vec = a.parts[:]
		_, err = a.vec.WriteTo(a.net)
		a.parts = [2][]byte{}
	}
	a.head = h
	if a.err == nil {
		a.err = err
	}
}

// hasBody tells if an answer of a status can have a body.
func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// Hijack hands the connection to the handler.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if a.hijacked || a.sent {
		return nil, nil, errors.New("direct: the connection is taken or the answer is sent")
	}
	a.hijacked = true
	return a.net, bufio.NewReadWriter(bufio.NewReader(a.net), bufio.NewWriter(a.net)), nil
}
