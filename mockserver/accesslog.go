package mockserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"chainscope/mockserver/api"
	"chainscope/mockserver/fork"
)

// accessLog writes one line per request. Everything a client chose is quoted
// in ASCII, so that no escape sequence, bidi override or line break of a
// request reaches the terminal.
type accessLog struct {
	now func() time.Time
	mu  sync.Mutex
	w   io.Writer
}

func newAccessLog(w io.Writer, now func() time.Time) *accessLog {
	if w == nil {
		return nil
	}
	return &accessLog{now: now, w: w}
}

func (l *accessLog) request(r *http.Request, w *countingWriter, started time.Time) {
	what := strconv.Itoa(w.status)
	if w.status == 0 {
		what = "cut"
	}
	now := l.now()
	l.write(fmt.Sprintf("%s %s %s %s %s %dB %s\n",
		now.UTC().Format("2006-01-02T15:04:05.000Z"), plain(r.RemoteAddr), plain(r.Method),
		strconv.QuoteToASCII(api.RequestTarget(r)), what, w.bytes, now.Sub(started).Round(time.Microsecond)))
}

func (l *accessLog) write(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.w, line) // a log that cannot be written must not fail the request
}

// plain returns s if it is visible ASCII throughout, else s quoted.
func plain(s string) string {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == '"' || s[i] == '\\' {
			return strconv.QuoteToASCII(s)
		}
	}
	return s
}

// problem logs an error that no client sees.
func (l *accessLog) problem(err error) {
	if l != nil {
		l.write(l.now().UTC().Format("2006-01-02T15:04:05.000Z") + " server " + strconv.QuoteToASCII(err.Error()) + "\n")
	}
}

// lines returns the writer of net/http's own error log.
func (l *accessLog) lines() io.Writer {
	if l == nil {
		return io.Discard
	}
	return lineWriter{l}
}

type lineWriter struct{ log *accessLog }

func (w lineWriter) Write(p []byte) (int, error) {
	w.log.problem(errors.New(string(p)))
	return len(p), nil
}

// countingWriter records the status and the size of an answer.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
	begins func() // called when the status is known, before it is sent
}

func (w *countingWriter) WriteHeader(status int) {
	w.begin(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) begin(status int) {
	if w.status == 0 {
		w.status = status
		w.begins()
	}
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.begin(http.StatusOK)
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// read logs a request to the live chain of a fork.
func (l *accessLog) read(r fork.Request) {
	what := "read"
	if r.Err != nil {
		what = strconv.QuoteToASCII(r.Err.Error())
	}
	l.write(fmt.Sprintf("%s fork GET %s %s %s %s\n", l.now().UTC().Format("2006-01-02T15:04:05.000Z"),
		strconv.QuoteToASCII(r.Path), strconv.QuoteToASCII(r.What), what, r.Took.Round(time.Microsecond)))
}
