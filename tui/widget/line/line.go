// Package line is the one editor of a line of text: filters, searches, the
// go-to box, every place where one line is typed behaves the same.
//
//	← → alt+b alt+f       move by a character or a word
//	home end ctrl+a ctrl+e  go to the start or the end
//	ctrl+u ctrl+k ctrl+w    delete to the start, to the end, a word
//	enter                   accept
//	esc                     clear the text; in an empty line, close
//
// Every other key, such as ↑ ↓ pgup pgdn and tab, belongs to the list below the
// line. Editing is done by bubbles' textinput. Drawing is not: what was typed or
// pasted is untrusted text, which only package text may turn into cells.
//
// It must not import apiclient or any screen.
package line

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// maxRunes limits how many characters a line holds. What exceeds it is not taken.
const maxRunes = 512

// Outcome holds what a key did.
type Outcome int

const (
	Ignored  Outcome = iota // the key is not one of the line's
	Moved                   // the cursor may have moved; the text is the same
	Changed                 // the text is another
	Accepted                // enter
	Closed                  // esc in an empty line
)

// Line is a plain struct: its owner passes it keys and draws it. Use New; the
// zero value takes no keys.
type Line struct{ input textinput.Model }

// New returns an empty line of at most maxRunes characters.
func New() Line {
	in := textinput.New()
	in.CharLimit = maxRunes
	in.KeyMap = keys
	in.Focus()
	return Line{in}
}

// keys are textinput's without those that read the clipboard, complete, or
// belong to the list below. Deleting the word after the cursor is left out, too:
// textinput v1.0.0 panics on it at the last character.
var keys = textinput.KeyMap{
	CharacterForward:        key.NewBinding(key.WithKeys("right", "ctrl+f")),
	CharacterBackward:       key.NewBinding(key.WithKeys("left", "ctrl+b")),
	WordForward:             key.NewBinding(key.WithKeys("alt+right", "ctrl+right", "alt+f")),
	WordBackward:            key.NewBinding(key.WithKeys("alt+left", "ctrl+left", "alt+b")),
	DeleteWordBackward:      key.NewBinding(key.WithKeys("alt+backspace", "ctrl+w")),
	DeleteAfterCursor:       key.NewBinding(key.WithKeys("ctrl+k")),
	DeleteBeforeCursor:      key.NewBinding(key.WithKeys("ctrl+u")),
	DeleteCharacterBackward: key.NewBinding(key.WithKeys("backspace", "ctrl+h")),
	DeleteCharacterForward:  key.NewBinding(key.WithKeys("delete", "ctrl+d")),
	LineStart:               key.NewBinding(key.WithKeys("home", "ctrl+a")),
	LineEnd:                 key.NewBinding(key.WithKeys("end", "ctrl+e")),
}

// edits reports whether a key is one of the editing keys.
func edits(msg tea.KeyMsg) bool {
	return key.Matches(msg, keys.CharacterForward, keys.CharacterBackward, keys.WordForward, keys.WordBackward,
		keys.DeleteWordBackward, keys.DeleteAfterCursor, keys.DeleteBeforeCursor,
		keys.DeleteCharacterBackward, keys.DeleteCharacterForward, keys.LineStart, keys.LineEnd)
}

// Value returns the text.
func (l *Line) Value() string { return l.input.Value() }

// Empty reports whether there is no text.
func (l *Line) Empty() bool { return l.input.Value() == "" }

// Position returns the place of the cursor, counted in characters.
func (l *Line) Position() int { return l.input.Position() }

// SetValue replaces the text and puts the cursor at its end.
func (l *Line) SetValue(s string) {
	l.input.SetValue(OneLine(s))
	l.input.CursorEnd()
}

// OneLine makes one line of several: breaks at the ends are dropped, others become blanks.
func OneLine(s string) string {
	s = strings.Trim(s, "\r\n")
	return strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(s)
}

// Key handles a key.
func (l *Line) Key(msg tea.KeyMsg) Outcome {
	before := l.input.Value()
	switch {
	case msg.Type == tea.KeyEnter:
		return Accepted
	case msg.Type == tea.KeyEsc:
		if before == "" {
			return Closed
		}
		l.input.Reset()
		return Changed
	case edits(msg):
	case (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt:
		msg.Runes = []rune(OneLine(string(msg.Runes)))
	default:
		return Ignored
	}
	l.input, _ = l.input.Update(msg)
	if l.input.Value() == before {
		return Moved
	}
	return Changed
}

// View draws the text in at most width cells. With focus the cursor is drawn
// and the text around it is in sight, however long the text is.
func (l *Line) View(th *theme.Theme, width int, focused bool) string {
	at := -1
	if focused {
		at = l.input.Position()
	}
	drawn, _, _ := Cells(th, []rune(l.input.Value()), width, at, -1, func(r rune) string { return text.Line(string(r)) })
	return drawn
}

// Cells draws a line of typed text in at most width cells: with the cursor before character
// at and the text around it in sight, or for -1 without a cursor. It returns how many cells
// it has, and the cell of the marked character, -1 for none. cell draws a character.
func Cells(th *theme.Theme, runes []rune, width, at, marked int, cell func(rune) string) (drawn string, used, mark int) {
	var b strings.Builder
	mark = -1
	for i := start(runes, at, width, cell); i <= len(runes); i++ {
		if i == len(runes) && i != at && i != marked {
			break
		}
		c := " "
		if i < len(runes) {
			c = cell(runes[i])
		}
		w := text.Width(c)
		if used+w > width {
			break
		}
		if i == marked {
			mark = used
		}
		style := th.Input
		if i == at {
			style = th.Cursor
		}
		if i < len(runes) || i == at {
			b.WriteString(style.Render(c))
			used += w
		}
	}
	return b.String(), used, mark
}

// start returns the first character to draw so that the cursor is in sight.
func start(runes []rune, at, width int, cell func(rune) string) int {
	if at < 0 {
		return 0
	}
	room := width - 1
	if at < len(runes) {
		room = width - text.Width(cell(runes[at]))
	}
	from := at
	for from > 0 {
		w := text.Width(cell(runes[from-1]))
		if w > room {
			break
		}
		room -= w
		from--
	}
	return from
}
