package form

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// choose returns which of some options a key chooses where one is chosen now, -1 for none,
// and reports whether it is a key that chooses. A letter goes to the next option that begins
// with it.
func choose(options []string, now int, msg tea.KeyMsg) (to int, chooses bool) {
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
