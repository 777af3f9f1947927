// Package contracts is the place of contracts: their list with the detail of one, and the
// parts of a contract, each a place of its own: its source, and where a function is called
// or something that it keeps is read.
//
// It must not import another place: the list is handed to it.
package contracts

import (
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// List is the list of contracts.
type List interface {
	screen.Screen
	screen.Tabular
	screen.Clicker
}

// Known finds a contract that the list has read.
type Known func(id string) (resource.Contract, bool)

// Screen is the place: the list, or a part of a contract in front of it.
type Screen struct {
	List
	parts *parts
	// open reports whether a part is in front.
	open bool
}

// New returns the place.
func New(env *screen.Env, th *theme.Theme, list List, known Known) *Screen {
	return &Screen{List: list, parts: newParts(env, th, known)}
}

// front is what is shown.
func (s *Screen) front() screen.Screen {
	if s.open {
		return s.parts
	}
	return s.List
}

// Open goes to the list, to a contract, or to a part of one.
func (s *Screen) Open(p nav.Place, state any) tea.Cmd {
	s.open = p.Part != ""
	return s.front().Open(p, state)
}

// Place is where the part or the list stands.
func (s *Screen) Place() nav.Place { return s.front().Place() }

// State is what Open needs to come back.
func (s *Screen) State() any { return s.front().State() }

// Leave cancels what was asked for.
func (s *Screen) Leave() { s.front().Leave() }

// SetSize tells both the cells that View fills.
func (s *Screen) SetSize(width, height int) {
	s.List.SetSize(width, height)
	s.parts.SetSize(width, height)
}

// SetTheme changes the colors of both.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.List.SetTheme(th)
	s.parts.SetTheme(th)
}

// Redraw forgets what was drawn.
func (s *Screen) Redraw() {
	s.List.Redraw()
	s.parts.Redraw()
}

// Update hands a message to both: an answer belongs to the one that asked.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(s.List.Update(msg), s.parts.Update(msg))
}

// Key handles a key.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) { return s.front().Key(msg) }

// Typing reports whether keys are text.
func (s *Screen) Typing() bool { return s.front().Typing() }

// Refresh asks again for what is shown.
func (s *Screen) Refresh() tea.Cmd { return s.front().Refresh() }

// RetryNow asks again for what failed.
func (s *Screen) RetryNow() tea.Cmd { return tea.Batch(s.List.RetryNow(), s.parts.RetryNow()) }

// Live asks for what is new.
func (s *Screen) Live() tea.Cmd { return s.front().Live() }

// View draws what is in front.
func (s *Screen) View(now time.Time) []string { return s.front().View(now) }

// Subject is the thing under the cursor.
func (s *Screen) Subject() screen.Subject { return s.front().Subject() }

// Status is what the status line tells.
func (s *Screen) Status() screen.Status { return s.front().Status() }

// Scopes are the scopes of the key map that hold here.
func (s *Screen) Scopes() []string { return s.front().Scopes() }

// Click handles a click of the mouse.
func (s *Screen) Click(x, y int) tea.Cmd {
	if s.open {
		return s.parts.Click(x, y)
	}
	return s.List.Click(x, y)
}
