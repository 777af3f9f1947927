//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// poison is one way in which a server can be hostile.
type poison struct {
	name string
	// body changes the answer's body; nil leaves it.
	body func([]byte) []byte
	// serve answers by itself; nil answers with the body.
	serve func(w http.ResponseWriter, body []byte)
}

// hostileTexts hold what a terminal would obey, hide, or measure wrongly.
var hostileTexts = map[string]string{
	"escapes":      "\x1b[2J\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1bPq\x1b\\\x08\r\n\t\x00\x7f",
	"C1 controls":  "\u009b31m\u009d0;owned\u009c\u0090q\u009c\u0085",
	"bidi":         "\u202e evil \u2066 \u200f \u061c",
	"hidden":       "a\u200b\u200d\ufeff\u00ad\u2060\u3164\u2800\U000e0041\ufe0f",
	"line breaks":  "a\u2028b\u2029c\nd\r\ne",
	"wide":         strings.Repeat("你👩‍👩‍👧🇨🇭", 300),
	"marks":        "x" + strings.Repeat("\u0335\u0301", 2000),
	"a long text":  strings.Repeat("long ", 20_000),
	"no UTF-8":     "\xff\x9b31m\xc3\x28\xed\xa0\x80",
	"nothing":      "",
	"an address":   "https://evil.example/\x1b]8;;https://phish.example\x1b\\",
	"a small JSON": `"},{"`,
}

// everyString replaces every string of a JSON text. Text that is no UTF-8 goes in
// as the bytes it is.
func everyString(text string) func([]byte) []byte {
	const mark = "\"hostile text\""
	quoted, _ := json.Marshal(text)
	if strings.Contains(text, "\xff") {
		quoted = []byte(`"` + text + `"`)
	}
	return func(body []byte) []byte {
		changed := changeJSON(body, func(v any) any {
			if _, ok := v.(string); ok {
				return "hostile text"
			}
			return v
		})
		return bytes.ReplaceAll(changed, []byte(mark), quoted)
	}
}

// everyNumber replaces every number of a JSON text by a literal.
func everyNumber(literal string) func([]byte) []byte {
	return func(body []byte) []byte {
		return changeJSON(body, func(v any) any {
			if _, ok := v.(json.Number); ok {
				return json.Number(literal)
			}
			return v
		})
	}
}

// changeJSON changes every value of a JSON text, the innermost first.
func changeJSON(body []byte, change func(any) any) []byte {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return body
	}
	var walk func(any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		}
		return change(v)
	}
	changed, err := json.Marshal(walk(value))
	if err != nil {
		return body
	}
	return changed
}

func always(body string) func([]byte) []byte { return func([]byte) []byte { return []byte(body) } }

// answers answers with a status and headers.
func answers(status int, headers ...string) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, body []byte) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header()[headers[i]] = []string{headers[i+1]}
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

// raw writes bytes to the connection, whatever HTTP says, and closes it.
func raw(answer string) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, body []byte) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = buffered.WriteString(strings.ReplaceAll(answer, "BODY", string(body)))
		_ = buffered.Flush()
	}
}

// poisons returns all of them.
func poisons() []poison {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	list := []poison{
		{"half a body", func(b []byte) []byte { return b[:len(b)/2] }, nil},
		{"an empty body", always(""), nil},
		{"null", always("null"), nil},
		{"a list", always("[]"), nil},
		{"an object", always("{}"), nil},
		{"a page of a gateway", always("<html>\x1b[31mBad gateway</html>"), answers(502, "Content-Type", "text/html\u009b31m")},
		{"deep nesting", always(strings.Repeat(`{"results":[`, 50_000)), nil},
		{"nine megabytes", always(`{"results":[` + strings.Repeat(" ", 9<<20) + `]}`), nil},
		{"all values null", func(b []byte) []byte {
			return changeJSON(b, func(v any) any {
				if _, ok := v.(map[string]any); ok {
					return v
				}
				return nil
			})
		}, nil},
		{"too many requests for ever", nil, answers(429, "Retry-After", "99999999999999999999")},
		{"too many requests until a wrong day", nil, answers(429, "Retry-After", "Thu, 99 Foo\u009b31m")},
		{"a redirect to a file", nil, answers(302, "Location", "file:///etc/passwd")},
		{"a redirect for ever", nil, answers(302, "Location", "/extended/v1/block")},
		{"a retired route", always(`{"error":"gone \u001b[31m"}`), answers(410, "Warning", "299 - \"\x1b[31m\u009b31m\"")},
		{"an unknown status", nil, answers(599)},
		{"hostile headers", nil, answers(200, "Etag", "\"\u009b31m\u202e\"", "Ratelimit-Remaining", "-5", "Warning", "299 - \"\u202e\"")},
		{"more than one answer", nil, raw(head + "Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\x1b[31mUnsolicited\r\n\r\nmore")},
		{"a length that lies", nil, raw(head + "Content-Length: 100000\r\n\r\nBODY")},
		{"a chunk that is none", nil, raw(head + "Transfer-Encoding: chunked\r\n\r\n\x1b[31mzz\r\nBODY")},
		{"no HTTP", nil, raw("\x1b[31m\u009b2J no HTTP at all\r\n" + strings.Repeat("\x1b]0;owned\x07", 500))},
		{"a connection that ends", nil, raw("")},
	}
	for name, text := range hostileTexts {
		quoted, _ := json.Marshal(text)
		list = append(list,
			poison{"every text: " + name, everyString(text), nil},
			poison{"an error: " + name, always(fmt.Sprintf(`{"error":%s,"message":%s,"code":%s}`, quoted, quoted, quoted)), answers(404)})
	}
	for _, literal := range []string{"9223372036854775807", "-1", "0", "1e308", "0.5", "18446744073709551616", "-9223372036854775808", "9007199254740993"} {
		list = append(list, poison{"every number " + literal, everyNumber(literal), nil})
	}
	return list
}

// hostileServer is before a mock and poisons what it answers.
type hostileServer struct {
	*httptest.Server
	poison atomic.Pointer[poison]
	asked  atomic.Int64
}

func newHostileServer(t *testing.T, mock *server) *hostileServer {
	h := &hostileServer{}
	h.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer h.asked.Add(1)
		answer, err := http.Get("http://" + mock.Addr + r.URL.RequestURI())
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		p := h.poison.Load()
		switch {
		case p == nil:
			answers(answer.StatusCode)(w, body)
			return
		case p.body != nil:
			body = p.body(body)
		}
		if p.serve != nil {
			p.serve(w, body)
			return
		}
		answers(answer.StatusCode)(w, body)
	}))
	// What the server's own library complains about is no concern of this test.
	h.Config.ErrorLog = log.New(io.Discard, "", 0)
	h.Start()
	t.Cleanup(h.Close)
	return h
}

// waitAsked waits until there was another request, but not for long: where a
// server said that it wants to be left alone, there is none.
func (h *hostileServer) waitAsked(before int64) {
	for end := time.Now().Add(150 * time.Millisecond); h.asked.Load() == before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// escape presses the escape key. Only the time after it tells it from the begin of
// a sequence.
func (s *terminal) escape() {
	s.press(escapeKey)
	time.Sleep(100 * time.Millisecond)
}

// Every place is opened and asked again under every poison. That nothing but
// printable text reaches the terminal is checked byte by byte when it closes; at
// the end the program still works.
func TestAHostileServerCannotBreakTheExplorer(t *testing.T) {
	t.Parallel()
	mock := serve(t, "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z", "--names", "500")
	h := newHostileServer(t, mock)
	s := open(t, 120, 40, "--api", h.URL, "--timeout", "1s")
	s.shows("1,000,000")
	for i, p := range poisons() {
		h.poison.Store(&p)
		for _, place := range []string{[]string{"2", "3", "4"}[i%3], "1"} {
			before := h.asked.Load()
			s.press(place + "r")
			h.waitAsked(before)
			s.press("G" + []string{"J", "i" + enterKey + "G", "y"}[i/3%3])
			s.escape()
		}
		// Whatever came, the program answers.
		since := time.Time{}
		s.until("answers after "+p.name, func(screen string) bool {
			if strings.Contains(screen, "Go to anything") {
				return true
			}
			if time.Since(since) > time.Second {
				s.escape()
				s.press(goToKey)
				since = time.Now()
			}
			return false
		})
		s.escape()
		s.hides("Go to anything")
	}
	h.poison.Store(nil)
	// Each r gives up the request before it: a pause lets one be answered. Whatever
	// limit the refusals taught does not hold it back.
	back := func(screen string) bool {
		return strings.Contains(screen, "1,000,000") && strings.Contains(screen, "canonical") && strings.Contains(screen, "▶")
	}
	for end := time.Now().Add(15 * time.Second); !back(s.now()) && time.Now().Before(end); time.Sleep(time.Second) {
		if strings.Contains(s.now(), "[1 Blocks]") {
			s.press("gr")
		} else {
			s.escape() // out of a box that takes text
			s.press("1")
		}
	}
	s.until("the blocks again", back)
	s.mu.Lock()
	if bytes.Contains(s.raw.Bytes(), []byte("Unsolicited")) {
		t.Error("what net/http logs is on the screen")
	}
	s.mu.Unlock()
	s.quit()
}

// The commands print to a terminal too: as a table, as JSON, and their errors.
func TestAHostileServerCannotBreakTheTerminalOfACommand(t *testing.T) {
	t.Parallel()
	mock := serve(t, "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z", "--names", "500")
	h := newHostileServer(t, mock)
	token := "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full"
	commands := [][]string{{"blocks"}, {"block", "872114"}, {"ft", token}, {"names", "btc"}}
	for i, p := range poisons() {
		h.poison.Store(&p)
		args := append([]string{}, commands[i%len(commands)]...)
		args = append(args, "--api", h.URL, "--timeout", "300ms")
		if i%3 == 0 {
			args = append(args, "-o", "json")
		}
		s := open(t, 100, 30, args...)
		select {
		case <-s.exited:
		case <-time.After(patience):
			t.Errorf("%s: %v does not end", p.name, args)
		}
		s.mu.Lock()
		s.strict.Write([]byte(s.stderr.String()))
		s.mu.Unlock()
	}
}
