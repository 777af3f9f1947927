package uitest

import (
	"chainscope/tui/keymap"

	tea "github.com/charmbracelet/bubbletea"
)

// Key returns the message of a key by the name that the key map has for it. What is no
// such name are letters that come at once.
func Key(name string) tea.KeyMsg { return keymap.Message(name) }
