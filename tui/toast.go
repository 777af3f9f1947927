package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// toastTime is how long a notice stays.
const toastTime = 4 * time.Second

// toasts is the notice in the status line. The newest one wins; a bad one stays
// until a key is pressed.
type toasts struct {
	text   string // untrusted
	bad    bool
	until  time.Time
	sticky bool
}

func (t *toasts) show(text string, bad bool, now time.Time) tea.Cmd {
	t.text, t.bad, t.until, t.sticky = text, bad, now.Add(toastTime), bad
	return nil
}

func (t *toasts) expire(now time.Time) {
	if t.text != "" && !now.Before(t.until) && !t.sticky {
		t.text = ""
	}
}

// seen is told that a key was pressed.
func (t *toasts) seen() {
	if t.sticky {
		t.text, t.sticky = "", false
	}
}
