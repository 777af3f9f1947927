package term

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Attention describes how the terminal alerts a user who looks elsewhere.
type Attention string

// The ways to alert: the bell with a desktop notification and the window title, the bell
// alone, or not at all.
const (
	CallLoud Attention = "all"
	CallBell Attention = "bell"
	CallOff  Attention = "off"
)

// ParseAttention reads a way to alert; "" is CallLoud.
func ParseAttention(s string) (Attention, error) {
	switch a := Attention(s); a {
	case CallLoud, CallBell, CallOff:
		return a, nil
	case "":
		return CallLoud, nil
	}
	return "", fmt.Errorf("unknown way to alert %q; use all, bell or off", s)
}

// CallRequest is the message of [Call].
type CallRequest struct {
	Way  Attention
	Text string // "" ends the call
}

// Call alerts the user with a text that says why: the bell, and a notification by OSC 9 and
// OSC 777, of which a terminal reads one or none. The text stays in the window title until a
// call with an empty text, or the end of the program, restores the title.
func Call(way Attention, text string) tea.Cmd {
	return func() tea.Msg { return CallRequest{way, text} }
}

// Sequences that save the window title and restore it.
const (
	saveTitle    = "\x1b[22;2t"
	restoreTitle = "\x1b[23;2t"
)

// mostCalled is the greatest length of the text, in bytes.
const mostCalled = 200

// call returns the sequence of a call and notes whether the title is changed.
func (r *root) call(c CallRequest) string {
	text := harmless(c.Text)
	switch {
	case text == "" && r.titled:
		r.titled = false
		return restoreTitle
	case text == "" || c.Way == CallOff:
		return ""
	case c.Way == CallBell:
		return "\a"
	}
	out := "\a\x1b]9;" + text + "\a\x1b]777;notify;chainscope;" + text + "\a"
	if !r.titled {
		r.titled = true
		out += saveTitle
	}
	return out + "\x1b]2;chainscope: " + text + "\a"
}

// harmless keeps what cannot end a sequence or begin another: printable
// characters without the semicolon.
func harmless(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ','
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return -1
		}
		return r
	}, text)
	return strings.ToValidUTF8(text[:min(len(text), mostCalled)], "")
}
