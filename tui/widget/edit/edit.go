// Package edit is a text editor: for one line of a form, or for many, as in a
// contract source. What is typed, pasted or read from a file is kept as it is,
// line feeds and hidden characters included, and only drawn harmlessly: what is
// signed holds what was put in. Texts of megabytes stay quick. It must not import
// apiclient or any screen.
package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
)

// maxRunes bounds a text; what exceeds it is not taken.
const maxRunes = 4 << 20

// Editor is a plain struct: its owner passes it keys and draws it.
type Editor struct {
	many  bool // enter breaks the line
	runes []rune
	at    int // the cursor is before this rune
	goal  int // the column that up and down keep to; -1 for none
	top   int // the first line in sight
	page  int // lines in sight
	full  bool
}

// New returns an empty editor. With many, enter begins a new line; without, it
// is left to the owner.
func New(many bool) *Editor { return &Editor{many: many, goal: -1, page: 1} }

// Value returns the text.
func (e *Editor) Value() string { return string(e.runes) }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool { return len(e.runes) == 0 }

// Full reports whether the last thing put in was cut at maxRunes.
func (e *Editor) Full() bool { return e.full }

// SetValue replaces the text and goes to its end.
func (e *Editor) SetValue(s string) {
	e.runes, e.at, e.goal, e.top, e.full = nil, 0, -1, 0, false
	e.insert(s)
	if e.many {
		e.at = 0
	}
}

// runeAt returns the rune at an offset in bytes.
func (e *Editor) runeAt(offset int) int {
	n := 0
	for i, r := range e.runes {
		if n >= offset {
			return i
		}
		n += utf8.RuneLen(r)
	}
	return len(e.runes)
}

func (e *Editor) insert(s string) {
	// One kind of line break, as in a text file.
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	add := []rune(s)
	room := max(0, maxRunes-len(e.runes))
	e.full = len(add) > room
	add = add[:min(len(add), room)]
	e.runes = slices.Insert(e.runes, e.at, add...)
	e.at += len(add)
}

// Key handles a key and reports whether it was one of the editor's.
func (e *Editor) Key(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown:
	default:
		e.goal = -1
	}
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace:
		if msg.Alt {
			return e.alt(msg)
		}
		e.insert(string(msg.Runes))
		return true
	case tea.KeyEnter:
		if !e.many && !msg.Alt {
			return false
		}
		e.insert("\n")
		return true
	}
	switch msg.String() {
	case "left", "ctrl+b":
		e.at = max(0, e.at-1)
	case "right", "ctrl+f":
		e.at = min(len(e.runes), e.at+1)
	case "ctrl+left", "alt+left":
		e.at = e.wordLeft()
	case "ctrl+right", "alt+right":
		e.at = e.wordRight()
	case "home", "ctrl+a":
		e.at = e.lineStart(e.at)
	case "end", "ctrl+e":
		e.at = e.lineEnd(e.at)
	case "backspace", "ctrl+h":
		e.remove(e.at-1, e.at)
	case "delete", "ctrl+d":
		e.remove(e.at, e.at+1)
	case "ctrl+w", "alt+backspace":
		e.remove(e.wordLeft(), e.at)
	case "ctrl+u":
		e.remove(e.lineStart(e.at), e.at)
	case "ctrl+k":
		e.remove(e.at, e.lineEnd(e.at))
	case "up", "down", "pgup", "pgdown", "ctrl+home", "ctrl+end":
		return e.vertical(msg.String())
	default:
		return false
	}
	return true
}

func (e *Editor) alt(msg tea.KeyMsg) bool {
	switch string(msg.Runes) {
	case "b":
		e.at = e.wordLeft()
	case "f":
		e.at = e.wordRight()
	case "d":
		e.remove(e.at, e.wordRight())
	default:
		return false
	}
	return true
}

func (e *Editor) vertical(key string) bool {
	if !e.many {
		return false
	}
	switch key {
	case "ctrl+home":
		e.at = 0
	case "ctrl+end":
		e.at = len(e.runes)
	case "up":
		return e.lines(-1)
	case "down":
		return e.lines(1)
	case "pgup":
		e.lines(-e.page)
	case "pgdown":
		e.lines(e.page)
	}
	return true
}

// lines moves the cursor by lines and keeps its column; false at the edge, so
// that a form can continue to its next field.
func (e *Editor) lines(by int) bool {
	start := e.lineStart(e.at)
	if e.goal < 0 {
		e.goal = e.at - start
	}
	moved := false
	for ; by < 0 && start > 0; by++ {
		start, moved = e.lineStart(start-1), true
	}
	for ; by > 0; by-- {
		end := e.lineEnd(start)
		if end == len(e.runes) {
			break
		}
		start, moved = end+1, true
	}
	if moved {
		e.at = min(start+e.goal, e.lineEnd(start))
	}
	return moved
}

func (e *Editor) remove(from, to int) {
	from, to = max(0, from), min(len(e.runes), to)
	if from < to {
		e.runes = slices.Delete(e.runes, from, to)
		e.at, e.full = from, false
	}
}

func (e *Editor) lineStart(at int) int {
	for at > 0 && e.runes[at-1] != '\n' {
		at--
	}
	return at
}

func (e *Editor) lineEnd(at int) int {
	for at < len(e.runes) && e.runes[at] != '\n' {
		at++
	}
	return at
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (e *Editor) wordLeft() int {
	at := e.at
	for at > 0 && !wordRune(e.runes[at-1]) {
		at--
	}
	for at > 0 && wordRune(e.runes[at-1]) {
		at--
	}
	return at
}

func (e *Editor) wordRight() int {
	at := e.at
	for at < len(e.runes) && !wordRune(e.runes[at]) {
		at++
	}
	for at < len(e.runes) && wordRune(e.runes[at]) {
		at++
	}
	return at
}

// Lines returns how many lines the text has.
func (e *Editor) Lines() int { return 1 + count(e.runes) }

// count returns how many line feeds a text has.
func count(runes []rune) (n int) {
	for _, r := range runes {
		if r == '\n' {
			n++
		}
	}
	return n
}

// View draws exactly height lines of exactly width cells.
func (e *Editor) View(th *theme.Theme, width, height int, focused bool) []string {
	if width <= 0 || height <= 0 {
		return make([]string, max(0, height))
	}
	if !e.many {
		out := make([]string, height)
		out[0] = e.row(th, 0, len(e.runes), width, focused)
		for i := 1; i < height; i++ {
			out[i] = strings.Repeat(" ", width)
		}
		return out
	}
	e.page = height
	return e.block(th, width, height, focused)
}

func (e *Editor) block(th *theme.Theme, width, height int, focused bool) []string {
	above := count(e.runes[:e.at])
	e.top = text.Window(e.top, above, above, height, e.Lines())
	from := 0
	for skip := e.top; skip > 0; skip-- {
		from = e.lineEnd(from) + 1
	}
	out := make([]string, 0, height)
	for len(out) < height && from <= len(e.runes) {
		end := e.lineEnd(from)
		out = append(out, e.row(th, from, end, width, focused))
		from = end + 1
	}
	for len(out) < height {
		out = append(out, strings.Repeat(" ", width))
	}
	return out
}

// row draws one line of the text. The part around the cursor is in sight.
func (e *Editor) row(th *theme.Theme, from, end, width int, focused bool) string {
	at := -1
	if focused && e.at >= from && e.at <= end {
		at = e.at - from
	}
	drawn, _ := e.cells(th, from, end, width, at, -1)
	return drawn
}

func (e *Editor) cells(th *theme.Theme, from, end, width, at, marked int) (drawn string, mark int) {
	drawn, used, mark := line.Cells(th, e.runes[from:end], width, at, marked, func(r rune) string { return glyph(th, r) })
	return drawn + strings.Repeat(" ", max(0, width-used)), mark
}

// Line draws the text on one line with the cursor, and returns the cell of the character at
// an offset in bytes, -1 where that is not in sight.
func (e *Editor) Line(th *theme.Theme, width, offset int) (drawn string, mark int) {
	marked := -1
	if offset >= 0 {
		marked = e.runeAt(offset)
	}
	return e.cells(th, 0, len(e.runes), width, e.at, marked)
}

// glyph returns what one rune looks like: a line feed inside a line can be seen.
func glyph(th *theme.Theme, r rune) string {
	if r == '\n' {
		if th.Glyphs.Ellipsis == "…" {
			return "⏎"
		}
		return `\n`
	}
	if r >= ' ' && r < 0x7f {
		return string(r)
	}
	return text.Line(string(r))
}
