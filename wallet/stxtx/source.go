package stxtx

import "fmt"

// Unreadable is a character of a contract's source that no node reads.
type Unreadable struct {
	Line, Column int // from 1, columns in characters
	Character    rune
}

// FindUnreadable finds the first character of a source that is neither printable ASCII
// nor a tab nor a line feed.
func FindUnreadable(source string) (Unreadable, bool) {
	at := Unreadable{Line: 1, Column: 1}
	for _, c := range source {
		switch {
		case c == '\n':
			at.Line, at.Column = at.Line+1, 1
		case c == '\t', c >= 0x20 && c <= 0x7e:
			at.Column++
		default:
			at.Character = c
			return at, true
		}
	}
	return at, false
}

// String returns where the character is, and what would be right.
func (u Unreadable) String() string {
	what, right := fmt.Sprintf("%U", u.Character), ""
	if u.Character == '\r' {
		what, right = "a carriage return", "; end lines with a line feed alone"
	}
	return fmt.Sprintf("line %d, column %d has %s, which no node reads: a source has printable ASCII, tabs and line feeds%s", u.Line, u.Column, what, right)
}
