package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"chainscope/apiclient/wire"
)

// route is one way to answer a question: a pattern of paths and the generation of the
// API that it belongs to, which is the version in its path.
type route struct {
	generation int
	pattern    string
}

// path returns the path of the route for what its pattern has in braces.
func (r route) path(which string) string {
	begin, end := strings.IndexByte(r.pattern, '{'), strings.IndexByte(r.pattern, '}')
	if begin < 0 {
		return r.pattern
	}
	return r.pattern[:begin] + which + r.pattern[end+1:]
}

// form is a question put by one route.
type form[T any] struct {
	route
	read func(ctx context.Context, question string) (Answer[T], error)
}

// by returns a form that one request answers: for what the route's pattern has in braces, and a
// query.
func by[T any](c *Client, r route, which, query string, decode decoder[T]) form[T] {
	return form[T]{r, func(ctx context.Context, question string) (Answer[T], error) {
		return get(ctx, c, question, r.path(which)+query, decode)
	}}
}

// ServedRoute is the route that answered a question last.
type ServedRoute struct {
	// Question names what was requested, such as "blocks".
	Question string
	// Generation is the version in the route's path: 1, 2 or 3.
	Generation int
	// Route is the pattern of its paths.
	Route string
}

// InForce holds what is known of a server's generation. All of it comes with answers
// to other questions: nothing is requested for it.
type InForce struct {
	// Version is the server's own text, from the header X-API-Version; "" when it
	// sent none. It is a hint: it does not say which routes are switched off.
	Version string
	// Served are the routes that answered, in the order of their first answers.
	Served []ServedRoute
	// Gone are the patterns of the routes that the server has retired or never had.
	Gone []string
}

// String returns one line for people, such as "API 9 · blocks by v2"; "" when
// nothing is known yet.
func (f InForce) String() string {
	var parts []string
	if major := f.major(); major != "" {
		parts = append(parts, "API "+major)
	}
	for _, s := range f.Served {
		if s.Question == blocksOp {
			parts = append(parts, fmt.Sprintf("blocks by v%d", s.Generation))
		}
	}
	return strings.Join(parts, " · ")
}

// major returns the first number of the version, "" when it has none.
func (f InForce) major() string {
	number, _, _ := strings.Cut(strings.TrimPrefix(f.Version, "v"), ".")
	if number == "" || len(number) > 3 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return number
}

// recheckAfter is the time that a route that was found gone is not requested, when no other
// route answers instead.
const recheckAfter = time.Minute

// routes remembers what a server serves.
type routes struct {
	mu      sync.Mutex
	version string
	served  []ServedRoute
	gone    []goneRoute
}

type goneRoute struct {
	pattern string
	err     error
	since   time.Time
}

// InForce returns which generation of the API answers, and by which routes.
func (c *Client) InForce() InForce {
	c.routes.mu.Lock()
	defer c.routes.mu.Unlock()
	f := InForce{Version: c.routes.version, Served: append([]ServedRoute(nil), c.routes.served...)}
	for _, g := range c.routes.gone {
		f.Gone = append(f.Gone, g.pattern)
	}
	return f
}

// answered notes the version that an answer names.
func (r *routes) answered(h http.Header) {
	version := h.Get("X-API-Version")
	if version == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = wire.Short(version)
}

// serves notes that a route answered a question.
func (r *routes) serves(question string, by route) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := ServedRoute{Question: question, Generation: by.generation, Route: by.pattern}
	r.served = put(r.served, s, func(s ServedRoute) string { return s.Question })
}

// put adds an entry to a list in place of the one with its key.
func put[T any](list []T, entry T, key func(T) string) []T {
	i := slices.IndexFunc(list, func(e T) bool { return key(e) == key(entry) })
	if i < 0 {
		return append(list, entry)
	}
	list[i] = entry
	return list
}

// retire notes that a route is gone.
func (r *routes) retire(by route, err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = put(r.gone, goneRoute{by.pattern, err, now}, func(g goneRoute) string { return g.pattern })
}

// retired returns the error with which a route was found gone, nil if it may be
// requested.
func (r *routes) retired(by route) (since time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.gone {
		if g.pattern == by.pattern {
			return g.since, g.err
		}
	}
	return time.Time{}, nil
}

// firstServed puts a question by the first of its forms that the server serves.
// When it serves none, the error is that of the first form.
func firstServed[T any](ctx context.Context, c *Client, question string, forms ...form[T]) (Answer[T], error) {
	var first error
	again := true
	for _, f := range forms {
		since, err := c.routes.retired(f.route)
		if err == nil || c.opt.Now().Sub(since) < recheckAfter {
			again = false
		}
		if first == nil {
			first = err
		}
	}
	wordless := map[route]error{} // gone only if another route answers: a gateway may be in trouble
	for _, f := range forms {
		if _, err := c.routes.retired(f.route); err != nil && !again {
			continue
		}
		answer, err := f.read(ctx, question)
		if !RouteGone(err) {
			if err == nil || KindOf(err) == NotFound {
				c.routes.serves(question, f.route)
				for r, err := range wordless {
					c.routes.retire(r, err, c.opt.Now())
				}
			}
			answer.Generation = f.generation
			return answer, err
		}
		if e, is := errors.AsType[*Error](err); is && e.Status == http.StatusNotFound && e.wordless() {
			wordless[f.route] = err
		} else {
			c.routes.retire(f.route, err, c.opt.Now())
		}
		if first == nil {
			first = err
		}
	}
	return Answer[T]{}, first
}

// RouteGone reports whether err is a server's answer that it does not serve the
// route that was requested: it has retired it (status 410) or does not know it (status
// 404 and "Route GET:… not found", or no words of its own, as a gateway answers). It
// is not what a server says of a block or token that it does not have.
func RouteGone(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	unknown := strings.HasPrefix(e.ServerMessage, "Route ") && strings.HasSuffix(e.ServerMessage, " not found")
	return e.Status == http.StatusGone || e.Status == http.StatusNotFound && (unknown || e.wordless())
}

// wordless reports whether a server says no more than its status does, or in a gateway's words
// that it leads to no server. A node says by a plain text what it does not have.
func (e *Error) wordless() bool {
	if body := strings.TrimSpace(string(e.Body)); serviceOf(e.URL) == NodeCalls && body != "" && !strings.ContainsAny(body[:1], "<{") {
		return false
	}
	said := strings.ToLower(strings.TrimSuffix(e.Detail(), "."))
	return said == "" || said == strings.ToLower(http.StatusText(e.Status)) || containsAny(said, gatewayWords)
}

// gatewayWords are said by who leads to servers and found none, missingWords by a server of what
// it does not have.
var (
	gatewayWords = []string{"no route matched", "page not found", "application not found", "endpoint", "cannot get /", "default backend"}
	missingWords = []string{"find", "found", "no such", "exist", "unknown"}
)

// reportsMissing reports whether a server's words are of a thing that it does not have. A node has
// no words in JSON.
func (e *Error) reportsMissing() bool {
	return e.Detail() == "" || containsAny(strings.ToLower(e.Detail()), missingWords)
}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
