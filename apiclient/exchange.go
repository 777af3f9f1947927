package apiclient

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Exchange is one call as it went over the wire, with all its attempts.
// Secrets in headers, bodies and texts are masked.
type Exchange struct {
	ID uint64
	// Op names the endpoint; "" for requests of other packages.
	Op, Method, URL string
	Started         time.Time
	// Done is false while the call is under way.
	Done bool
	// Status is that of the last answer, 0 when none came.
	Status int
	// Attempts is how many requests were sent for the call, redirects not
	// counted; Tries tells of each, redirects included.
	Attempts int
	Tries    []Try
	// Duration is from the first attempt to the end of the last body.
	Duration time.Duration
	// RequestSize and ResponseSize are the bodies' bytes as decoded by the
	// transport.
	RequestSize, ResponseSize       int64
	RequestHeader, ResponseHeader   http.Header
	RequestBody, ResponseBody       []byte
	RequestBodyCut, ResponseBodyCut bool
	// NotModified tells that the server confirmed what the cache held.
	NotModified bool
	// Err is why the call failed; "" when it did not.
	Err string
}

// Try is one request of an exchange.
type Try struct {
	URL     string
	Status  int
	Started time.Time
	// Timings of the phases; DNS, Connect and TLS are 0 on a connection that
	// was used again.
	Timings Timings
	// Wait is how long was waited before this try.
	Wait time.Duration
	Err  string
}

// Timings say how long each phase of a request took.
type Timings struct {
	DNS, Connect, TLS time.Duration
	// FirstByte and Total are from the sending of the request.
	FirstByte, Total time.Duration
	Reused           bool
}

// Timings of the last try; all 0 when there was none.
func (e Exchange) Timings() Timings {
	if len(e.Tries) == 0 {
		return Timings{}
	}
	return e.Tries[len(e.Tries)-1].Timings
}

// Curl writes the request as a command for a shell, secrets masked.
func (e Exchange) Curl() string {
	var b strings.Builder
	b.WriteString("curl")
	if e.Method != "" && e.Method != http.MethodGet {
		b.WriteString(" -X " + quote(e.Method))
	}
	b.WriteString(" " + quote(e.URL))
	names := make([]string, 0, len(e.RequestHeader))
	for name := range e.RequestHeader {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range e.RequestHeader[name] {
			b.WriteString(" -H " + quote(name+": "+v))
		}
	}
	if len(e.RequestBody) > 0 {
		b.WriteString(" --data-binary " + quote(string(e.RequestBody)))
	}
	return b.String()
}

// quote makes s one word of a POSIX shell.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (e *Exchange) dropBodies() {
	e.RequestBodyCut = e.RequestBodyCut || len(e.RequestBody) > 0
	e.ResponseBodyCut = e.ResponseBodyCut || len(e.ResponseBody) > 0
	e.RequestBody, e.ResponseBody = nil, nil
}
