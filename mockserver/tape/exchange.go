package tape

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Exchange is one recorded answer.
type Exchange struct {
	Method     string
	Target     string // escaped path and query, as normalised by Target
	NormalBody string // the body of the request, as normalised by NormalBody; "" for none
	Status     int
	Recorded   time.Time
	Upstream   string // origin and base path of the API that answered
	Header     http.Header
	Body       []byte
	// Joined is set on a page that was put together from recorded ones.
	Joined bool
}

const magic = "chainscope tape 1"

// fileExtension ends the names of a tape's files.
const fileExtension = ".http"

// maxBody bounds a recorded body, in bytes.
const maxBody = 32 << 20

// recordedHeaders are the only headers of an answer that are forwarded and written.
var recordedHeaders = map[string]bool{
	"Cache-Control": true, "Content-Encoding": true, "Content-Language": true, "Content-Type": true, "Deprecation": true, "Etag": true,
	"Last-Modified": true, "Link": true, "Location": true, "Retry-After": true, "Sunset": true,
	"Warning": true, "X-Api-Version": true,
}

// recordedPrefixes are the rate limit headers of the hosted service.
var recordedPrefixes = []string{"Ratelimit-", "X-Ratelimit-"}

// recordedHeader copies the headers of an answer that a tape keeps.
func recordedHeader(from http.Header) http.Header {
	out := http.Header{}
	for name, values := range from {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if recordedHeaders[name] || slices.ContainsFunc(recordedPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			out[name] = slices.Clone(values)
		}
	}
	return out
}

// credentialParams are query parameters that are removed from a request line.
var credentialParams = []string{"access_token", "api-key", "api_key", "apikey", "auth", "key", "secret", "token", "x-api-key"}

// Target returns what a tape files an answer under: the escaped path, and the query
// with its parameters sorted and credentials removed.
func Target(u *url.URL) string {
	target := u.EscapedPath()
	var pairs []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if pair != "" && !slices.Contains(credentialParams, strings.ToLower(name)) {
			pairs = append(pairs, pair)
		}
	}
	if len(pairs) > 0 {
		slices.Sort(pairs)
		target += "?" + strings.Join(pairs, "&")
	}
	return target
}

// NormalBody returns the body of a request as a tape files an answer under it: JSON in one line,
// with the keys sorted.
func NormalBody(body []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return "", fmt.Errorf("the body is no JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("the body is more than one JSON value")
	}
	text, err := json.Marshal(value)
	return string(text), err
}

// FileName returns the name of the file for a request: a readable part, safe on
// every file system, and a hash that makes it unique.
func FileName(method, target, requested string) string {
	sum := sha256.Sum256([]byte(key(method, target, requested)))
	var slug strings.Builder
	for _, r := range strings.ToLower(method + target) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			slug.WriteRune(r)
		} else if s := slug.String(); !strings.HasSuffix(s, "-") {
			slug.WriteByte('-')
		}
		if slug.Len() >= 80 {
			break
		}
	}
	return strings.Trim(slug.String(), "-") + "-" + hex.EncodeToString(sum[:4]) + fileExtension
}

// Encode writes the exchange as a file of the tape.
func (e *Exchange) Encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nRequest: %s %s\n", magic, e.Method, e.Target)
	if e.NormalBody != "" {
		fmt.Fprintf(&b, "Asked: %s\n", e.NormalBody)
	}
	fmt.Fprintf(&b, "Status: %d\nRecorded: %s\nUpstream: %s\nLength: %d\n\n", e.Status, e.Recorded.UTC().Format(time.RFC3339), e.Upstream, len(e.Body))
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		for _, value := range e.Header[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Map(oneLine, value))
		}
	}
	b.WriteByte('\n')
	b.Write(e.Body)
	return b.Bytes()
}

func oneLine(r rune) rune {
	if r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

// decode reads a file of a tape.
func decode(data []byte) (*Exchange, error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(bytes.TrimSuffix(first, []byte("\r"))) != magic {
		return nil, fmt.Errorf("line 1 is not %q", magic)
	}
	r := bufio.NewReader(bytes.NewReader(rest))
	text := textproto.NewReader(r)
	own, err := text.ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("the tape's own lines: %w", unexpectedEnd(err))
	}
	headers, err := text.ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("the answer's headers: %w", unexpectedEnd(err))
	}
	e := &Exchange{Upstream: own.Get("Upstream"), NormalBody: own.Get("Asked"), Header: recordedHeader(http.Header(headers))}
	var found bool
	if e.Method, e.Target, found = strings.Cut(own.Get("Request"), " "); !found || e.Target == "" || e.Target[0] != '/' {
		return nil, fmt.Errorf("line Request: %q is no method and path", own.Get("Request"))
	}
	if length := headers.Get("Content-Length"); length != "" && e.Method == http.MethodHead {
		e.Header.Set("Content-Length", length) // of a body that was not sent
	}
	if e.Status, err = strconv.Atoi(own.Get("Status")); err != nil || e.Status < 200 || e.Status > 599 {
		return nil, fmt.Errorf("line Status: %q is no status from 200 to 599", own.Get("Status"))
	}
	if e.Recorded, err = time.Parse(time.RFC3339, own.Get("Recorded")); err != nil {
		return nil, fmt.Errorf("line Recorded: %q is no time such as 2026-01-01T00:00:00Z", own.Get("Recorded"))
	}
	length, err := strconv.ParseUint(own.Get("Length"), 10, 31)
	if err != nil {
		return nil, fmt.Errorf("line Length: %q is no number of bytes", own.Get("Length"))
	}
	if e.Body, err = io.ReadAll(r); err != nil {
		return nil, err
	}
	if uint64(len(e.Body)) != length {
		return nil, fmt.Errorf("the body has %d bytes, Length says %d: the file is damaged", len(e.Body), length)
	}
	return e, nil
}

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
