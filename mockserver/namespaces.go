package mockserver

import (
	"math"
	"net/http"
	"slices"

	"chainscope/mockserver/names"
)

func serveNamespaces(x *exchange) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	body := struct {
		Namespaces []string `json:"namespaces"`
	}{[]string{}}
	for _, n := range x.s.names.All() {
		body.Namespaces = append(body.Namespaces, n.Name())
	}
	slices.Sort(body.Namespaces)
	x.value(http.StatusOK, body)
}

// serveNames is endpoint 7: a page of the names of a namespace. Pages count
// from 1, and a number need not be whole.
func serveNames(x *exchange) {
	x.bareInvalid = x.s.generation >= api9
	page, unanchored := x.queryNumber("page", 1), x.queryBool("unanchored")
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	space, known := x.s.names.Namespace(x.param(0))
	start := math.Floor((page - 1) * names.PageSize)
	switch {
	case !known:
		x.bare(http.StatusBadRequest, "No such namespace")
	case page < 0 && x.bareInvalid:
		x.value(http.StatusBadRequest, struct{}{})
	case page < 0: // a fault of the database in the real service
		x.thrown(http.StatusBadRequest, "2201X", "OFFSET must not be negative")
	case start < 0, start > 0 && start >= float64(space.Count(unanchored)):
		x.bare(http.StatusBadRequest, "Invalid page")
	default:
		x.value(http.StatusOK, space.Page(int64(start), unanchored))
	}
}
