package api

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// routeKind chooses the rules that differ between the two real services.
type routeKind int

const (
	// apiRoute is a route of the chain API: a trailing slash is ignored and
	// validation errors carry a code.
	apiRoute routeKind = iota
	// tokenRoute is a route of the token service: a trailing slash is another
	// route, validation errors have no code.
	tokenRoute
	// ControlRoute is under /mock/v1: loopback clients only, no CORS, no faults.
	ControlRoute
)

// maxParams is the highest number of path parameters in a pattern.
const maxParams = 5

// Route is one row of the route table. A GET route answers HEAD too.
type Route struct {
	Kind    routeKind
	Method  string
	Pattern string // "/metadata/v1/nft/{principal}/{token_id}"
	life    life
	tag     tag // nil where the handler sees to it, or there is none
	below   below
	Handle  func(*Exchange)
}

// param returns the name of the path parameter at a position.
func (r *Route) param(i int) string {
	return strings.Trim(pathParameter().FindAllString(r.Pattern, i+1)[i], "{}")
}

// Router finds the route of a path. net/http's ServeMux is not used because it
// redirects "//" and "..", answers 405 for another method and cannot give an
// empty path parameter; the real services do none of that.
type Router struct {
	rows []routerRow
}

type routerRow struct {
	route  *Route
	prefix string   // the pattern up to its first parameter
	rest   []string // what lies between and after the parameters
}

// NewRouter makes a router. A path belongs to the first route that fits it, but one without
// parameters goes before all that have some.
func NewRouter(routes []Route) *Router {
	t := &Router{}
	routes = slices.Clone(routes)
	slices.SortStableFunc(routes, func(a, b Route) int {
		return cmp.Compare(min(1, strings.Count(a.Pattern, "{")), min(1, strings.Count(b.Pattern, "{")))
	})
	for i := range routes {
		row := routerRow{route: &routes[i]}
		text := routes[i].Pattern
		for part := 0; ; part++ {
			open := strings.IndexByte(text, '{')
			if open < 0 {
				row.add(part, text)
				break
			}
			row.add(part, text[:open])
			text = text[open+strings.IndexByte(text[open:], '}')+1:]
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func (row *routerRow) add(part int, text string) {
	if part == 0 {
		row.prefix = text
		return
	}
	row.rest = append(row.rest, text)
}

// match finds the route and decodes its path parameters. path is escaped, as
// it was sent.
func (t *Router) match(method, path string) (*Route, [maxParams]string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range t.rows {
		row := &t.rows[i]
		if row.route.Method != method {
			continue
		}
		if params, ok := row.match(path); ok {
			return row.route, params
		}
	}
	return nil, [maxParams]string{}
}

func (row *routerRow) match(path string) (params [maxParams]string, ok bool) {
	if row.route.Kind == apiRoute && len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	text, found := strings.CutPrefix(path, row.prefix)
	if !found {
		return params, false
	}
	for i, literal := range row.rest {
		end := strings.IndexByte(text, '/')
		if end < 0 {
			end = len(text)
		}
		raw := text[:end]
		if params[i], found = unescapeSegment(raw); !found {
			return params, false
		}
		if text, found = strings.CutPrefix(text[end:], literal); !found {
			return params, false
		}
	}
	return params, text == ""
}

// Answer lets the route of a request answer it, or says that it is gone. It reports false where
// no route fits.
func (t *Router) Answer(x *Exchange) bool {
	x.route, x.params = t.match(x.R.Method, x.Path)
	if x.route == nil {
		return false
	}
	if x.route.Kind == apiRoute && headerBytes(x.R) > maxHeaderBytes {
		x.Send(http.StatusRequestHeaderFieldsTooLarge, headersTooLarge)
		return true
	}
	switch x.route.life.in(x.Service.Generation) {
	case deprecated:
		x.W.Header()["Warning"] = deprecationWarning
	case gone:
		x.W.Header()["Warning"] = deprecationWarning
		x.gone()
		return true
	}
	if x.checkQuery(); !x.answered {
		x.handle()
	}
	return true
}

func unescapeSegment(raw string) (string, bool) {
	if strings.IndexByte(raw, '%') < 0 {
		return raw, true
	}
	s, err := url.PathUnescape(raw)
	return s, err == nil
}
