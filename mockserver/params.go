package mockserver

import (
	"math"
	"net/url"
	"regexp"
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
func (x *exchange) queryInteger(name string, b bounds, fallback float64) float64 {
	value, given := queryValue(x.r.URL.RawQuery, name)
	if given == 0 {
		return fallback
	}
	return x.checkInteger("querystring/"+name, value, given, b)
}

// paramInteger reads the path parameter at position i.
func (x *exchange) paramInteger(i int, name string, b bounds) float64 {
	return x.checkInteger("params/"+name, x.param(i), 1, b)
}

func (x *exchange) checkInteger(where, value string, given int, b bounds) float64 {
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
func (x *exchange) queryNumber(name string, fallback float64) float64 {
	value, given := queryValue(x.r.URL.RawQuery, name)
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
func (x *exchange) queryBool(name string) bool {
	text, given := queryValue(x.r.URL.RawQuery, name)
	if given > 1 || given == 1 && text != "true" && text != "false" {
		x.invalid("querystring/" + name + " must be boolean")
	}
	return text == "true"
}

// queryString reads a text parameter.
func (x *exchange) queryString(name string) string {
	value, given := queryValue(x.r.URL.RawQuery, name)
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

// queryValue finds a parameter in a raw query: its first value and how often
// it was given. Unlike url.ParseQuery it takes ";" and broken escapes as text.
func queryValue(raw, name string) (value string, given int) {
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
func (x *exchange) required(name string) string {
	value, given := queryValue(x.r.URL.RawQuery, name)
	if given == 0 {
		x.invalid("querystring must have required property '" + name + "'")
	}
	return value
}

// requiredList reads a list that has to be there.
func (x *exchange) requiredList(name string) []string {
	given := queryList(x.r.URL.RawQuery, name)
	if len(given) == 0 {
		x.invalid("querystring must have required property '" + name + "'")
	}
	return given
}
