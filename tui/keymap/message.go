package keymap

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// named are the keys that have a name of several letters, as bubbletea calls them.
var named = func() map[string]tea.KeyType {
	keys := map[string]tea.KeyType{}
	for k := tea.KeyType(-100); k <= 127; k++ {
		if name := k.String(); len(name) > 1 && k != tea.KeyRunes {
			keys[name] = k
		}
	}
	return keys
}()

// arrows are keys as help writes them.
var arrows = strings.NewReplacer("↑", "up", "↓", "down", "←", "left", "→", "right")

// Message returns what a terminal sends for a key that has the name in a binding or in a
// hint. What is no such name are letters that come at once.
func Message(name string) tea.KeyMsg {
	if rest, found := strings.CutPrefix(name, "alt+"); found {
		k := Message(rest)
		k.Alt = true
		return k
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if k, found := named[arrows.Replace(name)]; found {
		return tea.KeyMsg{Type: k}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
