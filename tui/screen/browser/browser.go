// Package browser is the frame of a place that shows a list and, beside it or
// below, the detail of the row under the cursor. It owns what is the same in
// every such place: how the screen is divided, the keys and the mouse in list and
// detail, the line of the filter, retrying after a pause, what the status
// line says, and what is copied of a failure. A screen embeds a Frame and has
// the methods of [Place] that are its own; its list is [Rows] of a [Source].
//
// It draws and decides only; requests are made by the commands of the screen.
// The package must not import a screen.
package browser

import (
	"maps"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/line"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/pager"

	tea "github.com/charmbracelet/bubbletea"
)

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

	place     Place
	split     *screen.Split
	area      screen.Arrangement
	described string
	filter    filter
	order     query.Order
	json      *pager.JSON
	jsonOf    string // what the raw JSON of the third column is of
	retries   map[Remote]retry
	left      map[Remote]retry // the retries that were planned when the place was left
	loads     []Remote
	back      *State // to come back to, once its rows are there
	ready     func() bool
}

// New returns a frame with an empty list and detail.
func New(env *screen.Env, th *theme.Theme, place Place) *Frame {
	f := &Frame{
		Env: env, Theme: th, List: list.New(th, env.Keys), Detail: detail.New(th, env.Keys), place: place, split: env.Split,
		filter: filter{line: line.New()}, json: pager.NewJSON(th, env.Keys), retries: map[Remote]retry{},
	}
	if f.split == nil {
		f.split = &screen.Split{}
	}
	return f
}

// SetSize sets how many cells View fills.
func (f *Frame) SetSize(width, height int) {
	f.Width, f.Height = max(0, width), max(0, height)
	f.Layout()
}

// SetTheme changes the colors.
func (f *Frame) SetTheme(th *theme.Theme) {
	f.Theme = th
	f.List.SetTheme(th)
	f.Detail.SetTheme(th)
	f.json.SetTheme(th)
	f.Fill()
}

// Redraw forgets what was drawn.
func (f *Frame) Redraw() { f.place.SetTheme(f.Theme) }

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
	id, rows := f.place.Describe()
	NameRows(rows, f.Env.Called)
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

// Described returns what the detail shows, "" for nothing.
func (f *Frame) Described() string { return f.described }

// fillJSON shows the raw JSON of the subject, where the third column shows it.
func (f *Frame) fillJSON() {
	if f.area.Context.Height == 0 {
		return
	}
	raw := f.place.Subject().Raw
	if s := string(raw); s != f.jsonOf {
		f.jsonOf = s
		f.json.SetJSON(raw)
	}
}

// Changed shows what has come, and requests what is missing.
func (f *Frame) Changed() tea.Cmd {
	f.comeBack()
	f.Layout()
	return f.moved()
}

func (f *Frame) moved() tea.Cmd {
	f.Fill()
	return f.place.Moved()
}

// State restores a place: cursor, scroll and filter.
type State struct {
	List     list.Place
	Detail   detail.Place
	InDetail bool
	Query    string
	Order    query.Order
}

// State returns what Open needs to come back.
func (f *Frame) State() any { return f.Save() }

// Loads sets which values the place requests, so that Leave cancels their requests and Resume
// makes those again that failed.
func (f *Frame) Loads(values ...Remote) { f.loads = values }

// Leave cancels the requests under way. What has come stays.
func (f *Frame) Leave() {
	f.left = maps.Clone(f.retries)
	f.StopRetries()
	for _, v := range f.loads {
		v.Cancel()
	}
}

// Live requests nothing.
func (f *Frame) Live() tea.Cmd { return nil }

// Save returns the state to come back to.
func (f *Frame) Save() State {
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

// Return goes back to a state once its rows are there, unless the user moves before. Filter and
// order are in force already.
func (f *Frame) Return(s State, ready func() bool) {
	f.back, f.ready = &s, ready
	f.comeBack()
}

func (f *Frame) comeBack() {
	if f.back != nil && f.ready() {
		s := *f.back
		f.back = nil
		f.Restore(s)
	}
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

// Scopes returns the scopes of the key map that hold here.
func (f *Frame) Scopes() []string {
	first := "list"
	if f.InDetail {
		first = "detail"
	}
	return append([]string{first}, f.place.OwnScopes()...)
}
