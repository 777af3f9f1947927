package browser

import (
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// Place holds what a frame needs of the screen that embeds it. Columns and Describe are the
// screen's own; of the rest it has what the frame does not do already.
type Place interface {
	// Columns names the columns of the list.
	Columns(width int) string
	// Describe returns what the detail shows as labelled values, and an id that stays the same
	// while it shows the same thing; "" if there is none.
	Describe() (id string, rows []detail.Row)

	// SetTheme changes the colors of the place.
	SetTheme(th *theme.Theme)

	// Heading is the first line: what is shown, and how much of it. Chart is the second.
	Heading(now time.Time) string
	Chart(width int, now time.Time) string
	// Notice is the third line while no filter is typed or in force and nothing
	// failed: what came in the meantime, or the keys of the place.
	Notice(now time.Time) string
	// Failed is the value whose failure the third line shows above older data; nil when
	// nothing failed.
	Failed() Remote
	// Instead draws what is in place of list and detail, NoRows in place of
	// the list and NoDetail in place of the detail; nil draws them.
	Instead(now time.Time, width, height int) []string
	NoRows(now time.Time, width, height int) []string
	NoDetail(now time.Time, width, height int) []string
	// Third hold what the third column of a wide window can show besides the raw
	// JSON of the subject.
	Third() []Third
	// Subject holds what the keys of the root work on.
	Subject() screen.Subject

	// Filters reports whether the list can be filtered. Listing is what a filter, an order
	// and counts work on: the rows that are loaded, with their columns; without columns
	// there is no list now. ShowRows shows those of them that are given, in their order, or
	// all that there are for nil. RowWords names them: "60 loaded blocks".
	Filters() bool
	Listing() query.Table
	ShowRows(rows []int)
	RowWords() string
	// FilterBy applies a filter in another way, and reports whether it does; FoundWords
	// says how much it leaves.
	FilterBy(query string) (tea.Cmd, bool)
	// FilterEntered requests what a filter chooses elsewhere, once it is typed to its end. Rest returns
	// what of a filter is left to be applied to the rows, or why nothing can be as it wants it.
	FilterEntered() tea.Cmd
	Rest(query string) (string, error)
	// FilterLabel returns in a word or two what that does, and FilterHint what can be typed.
	FilterLabel() string
	FilterHint() string
	FoundWords() string
	// OpenRow handles enter on a row of the list, and OpenLabel returns in a word or two what
	// that does.
	OpenRow() tea.Cmd
	OpenLabel() string
	// Moved requests what is missing after the cursor or the window moved.
	Moved() tea.Cmd
	// OwnKey handles the keys of the place, before those of the frame.
	OwnKey(msg tea.KeyMsg) (tea.Cmd, bool)
	// Cancel cancels what is loading, and reports whether anything was.
	Cancel() bool
	// Leaves reports whether esc in the detail leaves the place, for where one came
	// from, and not for the list.
	Leaves() bool
	// DetailFirst reports whether the detail is before the list.
	DetailFirst() bool
	// OwnScopes are the scopes of the key map that hold in the place, besides those
	// of lists and details.
	OwnScopes() []string
	// Ops are the calls of the client that the place makes, by name.
	Ops() []string
}

// The methods of a frame that follow are what a place does unless it has its own.

// Heading returns empty.
func (f *Frame) Heading(time.Time) string { return "" }

// Chart returns empty.
func (f *Frame) Chart(int, time.Time) string { return "" }

// Notice returns empty.
func (f *Frame) Notice(time.Time) string { return "" }

// Failed returns nothing.
func (f *Frame) Failed() Remote { return nil }

// Instead draws list and detail.
func (f *Frame) Instead(time.Time, int, int) []string { return nil }

// NoRows draws the list.
func (f *Frame) NoRows(time.Time, int, int) []string { return nil }

// NoDetail draws the detail.
func (f *Frame) NoDetail(time.Time, int, int) []string { return nil }

// Third returns the raw JSON alone.
func (f *Frame) Third() []Third { return nil }

// Subject returns nothing.
func (f *Frame) Subject() screen.Subject { return screen.Subject{} }

// Filters reports that the list can be filtered.
func (f *Frame) Filters() bool { return true }

// Listing has no rows.
func (f *Frame) Listing() query.Table { return query.Table{} }

// ShowRows shows rows of the source of the list.
func (f *Frame) ShowRows(rows []int) { f.List.Changed(rows) }

// RowWords returns empty: FoundWords has them.
func (f *Frame) RowWords() string { return "" }

// FilterBy leaves filters to the frame.
func (f *Frame) FilterBy(string) (tea.Cmd, bool) { return nil, false }

// FilterEntered requests nothing.
func (f *Frame) FilterEntered() tea.Cmd { return nil }

// FilterLabel returns that the filter stays.
func (f *Frame) FilterLabel() string { return "keep the filter" }

// FilterHint returns the language of every filter.
func (f *Frame) FilterHint() string { return "word  column:value  column:>5  /regex/  !word" }

// Rest returns all of a filter.
func (f *Frame) Rest(query string) (string, error) { return query, nil }

// FoundWords returns empty.
func (f *Frame) FoundWords() string { return "" }

// OpenRow moves the keys to the detail.
func (f *Frame) OpenRow() tea.Cmd {
	f.Enter(true)
	return nil
}

// OpenLabel returns where the keys go.
func (f *Frame) OpenLabel() string { return "the detail" }

// Moved requests nothing.
func (f *Frame) Moved() tea.Cmd { return nil }

// OwnKey handles no key.
func (f *Frame) OwnKey(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

// Cancel has nothing to cancel.
func (f *Frame) Cancel() bool { return false }

// Leaves reports that esc goes to the list.
func (f *Frame) Leaves() bool { return false }

// DetailFirst reports that the list is first.
func (f *Frame) DetailFirst() bool { return false }

// OwnScopes returns none.
func (f *Frame) OwnScopes() []string { return nil }

// Ops returns none.
func (f *Frame) Ops() []string { return nil }
