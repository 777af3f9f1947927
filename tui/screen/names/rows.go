package names

import (
	"strconv"

	"chainscope/tui/resource"
	"chainscope/tui/screen/names/find"
)

// The rows of the list are all names, or what the search found.

// Len returns how many there are.
func (s *Screen) Len() int {
	switch f := s.search.shown(); {
	case f.rows != nil:
		return len(f.rows)
	case f.query != "":
		return f.hits.Len()
	}
	if c, ok := s.names.Get(); ok {
		return c.list.Len()
	}
	return 0
}

// index returns the place of a row among all names.
func (s *Screen) index(i int) int {
	switch f := s.search.shown(); {
	case f.rows != nil:
		return f.rows[i]
	case f.query != "":
		return f.hits.At(i)
	}
	return i
}

// name returns the name of a row, as it came.
func (s *Screen) name(i int) string {
	if f := s.search.shown(); f.query != "" {
		return f.text.At(s.index(i))
	}
	c, _ := s.names.Get()
	return c.list.At(i)
}

// RowWords returns empty: what a search finds is counted by FoundWords.
func (s *Screen) RowWords() string { return "" }

// ID returns the place among all names.
func (s *Screen) ID(i int) string { return strconv.Itoa(s.index(i)) }

// Item returns the name of a row as lists have it, with what was searched for in it.
func (s *Screen) Item(i int) (resource.Name, bool) {
	query := s.search.query
	return resource.Name{Name: s.name(i), Position: s.index(i) + 1, Found: func(drawn string) (from, to int) { return find.Highlight(drawn, query) }}, true
}
