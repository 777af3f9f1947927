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

// mostRead bounds how many rows are read for those that a filter wants and the server cannot
// choose, one window after the other.
const mostRead = 500

// choose returns the words of a filter that go into the requests for the pages of a place, and the
// rest. One that is wrong goes into none.
func (s *Screen[T]) choose(at nav.Place, filter string) (requested, rest string, wrong error) {
	if s.of.Choose == nil || s.of.IDOf(at) != "" {
		return "", filter, nil
	}
	if requested, rest, wrong = s.of.Choose(filter); wrong != nil {
		return "", filter, wrong
	}
	return requested, rest, nil
}

// Rest returns what of a filter is applied to the rows: while it is typed, all of it.
func (s *Screen[T]) Rest(filter string) (string, error) {
	_, rest, wrong := s.choose(s.opened, filter)
	if s.Typing() {
		rest = filter
	}
	return rest, wrong
}

// chosenAll reports whether the requests carry all of the filter in force.
func (s *Screen[T]) chosenAll() bool {
	rest, _ := s.Rest(s.Query())
	return rest == ""
}

// FilterEntered reads the list anew where a filter wants other rows.
func (s *Screen[T]) FilterEntered() tea.Cmd {
	requested, _, wrong := s.choose(s.opened, s.Query())
	if requested == s.requested || wrong != nil {
		s.Arrange()
		return s.Changed()
	}
	s.StopRetries()
	s.requested, s.loaded, s.above, s.tried = requested, Page[T]{}, 0, map[string]bool{}
	s.first.Reset()
	s.more.Reset()
	s.rest.Reset()
	s.Arrange()
	return tea.Batch(s.requestFirst(), s.Changed())
}

// FilterLabel returns what enter does: a request, where the filter wants other rows than were requested.
func (s *Screen[T]) FilterLabel() string {
	if requested, _, wrong := s.choose(s.opened, s.Query()); wrong == nil && requested != s.requested {
		return "ask the API"
	}
	return s.Rows.FilterLabel()
}

// FilterHint returns what can be typed.
func (s *Screen[T]) FilterHint() string { return cmp.Or(s.of.FilterHint, s.Rows.FilterHint()) }

// readsOn reports whether the list is read on where its end is in sight: of a filter that the
// requests carry as a whole, within a bound where the server did not choose.
func (s *Screen[T]) readsOn() bool {
	if !s.Arranged() {
		return true
	}
	return s.requested != "" && s.chosenAll() && s.Order() == (query.Order{}) &&
		(s.loaded.Left == nil || !s.loaded.Ended && len(s.loaded.Rows) < mostRead)
}

// LoadedRows returns the rows that were chosen, nil for all.
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

// RowWords returns which rows a filter searches, "" where FoundWords says how many there are.
func (s *Screen[T]) RowWords() string {
	switch words := s.Rows.RowWords(); {
	case s.requested == "" || s.Typing():
		return words
	case s.chosenAll():
		return ""
	case s.loaded.Left != nil:
		return s.readWords() + s.chosenHere()
	default:
		return words + " of " + s.counted()
	}
}

// FoundWords returns how many rows were chosen, and where.
func (s *Screen[T]) FoundWords() string {
	switch {
	case s.first.Busy() && len(s.loaded.Rows) == 0:
		return "asking the API"
	case s.first.State() == remote.Failed && len(s.loaded.Rows) == 0:
		return ""
	case s.loaded.Left != nil:
		return text.Count(s.List.Len()) + " of " + s.readWords() + s.chosenHere()
	}
	return s.counted()
}

// counted returns how many rows the server has of those that were requested.
func (s *Screen[T]) counted() string {
	if s.loaded.Total == 0 && s.loaded.Next != "" {
		return "more " + s.loaded.Where
	}
	return text.Count(max(s.loaded.Total, int64(len(s.loaded.Rows)))) + " " + s.loaded.Where
}

func (s *Screen[T]) readWords() string { return text.Count(len(s.loaded.Rows)) + " read" }

func (s *Screen[T]) chosenHere() string { return "; chosen here: " + strings.Join(s.loaded.Left, ", ") }
