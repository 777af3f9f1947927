package browser

import (
	"chainscope/tui/text"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
)

// filter is the line in which a filter is typed.
type filter struct {
	line   line.Line
	query  string // what is in force
	typing bool
}

func newFilter() filter { return filter{line: line.New()} }

// Query is the filter in force, also while it is typed.
func (f *Frame) Query() string { return f.filter.query }

// SetQuery puts a filter in force that is applied already.
func (f *Frame) SetQuery(query string) { f.filter.query, f.filter.typing = query, false }

// Narrow applies a filter.
func (f *Frame) Narrow(query string) tea.Cmd {
	f.SetQuery(query)
	return f.narrowed()
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
	cmd := f.parts.Filter(f.filter.query)
	return tea.Batch(cmd, f.Changed())
}

// filterKey handles a key while a filter is typed: enter keeps it, esc clears
// it and closes an empty line, what the line does not need moves in the list.
func (f *Frame) filterKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	t := &f.filter
	if msg.Type == tea.KeyTab {
		t.typing = false
		return nil, true
	}
	switch t.line.Key(msg) {
	case line.Accepted, line.Closed:
		t.typing = false
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

// filterLine draws the filter that is typed or in force, with how much it
// leaves; "" when there is none.
func (f *Frame) filterLine() string {
	th, t := f.Theme, &f.filter
	if !t.typing && t.query == "" {
		return ""
	}
	room := max(8, f.Width/3)
	out := " " + th.Key.Render("/") + " "
	if t.typing {
		out += t.line.View(th, room, true)
	} else {
		out += th.Match.Render(text.TruncateWith(t.query, room, th.Glyphs.Ellipsis))
	}
	if f.parts.Found != nil {
		if found := f.parts.Found(); found != "" {
			out += "   " + th.Muted.Render(found)
		}
	}
	if !t.typing {
		out += "   " + th.Key.Render("esc") + " " + th.Muted.Render("clears")
	}
	return out
}
