package list

import (
	tea "github.com/charmbracelet/bubbletea"

	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// maxQuery is the longest filter, in characters.
const maxQuery = 200

// Filter is the line in which a filter is typed.
type Filter struct {
	query  []rune
	before []rune // to go back to on esc
	typing bool
}

// Begin starts typing.
func (f *Filter) Begin() {
	f.typing = true
	f.before = append([]rune(nil), f.query...)
}

// Set puts a query in place, as if typed and entered.
func (f *Filter) Set(query string) { f.query, f.typing = []rune(query), false }

// Query is the text of the filter, also while it is typed.
func (f *Filter) Query() string { return string(f.query) }

// Typing reports whether keys are text.
func (f *Filter) Typing() bool { return f.typing }

// Key takes a key while typing and reports whether the query changed: enter
// keeps it, esc brings the one before back.
func (f *Filter) Key(msg tea.KeyMsg) (changed bool) {
	switch msg.Type {
	case tea.KeyEnter:
		f.typing = false
	case tea.KeyEsc:
		changed = string(f.query) != string(f.before)
		f.query, f.typing = f.before, false
	case tea.KeyBackspace:
		if len(f.query) > 0 {
			f.query, changed = f.query[:len(f.query)-1], true
		}
	case tea.KeyCtrlU:
		changed = len(f.query) > 0
		f.query = nil
	case tea.KeyRunes, tea.KeySpace:
		if !msg.Alt && len(f.query)+len(msg.Runes) <= maxQuery {
			f.query, changed = append(f.query, msg.Runes...), true
		}
	}
	return changed
}

// Line draws the filter; "" when there is none.
func (f *Filter) Line(width int, th *theme.Theme) string {
	if !f.typing && len(f.query) == 0 {
		return ""
	}
	if !f.typing {
		return text.Clip(th.Muted.Render("filter ")+th.Match.Render(text.Truncate(f.Query(), max(1, width-7))), width)
	}
	return text.Clip(th.Key.Render("/")+text.Truncate(f.Query(), max(1, width-2))+th.Cursor.Render(" "), width)
}
