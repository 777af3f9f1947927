package browser

import (
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/widget/detail"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Typing reports whether keys are text.
func (f *Frame) Typing() bool { return f.filter.typing }

// Key handles a key and reports whether it was one of the place's.
func (f *Frame) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	f.back = nil
	if f.filter.typing {
		return f.filterKey(msg)
	}
	if cmd, ok := f.place.OwnKey(msg); ok {
		return cmd, true
	}
	k := f.Env.Keys
	switch {
	case key.Matches(msg, k.Global.Up):
		return f.Close(msg)
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		f.Enter(!f.InDetail)
		return f.moved(), true
	case key.Matches(msg, k.List.Filter) && f.place.Filters():
		return f.beginFilter(), true
	}
	if cmd, ok := f.splitKey(msg); ok {
		return cmd, true
	}
	if f.InDetail {
		return f.detailKey(msg)
	}
	return f.listKey(msg)
}

// splitKey handles the keys that change how list and detail share the screen.
func (f *Frame) splitKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	g := f.Env.Keys.Global
	switch {
	case f.split.Key(msg, f.Env.Keys, f.Width, f.Height-f.headLines()):
		if f.split.ListAlone() {
			f.InDetail = false
		}
		if f.split.DetailAlone() && f.described != "" {
			f.InDetail = true
		}
	case key.Matches(msg, g.Density):
		f.split.Compact = !f.split.Compact
	case key.Matches(msg, g.Context) && f.Width < screen.ContextWidth:
		return screen.Notice("The third column needs a window of 170 columns."), true
	case key.Matches(msg, g.Context):
		f.nextThird()
	default:
		return nil, false
	}
	f.Layout()
	return f.moved(), true
}

func (f *Frame) listKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if key.Matches(msg, f.Env.Keys.List.Open) {
		return f.place.OpenRow(), true
	}
	if !f.List.Key(msg) {
		return nil, false
	}
	return f.moved(), true
}

func (f *Frame) detailKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !key.Matches(msg, f.Env.Keys.Detail.Follow) {
		return nil, f.Detail.Key(msg)
	}
	if row, ok := f.Detail.Cursor(); ok {
		return f.follow(row), true
	}
	return nil, true
}

// follow does what enter does on a row of a detail; nil when that is nothing.
func (f *Frame) follow(row detail.Row) tea.Cmd {
	switch {
	case row.Do != nil:
		return row.Do()
	case row.To != nil:
		return f.Env.Visit(*row.To)
	case row.URL != "":
		return screen.Notice("This is a page of the web explorer: o opens it, y copies the text.")
	}
	return nil
}

// Close closes what is open, the innermost first: the detail, what is waited
// for, the filter. Only esc does more than leave the detail.
func (f *Frame) Close(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case f.InDetail && f.place.Leaves():
		return nil, false
	case f.InDetail && msg.Type == tea.KeyEsc && f.place.Cancel():
		return nil, true
	case f.InDetail:
		f.Enter(false)
		return f.moved(), true
	case msg.String() != "esc":
		return nil, false
	case f.place.Cancel():
		return nil, true
	case f.filter.query != "":
		return f.Narrow(""), true
	case f.order.Column != "":
		return f.SortBy(query.Order{}), true
	}
	return nil, false
}

// Click puts the cursor on the row under the mouse, in list or detail, and gives that
// pane the keys. A row that has the cursor is opened; a link of the detail at once.
func (f *Frame) Click(x, y int) tea.Cmd {
	f.back = nil
	y -= f.headLines()
	if y < 0 || f.instead() {
		return nil
	}
	switch list, detail := f.area.List, f.area.Detail; {
	case list.Has(x, y):
		before, had := f.List.Cursor()
		again := had && !f.InDetail
		if !f.List.ClickRow(y - list.Y - 1) { // below the names of the columns
			return nil
		}
		f.Enter(false)
		if now, _ := f.List.Cursor(); again && now == before {
			return f.place.OpenRow()
		}
		return f.moved()
	case detail.Has(x, y) && f.described != "" && f.inPlaceOfDetail(f.Env.Now()) == nil:
		again, before := f.InDetail, f.Detail.Place().Cursor
		if !f.Detail.ClickLine(y - detail.Y) {
			return nil
		}
		f.Enter(true)
		if row, ok := f.Detail.Cursor(); ok && (row.To != nil || again && f.Detail.Place().Cursor == before) {
			return f.follow(row)
		}
	}
	return nil
}
