package tokens

import (
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// The rows of the list are the tokens that can be picked.

// Len returns how many there are.
func (s *Screen) Len() int { return len(s.picks) }

// ID returns the place of the token.
func (s *Screen) ID(i int) string { return s.picks[i].id }

// Item returns the token of a row.
func (s *Screen) Item(i int) (resource.Token, bool) { return s.picks[i].Token, true }

// RowWords returns how many there are.
func (s *Screen) RowWords() string { return text.Plural(len(s.picks), "token") }
