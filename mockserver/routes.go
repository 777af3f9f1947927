package mockserver

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
	// controlRoute is under /mock/v1: loopback clients only, no CORS, no faults.
	controlRoute
)

// maxParams is the highest number of path parameters in a pattern.
const maxParams = 5

// route is one row of the route table. A GET route answers HEAD too.
type route struct {
	kind    routeKind
	method  string
	pattern string // "/metadata/v1/nft/{principal}/{token_id}"
	life    life
	tag     tag // nil where the handler sees to it, or there is none
	handle  func(*exchange)
}

// param returns the name of the path parameter at a position.
func (r *route) param(i int) string {
	return strings.Trim(pathParameter().FindAllString(r.pattern, i+1)[i], "{}")
}

// router finds the route of a path. net/http's ServeMux is not used because it
// redirects "//" and "..", answers 405 for another method and cannot give an
// empty path parameter; the real services do none of that.
type router struct {
	rows []routerRow
}

type routerRow struct {
	route  *route
	prefix string   // the pattern up to its first parameter
	rest   []string // what lies between and after the parameters
}

// newRouter makes a router. A path belongs to the first route that fits it, but one without
// parameters goes before all that have some.
func newRouter(routes []route) *router {
	t := &router{}
	routes = slices.Clone(routes)
	slices.SortStableFunc(routes, func(a, b route) int {
		return cmp.Compare(min(1, strings.Count(a.pattern, "{")), min(1, strings.Count(b.pattern, "{")))
	})
	for i := range routes {
		row := routerRow{route: &routes[i]}
		text := routes[i].pattern
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
func (t *router) match(method, path string) (*route, [maxParams]string) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for i := range t.rows {
		row := &t.rows[i]
		if row.route.method != method {
			continue
		}
		if params, ok := row.match(path); ok {
			return row.route, params
		}
	}
	return nil, [maxParams]string{}
}

func (row *routerRow) match(path string) (params [maxParams]string, ok bool) {
	if row.route.kind == apiRoute && len(path) > 1 {
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

// answer lets the route of a request answer it, or says that it is gone. It reports false where
// no route fits.
func (t *router) answer(x *exchange) bool {
	x.route, x.params = t.match(x.r.Method, x.path)
	if x.route == nil {
		return false
	}
	if x.route.kind == apiRoute && headerBytes(x.r) > maxHeaderBytes {
		x.send(http.StatusRequestHeaderFieldsTooLarge, headersTooLarge)
		return true
	}
	switch x.route.life.in(x.service.generation) {
	case deprecated:
		x.w.Header()["Warning"] = deprecationWarning
	case gone:
		x.w.Header()["Warning"] = deprecationWarning
		x.gone()
		return true
	}
	if x.checkQuery(); !x.answered {
		x.route.handle(x)
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
