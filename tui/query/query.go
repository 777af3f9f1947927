// Package query understands what is typed to filter a list, and sorts and counts
// its rows. It uses columns and their values only: it must not import a screen,
// a widget or the root model.
//
// A filter is words, and a row passes when all of them hold:
//
//	word  "two words"    is in some column
//	/regex/              matches some column, as Go's regexp has it
//	column:word          is in that column; in a column of numbers, equals it
//	column:word,word     is one of them in that column
//	column:=word         is the whole of that column
//	column:/regex/       matches that column
//	column:>5  column<=9k  column:3..7
//	!word                does not hold
//
// Letters may be capital or not. Columns may be shortened while one fits.
package query

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Kind describes how the values of a column are compared.
type Kind int

// The kinds of columns.
const (
	Text   Kind = iota
	Number      // decimal, of any length
	Age         // seconds, typed as 90s, 5m, 2h or 3d
)

// Column is one thing that is known of each row.
type Column struct {
	Name string // one word, as it is typed before the colon
	Head string // how the list heads it, "" where the list does not show it
	Kind Kind
	// Hidden columns are only searched: lists of transaction ids, say.
	Hidden bool
	Value  func(row int) Value
	// Holds reads what is typed after the colon, nil for a column that is compared by its values.
	Holds func(typed string) (func(row int) bool, error)
}

// Value holds what a row has in a column.
type Value struct {
	Text string // "" for an unknown value
	// Alias is another text by which it is found.
	Alias string
	// AtLeast reports that the number was counted in part: it is this or more.
	AtLeast bool
}

// Whole returns the text of a value that is known in full, "" for any other.
func (v Value) Whole() string {
	if v.AtLeast {
		return ""
	}
	return v.Text
}

// Table is the rows of a list as a filter sees them.
type Table struct {
	Len     int
	Columns []Column
}

// Find returns the column of a name or of the beginning of one.
func (t Table) Find(name string) (Column, bool) {
	if all := t.meant(name); len(all) > 0 {
		return all[0], true
	}
	return Column{}, false
}

// meant returns the column of a name, else those whose names begin so.
func (t Table) meant(name string) []Column {
	name = strings.ToLower(name)
	var all []Column
	for _, c := range t.Columns {
		if c.Name == name {
			return []Column{c}
		}
		if name != "" && strings.HasPrefix(c.Name, name) {
			all = append(all, c)
		}
	}
	return all
}

// Shown returns the columns that can be sorted by and counted.
func (t Table) Shown() []Column {
	return slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return c.Hidden })
}

// Order describes how rows are sorted; no column leaves them as they are.
type Order struct {
	Column     string
	Descending bool
}

// The ranks of values in an order: known ones, those of which a part is known, others.
const (
	known = iota
	partial
	unknown
)

func (v Value) rank() int {
	switch {
	case v.Text == "":
		return unknown
	case v.AtLeast:
		return partial
	}
	return known
}

// Select returns the rows that pass a filter, in order: a number of which only a part is
// known is never among those that are known. The filter may be nil.
func Select(t Table, f *Filter, o Order) []int {
	rows := make([]int, 0, t.Len)
	for i := range t.Len {
		if f == nil || f.Match(i) {
			rows = append(rows, i)
		}
	}
	column, ok := t.Find(o.Column)
	if !ok {
		return rows
	}
	type keyed struct {
		row   int
		rank  int
		value string
		n     float64
	}
	keys := make([]*keyed, len(rows))
	for i, row := range rows {
		v := column.Value(row)
		n, _ := number(v.Text)
		keys[i] = &keyed{row, v.rank(), v.Text, n}
	}
	slices.SortStableFunc(keys, func(a, b *keyed) int {
		if a.rank != b.rank {
			return cmp.Compare(a.rank, b.rank)
		}
		by := 0
		if column.Kind != Text {
			by = cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(len(a.value), len(b.value)))
		}
		by = cmp.Or(by, strings.Compare(strings.ToLower(a.value), strings.ToLower(b.value)))
		if o.Descending {
			return -by
		}
		return by
	})
	for i, k := range keys {
		rows[i] = k.row
	}
	return rows
}

// Count is a value of a column and how many rows have it.
type Count struct {
	Value string
	Rows  int
}

// CountValues counts the values of a column in some rows, the most frequent
// first.
func CountValues(c Column, rows []int) []Count {
	counts := map[string]int{}
	for _, row := range rows {
		counts[c.Value(row).Whole()]++
	}
	out := make([]Count, 0, len(counts))
	for v, n := range counts {
		out = append(out, Count{v, n})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(len(a.Value), len(b.Value)), strings.Compare(a.Value, b.Value)) < 0
	})
	return out
}

// Is returns the filter of the rows whose column has exactly a value.
func Is(c Column, value string) string {
	if strings.ContainsAny(value, " \t\"/") || value == "" {
		value = `"` + strings.ReplaceAll(value, `"`, "") + `"`
	}
	return c.Name + ":=" + value
}
