// Package browser is the frame of a place that shows a list and, beside it or
// below, the detail of the row under the cursor. It owns what is the same in
// every such place: how the room is shared, the keys and the mouse in list and
// detail, the line of the filter, asking again after a pause, what the status
// line says, and what is copied of a failure. A screen embeds a Frame and hands
// it the parts that are its own.
//
// It draws and decides only; requests are made by the commands of the screen.
// The package must not import a screen.
package browser

import (
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/jsonview"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/split"

	tea "github.com/charmbracelet/bubbletea"
)

// Parts are what a place puts into its frame. Columns and Describe are needed;
// what is nil is left out.
type Parts struct {
	// Heading is the first line: what is shown, and how much of it.
	Heading func(now time.Time) string
	// Chart is the second line, below the heading.
	Chart func(width int, now time.Time) string
	// Notice is the third line while no filter is typed or in force and nothing
	// failed: what came in the meantime, or the keys of the place.
	Notice func(now time.Time) string
	// Failed is the value whose failure the third line shows above older data,
	// with the slot of its request; nil when nothing failed.
	Failed func() (Remote, string)
	// Columns names the columns of the list.
	Columns func(width int) string

	// Describe returns the thing that the detail shows as labelled values, and
	// what it is known by; "" when there is none.
	Describe func() (id string, rows []detail.Row)
	// Instead draws what stands in place of list and detail, NoRows in place of
	// the list and NoDetail in place of the detail; nil draws them.
	Instead  func(now time.Time, width, height int) []string
	NoRows   func(now time.Time, width, height int) []string
	NoDetail func(now time.Time, width, height int) []string
	// Third are what the third column of a wide window can show besides the raw
	// JSON of the subject.
	Third []Third
	// Subject is what the keys of the root work on.
	Subject func() screen.Subject

	// Table is what a filter, an order and counts work on: the rows that are
	// loaded, with their columns; without columns there is no list now. Show shows
	// those of them that are given, in their order, or all that there are for nil.
	// Rows names them: "60 loaded blocks".
	Table func() query.Table
	Show  func(rows []int)
	Rows  func() string
	// Filter applies a filter in another way, and Found says how much it leaves.
	Filter func(query string) tea.Cmd
	Found  func() string
	// Open handles enter on a row of the list; nil moves the keys to the detail.
	Open func() tea.Cmd
	// OpenDoes says in a word or two what Open does, for the hint.
	OpenDoes func() string
	// Moved asks for what is missing after the cursor or the window moved.
	Moved func() tea.Cmd
	// Own handles the keys of the place, before those of the frame.
	Own func(msg tea.KeyMsg) (tea.Cmd, bool)
	// Cancel gives up what is waited for, and reports whether there was anything.
	Cancel func() bool
	// Leaves reports whether esc in the detail leaves the place, for where one came
	// from; nil: it goes to the list.
	Leaves func() bool
	// DetailFirst puts the detail before the list.
	DetailFirst bool
	// Scopes are the scopes of the key map that hold in the place, besides those
	// of lists and details.
	Scopes []string
	// Ops are the calls of the client that the place makes, by name.
	Ops []string
}

// Third is something that the third column can show.
type Third struct {
	Title string
	// There reports whether there is anything to show; nil: always.
	There func() bool
	Draw  func(width, height int) []string
	// WithJSON shows the raw JSON below, where there is room.
	WithJSON bool
}

// Frame is a plain struct that a screen embeds; see screen.Screen.
type Frame struct {
	Env    *screen.Env
	Theme  *theme.Theme
	List   *list.List
	Detail *detail.Detail
	// Width and Height are the cells of the place.
	Width, Height int
	// InDetail reports whether the detail has the keys.
	InDetail bool

	parts     Parts
	room      *split.Split
	area      split.Arrangement
	described string
	filter    filter
	order     query.Order
	json      *jsonview.View
	jsonOf    string // what the raw JSON of the third column is of
	retries   map[string]retry
}

// New returns a frame with an empty list and detail.
func New(env *screen.Env, th *theme.Theme, parts Parts) *Frame {
	f := &Frame{
		Env: env, Theme: th, List: list.New(th, env.Keys), Detail: detail.New(th, env.Keys), parts: parts, room: env.Room,
		filter: newFilter(), json: jsonview.New(th, env.Keys), retries: map[string]retry{},
	}
	if f.room == nil {
		f.room = &split.Split{}
	}
	return f
}

// SetSize tells the cells that View fills.
func (f *Frame) SetSize(width, height int) {
	f.Width, f.Height = max(0, width), max(0, height)
	f.Layout()
}

// SetTheme changes the colours.
func (f *Frame) SetTheme(th *theme.Theme) {
	f.Theme = th
	f.List.SetTheme(th)
	f.Detail.SetTheme(th)
	f.json.SetTheme(th)
	f.Fill()
}

// Redraw forgets what was drawn.
func (f *Frame) Redraw() { f.SetTheme(f.Theme) }

// ShowList shows another list in place of the one that is shown.
func (f *Frame) ShowList(l *list.List) {
	if f.List != l {
		f.List = l
		l.SetTheme(f.Theme)
		f.Layout()
	}
}

// Fill shows in the detail what is under the cursor now. The cursor of the
// detail stays while it is the same thing.
func (f *Frame) Fill() {
	id, rows := f.parts.Describe()
	switch {
	case id == "":
		f.Detail.SetRows(nil)
	case id == f.described:
		f.Detail.Update(rows)
	default:
		f.Detail.SetRows(rows)
	}
	f.described = id
	f.fillJSON()
}

// Described is what the detail shows, "" for nothing.
func (f *Frame) Described() string { return f.described }

// fillJSON shows the raw JSON of the subject, where the third column shows it.
func (f *Frame) fillJSON() {
	if f.area.Context.Height == 0 || f.parts.Subject == nil {
		return
	}
	raw := f.parts.Subject().Raw
	if s := string(raw); s != f.jsonOf {
		f.jsonOf = s
		f.json.SetJSON(raw)
	}
}

// Changed shows what has come, and asks for what is missing.
func (f *Frame) Changed() tea.Cmd {
	f.Layout()
	return f.moved()
}

func (f *Frame) moved() tea.Cmd {
	f.Fill()
	if f.parts.Moved == nil {
		return nil
	}
	return f.parts.Moved()
}

// State brings a place back to where it was: cursor, scroll and filter.
type State struct {
	List     list.Place
	Detail   detail.Place
	InDetail bool
	Query    string
	Order    query.Order
}

// Keep returns the state to come back to.
func (f *Frame) Keep() State {
	return State{List: f.List.Place(), Detail: f.Detail.Place(), InDetail: f.InDetail, Query: f.filter.query, Order: f.order}
}

// Restore goes back to a state. Filter and order are applied already.
func (f *Frame) Restore(s State) {
	f.InDetail = s.InDetail
	f.Layout()
	f.List.Restore(s.List)
	f.Fill()
	f.Detail.Restore(s.Detail)
}

// Enter moves the keys to the detail, or back to the list. An empty list keeps
// them.
func (f *Frame) Enter(detail bool) {
	if _, ok := f.List.Cursor(); detail && !ok {
		return
	}
	f.InDetail = detail
	f.Layout()
}

// Scopes are the scopes of the key map that hold here.
func (f *Frame) Scopes() []string {
	first := "list"
	if f.InDetail {
		first = "detail"
	}
	return append([]string{first}, f.parts.Scopes...)
}
