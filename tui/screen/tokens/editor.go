package tokens

import (
	"slices"
	"unicode"

	"chainscope/tui/text"
)

// editor is a line of text being typed. The cursor counts characters.
type editor struct {
	runes  []rune
	cursor int
}

// maxTyped bounds what can be typed or pasted into a line.
const maxTyped = 512

func (e *editor) String() string { return string(e.runes) }

func (e *editor) set(s string) {
	e.runes = []rune(s)
	e.cursor = len(e.runes)
}

// insert types or pastes text: line breaks are left out, other characters are
// kept, for the check to name them.
func (e *editor) insert(typed []rune) {
	kept := make([]rune, 0, len(typed))
	for _, r := range typed {
		if r != '\n' && r != '\r' && len(e.runes)+len(kept) < maxTyped {
			kept = append(kept, r)
		}
	}
	e.runes = slices.Insert(e.runes, e.cursor, kept...)
	e.cursor += len(kept)
}

// edit obeys an editing key and reports whether it was one.
func (e *editor) edit(key string) bool {
	switch key {
	case "left", "ctrl+b":
		e.cursor = max(0, e.cursor-1)
	case "right", "ctrl+f":
		e.cursor = min(len(e.runes), e.cursor+1)
	case "home", "ctrl+a":
		e.cursor = 0
	case "end", "ctrl+e":
		e.cursor = len(e.runes)
	case "backspace", "ctrl+h":
		e.delete(e.cursor-1, e.cursor)
	case "delete", "ctrl+d":
		e.delete(e.cursor, e.cursor+1)
	case "ctrl+u":
		e.delete(0, e.cursor)
	case "ctrl+k":
		e.delete(e.cursor, len(e.runes))
	case "ctrl+w", "alt+backspace":
		e.delete(e.wordStart(), e.cursor)
	case "alt+left", "ctrl+left", "alt+b":
		e.cursor = e.wordStart()
	default:
		return false
	}
	return true
}

func (e *editor) delete(from, to int) {
	from, to = max(0, from), min(len(e.runes), to)
	if from < to {
		e.runes = slices.Delete(e.runes, from, to)
		e.cursor = from
	}
}

func (e *editor) wordStart() int {
	i := e.cursor
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i > 0 && !word(e.runes[i-1]) {
		i--
	}
	for i > 0 && word(e.runes[i-1]) {
		i--
	}
	return i
}

// shown is what of the line fits into width cells around the cursor, with the
// cells before the cursor and before another character, from 0; at is negative
// when that character is out of sight.
func (e *editor) shown(width, mark int) (before, under, after string, at int) {
	width = max(1, width)
	cell := func(i int) string {
		if i >= len(e.runes) {
			return " "
		}
		return text.Line(string(e.runes[i]))
	}
	// The window begins late enough for the cursor to be inside.
	start, used := e.cursor, text.Width(cell(e.cursor))
	for start > 0 && used+text.Width(cell(start-1)) <= width {
		start--
		used += text.Width(cell(start))
	}
	at, used = -1, 0
	for i := start; i <= len(e.runes); i++ {
		c := cell(i)
		if used+text.Width(c) > width || i == len(e.runes) && i != e.cursor && i != mark {
			break
		}
		if i == mark {
			at = used
		}
		used += text.Width(c)
		switch {
		case i < e.cursor:
			before += c
		case i == e.cursor:
			under = c
		default:
			after += c
		}
	}
	return before, under, after, at
}
