package keymap

import "github.com/charmbracelet/bubbles/key"

// Fixed returns the keys in boxes, panels and dialogs, which cannot be changed.
func Fixed() []Section {
	section := func(title string, keys ...string) Section {
		s := Section{Title: title}
		for i := 0; i < len(keys); i += 2 {
			b := key.NewBinding(key.WithHelp(keys[i], keys[i+1]))
			s.Entries = append(s.Entries, Entry{Binding: &b})
		}
		return s
	}
	return []Section{
		section("Menus and boxes", "↑ ↓", "move, or scroll", "pgup pgdn", "a page", "enter", "choose; so does the letter of a line", "esc", "close"),
		section("Mock panel", "m", "mine a block", "n", "mine 10 blocks", "s", "take a snapshot", "u", "undo", "r", "redo", "o", "replace 2 blocks",
			"h", "an hour later", "d", "a day later", "f", "stop or start the clock", "c", "canned answers", "x", "reset",
			"1 2 3 4 5 6 7", "scenario: healthy, slow, flaky, limited, down, corrupt, reorg"),
		section("How often (F)", "← →", "another column", "enter", "show the rows of a value"),
		section("Two things side by side (C)", "d", "only the fields that differ", "s", "swap the two"),
		section("Approval", "a", "approve, or allow", "esc enter d", "reject", "b", "block the origin", "e", "edit fee and nonce", "p", "post-conditions of the forecast", "f", "forecast on a live chain", "r tab", "raw parts", "y", "copy"),
		section("Lines of text", "ctrl+a ctrl+e", "start and end", "ctrl+u ctrl+k", "delete to the start, to the end", "ctrl+w", "delete a word"),
	}
}
