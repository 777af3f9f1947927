package browser

import (
	"chainscope/tui/text"
	"chainscope/tui/widget/line"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// filter is the line in which a filter is typed.
type filter struct {
	line   line.Line
	query  string // what is in force
	typing bool
	found  int    // how many rows it leaves
	remark string // what the user should know about it
	wrong  error  // why it cannot be applied
}

// Query returns the filter in force, also while it is typed.
func (f *Frame) Query() string { return f.filter.query }

// SetQuery puts a filter in force that is applied already, or is applied with
// the rows to come.
func (f *Frame) SetQuery(query string) { f.filter.query, f.filter.typing = query, false }

// Reset puts filter and order of a state in force, as SetQuery does.
func (f *Frame) Reset(s State) {
	f.back = nil
	f.SetQuery(s.Query)
	f.order = s.Order
}

// Narrow applies a filter.
func (f *Frame) Narrow(query string) tea.Cmd {
	f.SetQuery(query)
	return tea.Batch(f.narrowed(), f.place.FilterEntered())
}

// beginFilter starts typing, with an empty line.
func (f *Frame) beginFilter() tea.Cmd {
	f.Enter(false)
	f.filter.typing = true
	f.filter.line.SetValue("")
	if f.filter.query == "" {
		return nil
	}
	f.filter.query = ""
	return f.narrowed()
}

func (f *Frame) narrowed() tea.Cmd {
	f.filter.wrong, f.filter.remark = nil, ""
	cmd, own := f.place.FilterBy(f.filter.query)
	if !own {
		f.Arrange()
	}
	return tea.Batch(cmd, f.Changed())
}

// filterKey handles a key while a filter is typed: enter keeps it, esc clears
// it and closes an empty line, what the line does not need moves in the list.
func (f *Frame) filterKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	t := &f.filter
	if msg.Type == tea.KeyTab {
		t.typing = false
		return f.place.FilterEntered(), true
	}
	switch t.line.Key(msg) {
	case line.Accepted, line.Closed:
		t.typing = false
		return f.place.FilterEntered(), true
	case line.Changed:
		t.query = t.line.Value()
		return f.narrowed(), true
	case line.Ignored:
		if !f.List.Key(msg) {
			return nil, false
		}
		return f.moved(), true
	}
	return nil, true
}

// filterLine draws the filter that is typed or in force and the order of the
// rows, with how much is left; "" when there is neither.
func (f *Frame) filterLine() string {
	th, t := f.Theme, &f.filter
	if !t.typing && t.query == "" && f.order.Column == "" {
		return ""
	}
	room := max(8, f.Width/3)
	out := " "
	switch {
	case t.typing:
		out += th.Key.Render("/") + " " + t.line.View(th, room, true) + "   "
	case t.query != "":
		out += th.Key.Render("/") + " " + th.Match.Render(text.TruncateWith(t.query, room, th.Glyphs.Ellipsis)) + "   "
	}
	out += f.foundWords()
	if f.order.Column != "" {
		out += "   " + th.Accent.Render(f.orderMark()+" "+text.Line(f.order.Column))
	}
	if !t.typing {
		out += "   " + placeholder.HintOf(th, "esc", "clears")
	} else if t.line.Empty() {
		out += "   " + th.Muted.Render(f.place.FilterHint())
	}
	return out
}

// foundWords returns how much a filter leaves, or what is wrong with it.
func (f *Frame) foundWords() string {
	th, t := f.Theme, &f.filter
	var words string
	rows := f.place.RowWords()
	switch {
	case t.wrong != nil:
		return th.Bad.Render(text.Line(t.wrong.Error()))
	case rows == "":
		words = f.place.FoundWords()
	case t.query == "":
		words = rows
	default:
		words = text.Count(t.found) + " of " + rows
	}
	if t.remark != "" {
		words += "   " + t.remark
	}
	return th.Muted.Render(text.Line(words))
}
