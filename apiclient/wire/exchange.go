package wire

import (
	"maps"
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
	// Attempts counts the attempts of the call; Tries lists every request,
	// redirects included.
	Attempts int
	Tries    []Try
	// Duration is from the first attempt to the end of the last body.
	Duration time.Duration
	// RequestSize and ResponseSize are the bodies' bytes as decoded by the
	// transport.
	RequestSize, ResponseSize       int64
	RequestHeader, ResponseHeader   http.Header
	RequestBody, ResponseBody       string
	RequestBodyCut, ResponseBodyCut bool
	// NotModified reports whether the server confirmed the cached answer.
	NotModified bool
	// Err is the reason why the call failed, in full; "" when it did not.
	Err string
}

// Target returns the URL without its scheme and host.
func (e Exchange) Target() string {
	if _, rest, found := strings.Cut(e.URL, "://"); found {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
	}
	return e.URL
}

// Try is one request of an exchange.
type Try struct {
	URL     string
	Status  int
	Started time.Time
	// Timings of the phases; DNS, Connect and TLS are 0 on a reused connection.
	Timings Timings
	Err     string
}

// Timings are the durations of the phases of a request.
type Timings struct {
	DNS, Connect, TLS time.Duration
	// FirstByte and Total are from the sending of the request.
	FirstByte, Total time.Duration
	Reused           bool
}

// Timings returns those of the last try, all 0 when there was none.
func (e Exchange) Timings() Timings {
	if len(e.Tries) == 0 {
		return Timings{}
	}
	return e.Tries[len(e.Tries)-1].Timings
}

// conditional are the headers by which the client revalidates its cache. In a
// command that is run by hand they would get a 304 without a body.
var conditional = map[string]bool{"If-None-Match": true, "If-Modified-Since": true}

// Curl returns the request as a shell command that prints the body, secrets
// masked. resty's GenerateCurlCommand would print the user's headers.
func (e Exchange) Curl() string {
	var b strings.Builder
	b.WriteString("curl")
	if e.Method != "" && e.Method != http.MethodGet {
		b.WriteString(" -X " + quote(e.Method))
	}
	b.WriteString(" " + quote(e.URL))
	for _, name := range slices.Sorted(maps.Keys(e.RequestHeader)) {
		if conditional[name] {
			continue
		}
		for _, v := range e.RequestHeader[name] {
			b.WriteString(" -H " + quote(name+": "+v))
		}
	}
	if len(e.RequestBody) > 0 {
		b.WriteString(" --data-binary " + quote(e.RequestBody))
	}
	return b.String()
}

// quote returns s as one word of a POSIX shell.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
