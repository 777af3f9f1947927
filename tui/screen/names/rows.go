package names

import (
	"strconv"

	"chainscope/tui/resource"
	"chainscope/tui/screen/names/find"
)

// rows are the names that the list shows: all, or what the search found.
type rows struct{ s *Screen }

// Len is how many there are.
func (r rows) Len() int {
	switch f := r.s.search.shown(); {
	case f.rows != nil:
		return len(f.rows)
	case f.query != "":
		return f.hits.Len()
	}
	if c, ok := r.s.names.Get(); ok {
		return c.list.Len()
	}
	return 0
}

// index is the place of a row among all names.
func (r rows) index(i int) int {
	switch f := r.s.search.shown(); {
	case f.rows != nil:
		return f.rows[i]
	case f.query != "":
		return f.hits.At(i)
	}
	return i
}

// name is the name of a row, as it came.
func (r rows) name(i int) string {
	if f := r.s.search.shown(); f.query != "" {
		return f.text.At(r.index(i))
	}
	c, _ := r.s.names.Get()
	return c.list.At(i)
}

// ID is the place among all names.
func (r rows) ID(i int) string { return strconv.Itoa(r.index(i)) }

// named is the name of a row as lists know it.
func (r rows) named(i int) resource.Name {
	query := r.s.search.query
	return resource.Name{Name: r.name(i), Position: r.index(i) + 1, Found: func(drawn string) (from, to int) { return find.Highlight(drawn, query) }}
}

// Row draws the name, what was searched for in it, and its place.
func (r rows) Row(i, width int) string { return r.s.columns.Row(r.named(i), width, r.s.Theme) }

// Tail is nothing: a row does not change by itself.
func (r rows) Tail(int) string { return "" }
