package mockserver

import (
	"math"
	"net/http"

	"chainscope/mockserver/names"
)

// namespaceRoutes is endpoint 7.
func namespaceRoutes() []route {
	return []route{{method: "GET", pattern: "/v1/namespaces/{tld}/names", handle: serveNames}}
}

// serveNames is endpoint 7: a page of the names of a namespace. Pages count
// from 1, and a number need not be whole.
func serveNames(x *exchange) {
	page, _, ok := x.queryNumber("page", 1)
	if !ok {
		return
	}
	unanchored, ok := x.queryBool("unanchored", false)
	if !ok {
		return
	}
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	space, known := x.s.names.Namespace(x.param(0))
	start := math.Floor((page - 1) * names.PageSize)
	switch {
	case !known:
		x.bare(http.StatusBadRequest, "No such namespace")
	case page < 0:
		x.thrown(http.StatusBadRequest, "2201X", "OFFSET must not be negative")
	case start < 0, start > 0 && start >= float64(space.Count(unanchored)):
		x.bare(http.StatusBadRequest, "Invalid page")
	default:
		x.built(func(dst []byte) []byte { return space.AppendPage(dst, int64(start), unanchored) })
	}
}
