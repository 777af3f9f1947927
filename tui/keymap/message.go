package keymap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

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

// Key returns a key as bindings have it, by the name that the user gave it: one
// character, or the name of a key, also with alt+.
func Key(name string) (string, error) {
	if plain := strings.ReplaceAll(name, "space", " "); isKey(plain) {
		return plain, nil
	}
	if lower := strings.ToLower(name); lower != name && isKey(lower) {
		return "", fmt.Errorf("there is no key %q: write %q", name, lower)
	}
	return "", fmt.Errorf("there is no key %q: want a character such as q or ?, or a name such as ctrl+l, alt+x, enter, tab, space, up, pgdown, f5", name)
}

func isKey(name string) bool {
	name = strings.TrimPrefix(name, "alt+")
	_, found := named[name]
	r, size := utf8.DecodeRuneInString(name)
	return found || size > 0 && size == len(name) && r != utf8.RuneError && unicode.IsPrint(r)
}

// Message returns what a terminal sends for a key, by its name in a binding or a hint. Any
// other text counts as letters that arrive together.
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
