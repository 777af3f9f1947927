package term

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Attention says how the terminal calls a user who looks elsewhere.
type Attention string

// The ways to call: with a notification of the desktop and in the title of the
// window besides the bell, with the bell alone, or not at all.
const (
	CallLoud Attention = "all"
	CallBell Attention = "bell"
	CallOff  Attention = "off"
)

// ParseAttention reads a way to call; "" is CallLoud.
func ParseAttention(s string) (Attention, error) {
	switch a := Attention(s); a {
	case CallLoud, CallBell, CallOff:
		return a, nil
	case "":
		return CallLoud, nil
	}
	return "", fmt.Errorf("%q is no way to call: all, bell and off are", s)
}

// CallRequest is the message of [Call].
type CallRequest struct {
	Way  Attention
	Text string // "" ends the call
}

// Call asks for the user's eyes, with a text that says why: the bell, and a
// notification by OSC 9 and OSC 777, of which a terminal knows one or none. The
// text stays in the title of the window until a call with an empty text, or the
// end of the program, gives the title back.
func Call(way Attention, text string) tea.Cmd {
	return func() tea.Msg { return CallRequest{way, text} }
}

// Sequences of the title: it is saved, set, and given back.
const (
	saveTitle = "\x1b[22;2t"
	giveTitle = "\x1b[23;2t"
)

// mostCalled bounds the text of a call, in bytes.
const mostCalled = 200

// call returns the sequence of a call and notes whether the title is changed.
func (r *root) call(c CallRequest) string {
	text := harmless(c.Text)
	switch {
	case text == "" && r.titled:
		r.titled = false
		return giveTitle
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
