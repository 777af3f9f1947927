package listing

import (
	"cmp"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/remote"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// mostLooked bounds how many rows are read for those that a filter asks for and the server cannot
// choose, a window after the other.
const mostLooked = 500

// choose returns the words of a filter that the pages of a place are asked for, and the rest.
func (s *Screen[T]) choose(at nav.Place, filter string) (asked, rest string) {
	if s.of.Choose == nil || s.of.IDOf(at) != "" {
		return "", filter
	}
	return s.of.Choose(filter)
}

// Rest returns what of a filter is applied to the rows: while it is typed, all of it.
func (s *Screen[T]) Rest(filter string) string {
	if !s.Typing() {
		_, filter = s.choose(s.opened, filter)
	}
	return filter
}

// Kept reads the list anew where a filter asks for others.
func (s *Screen[T]) Kept() tea.Cmd {
	asked, _ := s.choose(s.opened, s.Query())
	if asked == s.asked {
		s.Arrange()
		return s.Changed()
	}
	s.StopRetries()
	s.asked, s.loaded, s.above, s.tried = asked, Page[T]{}, 0, map[string]bool{}
	s.first.Reset()
	s.more.Reset()
	s.rest.Reset()
	s.Arrange()
	return tea.Batch(s.requestFirst(), s.Changed())
}

// KeptDoes returns whether the filter that is typed is asked for.
func (s *Screen[T]) KeptDoes() string {
	if asked, _ := s.choose(s.opened, s.Query()); asked != s.asked {
		return "ask the API"
	}
	return s.Rows.KeptDoes()
}

// FilterHint returns what can be typed.
func (s *Screen[T]) FilterHint() string { return cmp.Or(s.of.FilterHint, s.Rows.FilterHint()) }

// readsOn reports whether the list is read on where its end is in sight: of a filter that the
// pages are asked for as a whole, within a bound where the server did not choose.
func (s *Screen[T]) readsOn() bool {
	if !s.Arranged() {
		return true
	}
	return s.asked != "" && s.Rest(s.Query()) == "" && s.Order() == (query.Order{}) &&
		(s.loaded.Left == nil || !s.loaded.Ended && len(s.loaded.Rows) < mostLooked)
}

// LoadedRows returns the rows that are asked for, nil for all.
func (s *Screen[T]) LoadedRows() []int {
	if s.loaded.Left == nil {
		return nil
	}
	rows := make([]int, 0, len(s.loaded.Rows))
	for i, r := range s.loaded.Rows {
		if !r.Out {
			rows = append(rows, i)
		}
	}
	return rows
}

// RowWords returns which rows a filter looks at, "" where FoundWords says how many there are.
func (s *Screen[T]) RowWords() string {
	switch words := s.Rows.RowWords(); {
	case s.asked == "" || s.Typing():
		return words
	case s.Rest(s.Query()) == "":
		return ""
	case s.loaded.Left != nil:
		return words + " of those that are chosen, from " + s.looked() + s.chosenHere()
	default:
		return words + " of " + s.counted()
	}
}

// FoundWords returns how many are asked for, and where.
func (s *Screen[T]) FoundWords() string {
	switch {
	case s.first.Busy() && len(s.loaded.Rows) == 0:
		return "asking the API"
	case s.first.State() == remote.Failed && len(s.loaded.Rows) == 0:
		return ""
	case s.loaded.Left != nil:
		return text.Count(s.List.Len()) + " of " + s.looked() + s.chosenHere()
	}
	return s.counted()
}

// counted returns how many the server has of what it was asked for.
func (s *Screen[T]) counted() string {
	if s.loaded.Total == 0 && s.loaded.Next != "" {
		return "more " + s.loaded.Where
	}
	return text.Count(max(s.loaded.Total, int64(len(s.loaded.Rows)))) + " " + s.loaded.Where
}

func (s *Screen[T]) looked() string { return text.Count(len(s.loaded.Rows)) + " read" }

func (s *Screen[T]) chosenHere() string { return "; chosen here: " + strings.Join(s.loaded.Left, ", ") }
