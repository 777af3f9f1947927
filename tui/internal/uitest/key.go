package uitest

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

// Key returns the message of a key by the name that the key map has for it. What is no
// such name are letters that come at once.
func Key(name string) tea.KeyMsg {
	if rest, found := strings.CutPrefix(name, "alt+"); found {
		k := Key(rest)
		k.Alt = true
		return k
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if k, found := named[name]; found {
		return tea.KeyMsg{Type: k}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
