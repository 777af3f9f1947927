// Package field draws what the forms have in common: the button, a choice, the words below
// a field, and which of its options a key chooses.
package field

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Button draws the button of a form, which a key sends from anywhere.
func Button(th *theme.Theme, label string, focused bool, send key.Binding) string {
	label = "[ " + label + " ]"
	if focused {
		return th.Cursor.Render(label) + "  " + th.Muted.Render("enter")
	}
	return th.Strong.Render(label) + "  " + placeholder.Hint(th, send, "from anywhere")
}

// Choice draws what is chosen in a field that has the cursor.
func Choice(th *theme.Theme, word string) string {
	return th.Cursor.Render("< "+word+" >") + "  " + th.Muted.Render("space or arrows choose")
}

// maxUnder is how many lines stand below a field.
const maxUnder = 2

// Under draws words below a field, after some cells.
func Under(style theme.Style, words string, indent, width int) []string {
	pad := strings.Repeat(" ", indent)
	lines := text.Block(words, max(8, width-indent-1))
	out := make([]string, min(len(lines), maxUnder))
	for i := range out {
		out[i] = text.Clip(pad+style.Render(lines[i]), width)
	}
	return out
}

// Choose returns which of some options a key chooses where one is chosen now, -1 for none,
// and reports whether it is a key that chooses. A letter goes to the next option that begins
// with it.
func Choose(options []string, now int, msg tea.KeyMsg) (to int, chooses bool) {
	n := len(options)
	switch {
	case n == 0:
		return now, false
	case msg.String() == "left":
		return (max(now, 0) + n - 1) % n, true
	case msg.String() == "right", msg.Type == tea.KeySpace, msg.String() == " ":
		return (now + 1) % n, true
	case msg.Type == tea.KeyBackspace:
		return 0, true
	case msg.Type != tea.KeyRunes:
		return now, false
	}
	for i := 1; i <= n; i++ {
		at := (max(now, 0) + i) % n
		if strings.HasPrefix(strings.ToLower(options[at]), strings.ToLower(string(msg.Runes))) {
			return at, true
		}
	}
	return now, true
}
