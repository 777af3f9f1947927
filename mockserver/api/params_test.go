package api

import (
	"fmt"
	"math"
	"net/http/httptest"
	"testing"
)

// integers is a route that reads the parameters of a list.
func integers(x *Exchange) {
	limit := x.queryInteger("limit", between(0, 30), 20)
	offset := x.queryInteger("offset", atLeast(0), 0)
	page := x.queryNumber("page", 1)
	unanchored := x.queryBool("unanchored")
	x.JSON(200, fmt.Appendf(nil, "[%v,%v,%v,%v]", limit, offset, page, unanchored))
}

// answerOf returns how routes answer a request; the status is 404 where none fits.
func answerOf(routes []Route, target string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", target, nil)
	x := &Exchange{Service: New(Service{Generation: api9}), W: w, R: r, Path: r.URL.EscapedPath()}
	if !NewRouter(routes).Answer(x) {
		x.UnknownRoute()
	}
	return w
}

func TestQueryParametersAreCoercedAsByJavaScript(t *testing.T) {
	list := []Route{{Method: "GET", Pattern: "/list", Handle: integers}}
	refused := func(message string) string {
		return `{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"querystring/` + message + `"}`
	}
	cases := []struct{ query, want string }{
		{"", "[20,0,1,false]"},
		{"limit=30", "[30,0,1,false]"},
		{"limit=0", "[0,0,1,false]"},
		{"limit=1.0", "[1,0,1,false]"},
		{"limit=1e1", "[10,0,1,false]"},
		{"limit=%2B2", "[2,0,1,false]"},
		{"limit=+2", "[2,0,1,false]"},
		{"limit=%202", "[2,0,1,false]"},
		{"limit=%20", "[0,0,1,false]"},
		{"limit=0x10", "[16,0,1,false]"},
		{"limit=0b11", "[3,0,1,false]"},
		{"limit=-0", "[-0,0,1,false]"},
		{"Limit=31&x=y", "[20,0,1,false]"},
		{"%6cimit=5", "[5,0,1,false]"},
		{"page=1.5", "[20,0,1.5,false]"},
		{"unanchored=true", "[20,0,1,true]"},
		{"unanchored=false", "[20,0,1,false]"},
		{"limit=31", refused("limit must be <= 30")},
		{"limit=-1", refused("limit must be >= 0")},
		{"limit=abc", refused("limit must be integer")},
		{"limit=", refused("limit must be integer")},
		{"limit", refused("limit must be integer")},
		{"limit=1.5", refused("limit must be integer")},
		{"limit=NaN", refused("limit must be integer")},
		{"limit=null", refused("limit must be integer")},
		{"limit=true", refused("limit must be integer")},
		{"limit=1&limit=2", refused("limit must be integer")},
		{"limit=1;2", refused("limit must be integer")},
		{"limit=%zz", refused("limit must be integer")},
		{"limit=1_0", refused("limit must be integer")},
		{"limit=inf", refused("limit must be integer")},
		{"limit=0x1p4", refused("limit must be integer")},
		{"limit=0x", refused("limit must be integer")},
		{"limit=Infinity", refused("limit must be integer")},
		{"offset=-1", refused("offset must be >= 0")},
		{"offset=abc", refused("offset must be integer")},
		{"offset=", refused("offset must be integer")},
		{"limit=x&offset=y", refused("limit must be integer")},
		{"page=abc", refused("page must be number")},
		{"page=", refused("page must be number")},
		{"page=NaN", refused("page must be number")},
		{"page=1&page=1", refused("page must be number")},
		{"unanchored=1", refused("unanchored must be boolean")},
		{"unanchored=", refused("unanchored must be boolean")},
		{"unanchored=TRUE", refused("unanchored must be boolean")},
		{"unanchored=true&unanchored=true", refused("unanchored must be boolean")},
	}
	for _, c := range cases {
		t.Run(c.query, func(t *testing.T) {
			if w := answerOf(list, "/list?"+c.query); w.Body.String() != c.want {
				t.Errorf("got  %s\nwant %s", w.Body, c.want)
			}
		})
	}
}

func TestARouteOfTheAPIIgnoresATrailingSlash(t *testing.T) {
	routes := []Route{
		{Method: "GET", Pattern: "/list", Handle: integers},
		{Method: "GET", Pattern: "/of/{a}/names", Handle: func(x *Exchange) { x.Bare(200, x.param(0)) }},
	}
	for path, want := range map[string]int{"/list": 200, "/list/": 200, "/list//": 404, "/of//names": 200, "/of/a%2Fb/names/": 200, "/of/a/b/names": 404, "/of/names": 404} {
		if w := answerOf(routes, path); w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
	if w := answerOf(routes, "/of/a%2Fb%20/names"); w.Body.String() != `{"error":"a/b "}` {
		t.Errorf("decoded to %s", w.Body)
	}
}

func FuzzCoerceNumber(f *testing.F) {
	for _, s := range []string{"", "1", " 0x1F ", "-1e-7", "Infinity", "1_000", ".5", "5.", "\ufeff1", "++1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := coerceNumber(s)
		if ok && math.IsNaN(n) {
			t.Errorf("%q is not a number and was taken", s)
		}
		if i, ok := coerceInteger(s); ok && (i != math.Trunc(i) || math.IsInf(i, 0)) {
			t.Errorf("%q gave %v as integer", s, i)
		}
		QueryValue(s, "limit")
	})
}
