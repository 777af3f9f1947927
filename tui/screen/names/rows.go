package names

import (
	"strconv"

	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"
)

// rows are the names that the list shows: all, or what the search found.
type rows struct{ s *Screen }

// Len is how many there are.
func (r rows) Len() int {
	switch {
	case r.s.search.rows != nil:
		return len(r.s.search.rows)
	case r.s.search.answered != "":
		return r.s.search.hits.Len()
	}
	if c, ok := r.s.names.Get(); ok {
		return c.list.Len()
	}
	return 0
}

// index is the place of a row among all names.
func (r rows) index(i int) int {
	switch {
	case r.s.search.rows != nil:
		return r.s.search.rows[i]
	case r.s.search.answered != "":
		return r.s.search.hits.At(i)
	}
	return i
}

// name is the name of a row, as it came.
func (r rows) name(i int) string {
	if r.s.search.answered != "" {
		return r.s.search.text.At(r.index(i))
	}
	c, _ := r.s.names.Get()
	return c.list.At(i)
}

// ID is the place among all names.
func (r rows) ID(i int) string { return strconv.Itoa(r.index(i)) }

// Row draws the name, what was searched for in it, and its place.
func (r rows) Row(i, width int) string {
	th := r.s.Theme
	number := text.Count(r.index(i) + 1)
	room := width - len(number) - 1
	if room < 12 {
		room, number = width, ""
	}
	name := text.TruncateWith(r.name(i), room, th.Glyphs.Ellipsis)
	// The hit is looked for in what is drawn: cleaning may have moved it.
	from, to := find.Highlight(name, r.s.search.query)
	if to > len(name) {
		from, to = 0, 0
	}
	drawn := name[:from] + th.Match.Render(name[from:to]) + name[to:]
	return text.Fill(drawn, width-len(number)) + th.Muted.Render(number)
}

// Tail is nothing: a row does not change by itself.
func (r rows) Tail(int) string { return "" }
