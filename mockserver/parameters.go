package mockserver

import (
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// parameterTable has the parameters in the queries of the service's routes. The handlers take
// the sizes of pages and the patterns of cursors from it, and checkQuery holds every request
// against it.
//
//go:embed parameters.tsv
var parameterTable string

// parameter is one row of the table.
type parameter struct {
	name     string
	required bool
	kind     string  // int, bool, text, list, principal or until, a block
	fallback float64 // of an int
	bounds   bounds  // of a list: how many it may have
	pattern  string  // "" for any text
	shape    func() *regexp.Regexp
	words    []string
}

// parameters finds the parameters of a route by its pattern, whatever its path parameters are
// called.
var parameters = sync.OnceValue(func() map[string][]parameter {
	all, route := map[string][]parameter{}, ""
	for line := range strings.Lines(parameterTable) {
		cells := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), make([]string, 7)...)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if cells[0] != "" {
			route = withoutNames(cells[0])
		}
		p := parameter{kind: cells[2], pattern: cells[6], shape: shape(cells[6])}
		p.name, p.required = strings.CutSuffix(cells[1], "!")
		p.fallback, _ = strconv.ParseFloat(cells[3], 64) // "" is 0
		p.bounds = bounds{boundOf(cells[4]), boundOf(cells[5])}
		if cells[7] != "" {
			p.words = strings.Split(cells[7], ",")
		}
		all[route] = append(all[route], p)
	}
	return all
})

func boundOf(text string) *float64 {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return &n
	}
	return nil
}

// withoutNames returns a pattern with {} for each of its parameters.
func withoutNames(pattern string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(pattern, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, pattern, _ = strings.Cut(after, "}")
		b.WriteString("{}")
	}
}

// parameter finds a parameter of the route of the request. One that the table does not have is a
// mistake of the program.
func (x *exchange) parameter(name string) parameter {
	for _, p := range parameters()[withoutNames(x.route.pattern)] {
		if p.name == name {
			return p
		}
	}
	panic("mockserver: the table of parameters has no " + name + " of " + x.route.pattern)
}

// takes reports whether the route of the request has a parameter.
func (x *exchange) takes(name string) bool {
	return slices.ContainsFunc(parameters()[withoutNames(x.route.pattern)], func(p parameter) bool { return p.name == name })
}

// checkQuery answers 400 for the first parameter that does not fit the table, those of which a
// handler does not look at among them. Parameters that the table does not have are ignored.
func (x *exchange) checkQuery() {
	all := parameters()[withoutNames(x.route.pattern)]
	for _, p := range all {
		if p.required {
			x.requiredList(p.name)
		}
	}
	for i := range all {
		if p := &all[i]; !x.answered {
			x.checkParameter(p)
		}
	}
}

// checkUntil answers 400 for what cannot be the last block of an answer, in the words of the
// service, which reads a number as far as it is one.
func (x *exchange) checkUntil(block string) {
	switch number := strings.TrimLeft(block, " 0"); {
	case block == "":
	case x.queryBool("unanchored"):
		x.thrown(http.StatusBadRequest, "", "can't handle both 'unanchored=true' and 'until_block' in the same request")
	case !strings.HasPrefix(block, "0x") && (number == "" || number[0] < '1' || number[0] > '9'):
		x.thrown(http.StatusBadRequest, "", "Unexpected integer value for block height path parameter")
	}
}

func (x *exchange) checkParameter(p *parameter) {
	value, given := queryValue(x.r.URL.RawQuery, p.name)
	where := "querystring/" + p.name
	switch {
	case p.kind == "list": // may be given with brackets
		n := len(queryList(x.r.URL.RawQuery, p.name))
		if p.bounds.max != nil && float64(n) > *p.bounds.max {
			x.invalid(where + " must NOT have more than " + formatBound(*p.bounds.max) + " items")
		}
	case given == 0:
	case p.kind == "int":
		x.checkInteger(where, value, given, p.bounds)
	case p.kind == "bool":
		x.queryBool(p.name)
	case given > 1:
		x.invalid(where + " must be string")
	case p.kind == "until":
		x.checkUntil(value)
	case p.kind == "principal":
		x.checkShape(where, value)
	case p.words != nil:
		x.wordOf(p.name, p.words...)
	case p.pattern != "" && !p.shape().MatchString(value):
		x.invalid(where + ` must match pattern "` + p.pattern + `"`)
	}
}
