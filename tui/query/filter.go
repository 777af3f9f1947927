package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Filter is a filter that was understood.
type Filter struct {
	terms []term
	// Remark holds what the user who typed it should know: a column that is not
	// there. "" for nothing.
	Remark string
}

// term is one word of a filter.
type term struct {
	not   bool
	holds func(row int) bool
}

// Match reports whether a row passes.
func (f *Filter) Match(row int) bool {
	for _, t := range f.terms {
		if t.holds(row) == t.not {
			return false
		}
	}
	return true
}

// Parse understands what is typed. A filter that is still being typed, such as
// "txs:>", passes everything; an error says what is wrong and what would be
// right.
func Parse(text string, t Table) (*Filter, error) {
	f := &Filter{}
	for _, w := range words(text) {
		not := false
		if rest, ok := strings.CutPrefix(w, "!"); ok && rest != "" {
			not, w = true, rest
		}
		holds, err := f.word(w, t)
		if err != nil {
			return nil, err
		}
		if holds != nil {
			f.terms = append(f.terms, term{not, holds})
		}
	}
	return f, nil
}

// Plain reports whether a filter is words without a column, a regular expression
// or an exclamation mark.
func Plain(text string, t Table) bool {
	for _, w := range words(text) {
		if strings.HasPrefix(w, "/") || strings.HasPrefix(w, "!") {
			return false
		}
		name, _, _ := split(w)
		if _, ok := t.Find(name); ok {
			return false
		}
	}
	return true
}

// words cuts a filter at blanks outside of quotes and of regular expressions.
func words(text string) []string {
	var out []string
	var b strings.Builder
	var closes rune // the character that ends what must not be cut, 0 for none
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case closes == '/' && r == '\\':
			escaped = true
		case r == closes:
			closes = 0
		case closes != 0:
		case r == '"':
			closes = '"'
		case r == '/' && opens(b.String()):
			closes = '/'
		case unicode.IsSpace(r):
			if b.Len() > 0 {
				out = append(out, b.String())
				b.Reset()
			}
			continue
		}
		b.WriteRune(r)
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}

// opens reports whether a slash after these characters begins a regular
// expression.
func opens(before string) bool {
	return before == "" || before == "!" || strings.HasSuffix(before, ":") && strings.Count(before, ":") == 1
}

// Word is a word of a filter as it was typed. Column and Value are those of column:value, "" for
// every other word.
type Word struct{ Text, Column, Value string }

// Words returns the words of a filter.
func Words(filter string, t Table) (all []Word) {
	for _, w := range words(filter) {
		word := Word{Text: w}
		name, op, value := split(w)
		if meant := t.meant(name); op == ":" && len(meant) == 1 && !strings.HasPrefix(value, "/") {
			word.Column, word.Value = meant[0].Name, unquote(value)
		}
		all = append(all, word)
	}
	return all
}

// word understands one word; nil passes everything.
func (f *Filter) word(w string, t Table) (func(row int) bool, error) {
	if strings.HasPrefix(w, "/") {
		re, err := expression(w)
		if err != nil || re == nil {
			return nil, err
		}
		return anywhere(t, re.MatchString), nil
	}
	name, op, value := split(w)
	if op != "" {
		switch columns := t.meant(name); {
		case len(columns) == 1:
			return columns[0].compare(op, value)
		case len(columns) > 1:
			return nil, fmt.Errorf("%s may be %s: type more of it", name, names(columns, " or "))
		case op != ":" || !strings.HasPrefix(value, ":") && !strings.HasPrefix(value, "//"):
			f.Remark = fmt.Sprintf("no column %q: %s", name, names(t.Shown(), ", "))
		}
	}
	return contains(t, w), nil
}

func names(columns []Column, between string) string {
	var all []string
	for _, c := range columns {
		all = append(all, c.Name)
	}
	return strings.Join(all, between)
}

// split cuts a word into a column, an operator and a value; the operator is ""
// when the word has none.
func split(w string) (name, op, value string) {
	at := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' })
	if at <= 0 {
		return "", "", ""
	}
	name, rest := w[:at], w[at:]
	rest, colon := strings.CutPrefix(rest, ":")
	for _, o := range []string{">=", "<=", ">", "<", "="} {
		if value, ok := strings.CutPrefix(rest, o); ok {
			return name, o, value
		}
	}
	if !colon {
		return "", "", ""
	}
	return name, ":", rest
}

// expression compiles a regular expression between slashes; the last slash may
// be missing yet. It is nil for an empty one.
func expression(w string) (*regexp.Regexp, error) {
	body := strings.TrimPrefix(w, "/")
	if strings.HasSuffix(body, "/") && !strings.HasSuffix(body, `\/`) {
		body = strings.TrimSuffix(body, "/")
	}
	if body == "" {
		return nil, nil
	}
	re, err := regexp.Compile("(?i)" + strings.ReplaceAll(body, `\/`, "/"))
	if err != nil {
		return nil, fmt.Errorf("not a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}

func anywhere(t Table, holds func(string) bool) func(int) bool {
	return func(row int) bool {
		for _, c := range t.Columns {
			if v := c.Value(row); holds(v.Text) || v.Alias != "" && holds(v.Alias) {
				return true
			}
		}
		return false
	}
}

// contains looks for a text in every column. Digits may be grouped.
func contains(t Table, w string) func(int) bool {
	want := strings.ToLower(unquote(w))
	if want == "" {
		return nil
	}
	digits := ungroup(want)
	return anywhere(t, func(v string) bool {
		v = strings.ToLower(v)
		return strings.Contains(v, want) || digits != want && strings.Contains(v, digits)
	})
}

func unquote(s string) string { return strings.ReplaceAll(s, `"`, "") }

// ungroup takes the commas and underscores out of a number.
func ungroup(s string) string {
	plain := strings.NewReplacer(",", "", "_", "").Replace(s)
	if plain == "" || strings.Trim(plain, "0123456789") != "" {
		return s
	}
	return plain
}

// compare parses what follows the name of a column.
func (c Column) compare(op, value string) (func(int) bool, error) {
	if op == ":" && strings.HasPrefix(value, "/") {
		re, err := expression(value)
		if err != nil || re == nil {
			return nil, err
		}
		return c.text(re.MatchString), nil
	}
	if op != "=" && value == "" {
		return nil, nil // not typed to its end
	}
	if c.Holds != nil {
		return c.Holds(unquote(value))
	}
	if c.Kind == Text {
		return c.compareText(op, unquote(value))
	}
	return c.compareNumber(op, unquote(value))
}

// text returns what tests the value of a column, and what else it is found by.
func (c Column) text(holds func(string) bool) func(int) bool {
	return func(row int) bool {
		v := c.Value(row)
		return holds(v.Whole()) || v.Alias != "" && holds(v.Alias)
	}
}

func (c Column) compareText(op, value string) (func(int) bool, error) {
	value = strings.ToLower(value)
	switch op {
	case ":":
		one := strings.Split(value, ",")
		return c.text(func(s string) bool {
			s = strings.ToLower(s)
			return strings.Contains(s, value) || slices.ContainsFunc(one, func(w string) bool { return w != "" && strings.Contains(s, w) })
		}), nil
	case "=":
		return c.text(func(s string) bool { return strings.ToLower(s) == value }), nil
	}
	return nil, fmt.Errorf("%s holds text, not numbers: %s:%s finds it", c.Name, c.Name, value)
}

func (c Column) compareNumber(op, value string) (func(int) bool, error) {
	if value == "" { // what is not known
		return func(row int) bool { return c.Value(row).Whole() == "" }, nil
	}
	if low, high, ok := strings.Cut(value, ".."); ok && op == ":" {
		return c.between(low, high)
	}
	want, err := c.operand(value)
	if err != nil {
		return nil, err
	}
	above := op == ">" || op == ">="
	return func(row int) bool {
		have, ok := c.number(row, above)
		if !ok {
			return false
		}
		switch op {
		case ">":
			return have > want
		case ">=":
			return have >= want
		case "<":
			return have < want
		case "<=":
			return have <= want
		}
		return have == want
	}, nil
}

// between passes the numbers from low to high; either may be left out.
func (c Column) between(low, high string) (func(int) bool, error) {
	var least, most float64
	var err error
	if low != "" {
		if least, err = c.operand(low); err != nil {
			return nil, err
		}
	}
	if high != "" {
		if most, err = c.operand(high); err != nil {
			return nil, err
		}
	}
	return func(row int) bool {
		have, ok := c.number(row, high == "")
		return ok && (low == "" || have >= least) && (high == "" || have <= most)
	}, nil
}

// number returns the number of a row; where a part of it will do, what it is at least.
func (c Column) number(row int, part bool) (float64, bool) {
	v := c.Value(row)
	if part {
		return number(v.Text)
	}
	return number(v.Whole())
}

// operand reads a number as the user types it: 3,807,944, 2.5k, 1M, and for an
// age 90s, 5m, 2h, 3d.
func (c Column) operand(s string) (float64, error) {
	if c.Kind == Age {
		if days, ok := strings.CutSuffix(s, "d"); ok {
			if n, ok := number(days); ok {
				return n * 86400, nil
			}
		}
		if d, err := time.ParseDuration(s); err == nil {
			return d.Seconds(), nil
		}
	}
	digits, factor := strings.NewReplacer(",", "", "_", "").Replace(s), 1.0
	switch {
	case c.Kind == Age:
	case strings.HasSuffix(digits, "k"):
		digits, factor = strings.TrimSuffix(digits, "k"), 1e3
	case strings.HasSuffix(digits, "M"):
		digits, factor = strings.TrimSuffix(digits, "M"), 1e6
	}
	if n, ok := number(digits); ok {
		return n * factor, nil
	}
	example := ">5, 3..7 or 2k"
	if c.Kind == Age {
		example = "<90s, >5m or 1h..2h"
	}
	return 0, fmt.Errorf("%q is not a number: want %s:%s", s, c.Name, example)
}

func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
}
