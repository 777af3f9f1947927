package list

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestTypingAFilter(t *testing.T) {
	letters := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	enter, esc, back := tea.KeyMsg{Type: tea.KeyEnter}, tea.KeyMsg{Type: tea.KeyEsc}, tea.KeyMsg{Type: tea.KeyBackspace}
	for name, c := range map[string]struct {
		keys   []tea.KeyMsg
		want   string
		typing bool
	}{
		"letters are text":            {[]tea.KeyMsg{letters("a"), letters("q")}, "oldaq", true},
		"backspace takes one away":    {[]tea.KeyMsg{back}, "ol", true},
		"enter keeps it":              {[]tea.KeyMsg{letters("x"), enter}, "oldx", false},
		"esc brings the old one back": {[]tea.KeyMsg{letters("x"), back, back, esc}, "old", false},
		"ctrl+u empties it":           {[]tea.KeyMsg{{Type: tea.KeyCtrlU}}, "", true},
		"a space is text":             {[]tea.KeyMsg{{Type: tea.KeySpace, Runes: []rune(" ")}}, "old ", true},
	} {
		t.Run(name, func(t *testing.T) {
			var f Filter
			f.Set("old")
			f.Begin()
			for _, k := range c.keys {
				f.Key(k)
			}
			if f.Query() != c.want || f.Typing() != c.typing {
				t.Errorf("got %q, typing %v", f.Query(), f.Typing())
			}
		})
	}
}
