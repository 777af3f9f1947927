package browser

import (
	"strings"

	"chainscope/tui/query"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// Table returns the rows that can be sorted and counted; false when there is no
// list now.
func (f *Frame) Table() (query.Table, bool) {
	t := f.place.Listing()
	return t, len(t.Columns) > 0
}

// Order returns how the rows are sorted.
func (f *Frame) Order() query.Order { return f.order }

// SortBy sorts the rows and goes to the first.
func (f *Frame) SortBy(o query.Order) tea.Cmd {
	f.order = o
	f.Enter(false)
	cmd := f.narrowed()
	f.List.First()
	return tea.Batch(cmd, f.Changed())
}

// Arranged reports whether a filter or an order is in force.
func (f *Frame) Arranged() bool { return f.filter.query != "" || f.order.Column != "" }

// Passing returns the rows of the table that the filter leaves, in the order in
// force.
func (f *Frame) Passing(t query.Table) []int {
	filter, _ := f.Understand(t)
	rows := query.Select(t, filter, f.order)
	f.filter.found = len(rows)
	return rows
}

// Understand reads the filter in force; false when it cannot be applied, which
// the user is notified.
func (f *Frame) Understand(t query.Table) (*query.Filter, bool) {
	rest, err := f.place.Rest(f.filter.query)
	var filter *query.Filter
	if err == nil {
		filter, err = query.Parse(rest, t)
	}
	f.filter.wrong, f.filter.remark = err, ""
	if filter != nil {
		f.filter.remark = filter.Remark
	}
	return filter, err == nil
}

// Arrange applies filter and order to the rows as they are now. A screen calls
// it when its rows are others.
func (f *Frame) Arrange() {
	f.filter.wrong, f.filter.remark = nil, ""
	if !f.Arranged() {
		f.place.ShowRows(nil)
		return
	}
	f.place.ShowRows(f.Passing(f.place.Listing()))
}

// orderMark says in which direction the rows are sorted.
func (f *Frame) orderMark() string {
	if f.order.Descending {
		return f.Theme.Glyphs.Down
	}
	return f.Theme.Glyphs.Up
}

// columnsLine marks the column that the rows are sorted by in the line of the columns'
// names: in the gap before its name.
func (f *Frame) columnsLine(width int) string {
	line := f.place.Columns(width)
	if f.order.Column == "" {
		return line
	}
	t, ok := f.Table()
	if !ok {
		return line
	}
	if c, ok := t.Find(f.order.Column); ok && c.Head != "" {
		line = strings.Replace(line, " "+c.Head, f.orderMark()+c.Head, 1)
	}
	return text.Clip(line, width)
}

// Joined shows rows that came or went. At the top of the list new rows come into view;
// elsewhere everything stays where it is.
func (f *Frame) Joined(show func()) {
	before := f.List.Place()
	show()
	if after := f.List.Place(); before.Top == 0 && after.Top > 0 {
		after.Top = 0
		f.List.Restore(after)
	}
}
