package api

import (
	_ "embed"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chainscope/wallet/jsnumber"
)

// The real services validate with Ajv, which coerces strings as JavaScript
// does. These functions accept and refuse the same texts, with the same messages.

// shape returns a pattern that is compiled when a text is first matched: all of them
// together would take half a millisecond of every start of the program.
func shape(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// bounds of an integer parameter; a nil bound is none.
type bounds struct {
	min, max *float64
}

func between(low, high float64) bounds { return bounds{&low, &high} }
func atLeast(low float64) bounds       { return bounds{min: &low} }

// queryInteger reads an integer parameter; fallback stands for an absent one.
// The result is a float64 because the services count in doubles: a caller
// bounds it before it becomes an int.
func (x *Exchange) queryInteger(name string, b bounds, fallback float64) float64 {
	value, given := QueryValue(x.R.URL.RawQuery, name)
	if given == 0 {
		return fallback
	}
	return x.checkInteger("querystring/"+name, value, given, b)
}

// paramInteger reads the path parameter at position i.
func (x *Exchange) paramInteger(i int, name string, b bounds) float64 {
	return x.checkInteger("params/"+name, x.param(i), 1, b)
}

func (x *Exchange) checkInteger(where, value string, given int, b bounds) float64 {
	n, ok := coerceInteger(value)
	switch {
	case given > 1 || !ok:
		x.invalid(where + " must be integer")
	case b.max != nil && n > *b.max:
		x.invalid(where + " must be <= " + formatBound(*b.max))
	case b.min != nil && n < *b.min:
		x.invalid(where + " must be >= " + formatBound(*b.min))
	default:
		return n
	}
	return 0
}

// queryNumber reads a number parameter that need not be whole.
func (x *Exchange) queryNumber(name string, fallback float64) float64 {
	value, given := QueryValue(x.R.URL.RawQuery, name)
	if given == 0 {
		return fallback
	}
	n, ok := coerceNumber(value)
	if given > 1 || !ok {
		x.invalid("querystring/" + name + " must be number")
	}
	return n
}

// queryBool reads a boolean parameter: true, false or absent, no other word.
func (x *Exchange) queryBool(name string) bool {
	text, given := QueryValue(x.R.URL.RawQuery, name)
	if given > 1 || given == 1 && text != "true" && text != "false" {
		x.invalid("querystring/" + name + " must be boolean")
	}
	return text == "true"
}

// queryString reads a text parameter.
func (x *Exchange) queryString(name string) string {
	value, given := QueryValue(x.R.URL.RawQuery, name)
	if given > 1 {
		x.invalid("querystring/" + name + " must be string")
	}
	return value
}

func formatBound(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// coerceInteger returns Ajv's rule: not empty, a JavaScript number, nothing after the point.
func coerceInteger(s string) (float64, bool) {
	n, ok := coerceNumber(s)
	if !ok || math.IsInf(n, 0) {
		// An infinite number passes Ajv and then fails in the database; it is
		// refused here with the message that fits.
		return 0, false
	}
	return n, n == math.Trunc(n)
}

// coerceNumber returns Ajv's rule for numbers: not empty and equal to its JavaScript Number.
func coerceNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	n := jsnumber.Parse(s)
	return n, !math.IsNaN(n)
}

// QueryValue finds a parameter in a raw query: its first value and how often
// it was given. Unlike url.ParseQuery it takes ";" and broken escapes as text.
func QueryValue(raw, name string) (value string, given int) {
	for len(raw) > 0 {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		key, text, _ := strings.Cut(pair, "=")
		if unescapeQuery(key) != name || pair == "" {
			continue
		}
		if given++; given == 1 {
			value = unescapeQuery(text)
		}
	}
	return value, given
}

func unescapeQuery(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	if t, err := url.QueryUnescape(s); err == nil {
		return t
	}
	return s
}

// required reads a parameter that has to be there.
func (x *Exchange) required(name string) string {
	value, given := QueryValue(x.R.URL.RawQuery, name)
	if given == 0 {
		x.invalid("querystring must have required property '" + name + "'")
	}
	return value
}

// requiredList reads a list that has to be there.
func (x *Exchange) requiredList(name string) []string {
	given := queryList(x.R.URL.RawQuery, name)
	if len(given) == 0 {
		x.invalid("querystring must have required property '" + name + "'")
	}
	return given
}

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
func (x *Exchange) parameter(name string) parameter {
	for _, p := range parameters()[withoutNames(x.route.Pattern)] {
		if p.name == name {
			return p
		}
	}
	panic("api: the table of parameters has no " + name + " of " + x.route.Pattern)
}

// hasParam reports whether the route of the request has a parameter.
func (x *Exchange) hasParam(name string) bool {
	return slices.ContainsFunc(parameters()[withoutNames(x.route.Pattern)], func(p parameter) bool { return p.name == name })
}

// checkQuery answers 400 for the first parameter that does not fit the table, those of which a
// handler does not look at among them. Parameters that the table does not have are ignored.
func (x *Exchange) checkQuery() {
	all := parameters()[withoutNames(x.route.Pattern)]
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
func (x *Exchange) checkUntil(block string) {
	switch number := strings.TrimLeft(block, " 0"); {
	case block == "":
	case x.queryBool("unanchored"):
		x.Thrown(http.StatusBadRequest, "", "can't handle both 'unanchored=true' and 'until_block' in the same request")
	case !strings.HasPrefix(block, "0x") && (number == "" || number[0] < '1' || number[0] > '9'):
		x.Thrown(http.StatusBadRequest, "", "Unexpected integer value for block height path parameter")
	}
}

func (x *Exchange) checkParameter(p *parameter) {
	value, given := QueryValue(x.R.URL.RawQuery, p.name)
	where := "querystring/" + p.name
	switch {
	case p.kind == "list": // may be given with brackets
		n := len(queryList(x.R.URL.RawQuery, p.name))
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
