// Package contracts is the place of contracts: their list with the detail of one, and the
// parts of a contract, each a place of its own: its source, where a function is called or
// something that it keeps is read, and the list of what it printed.
//
// It must not import another place: the lists are handed to it.
package contracts

import (
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Face is one of what the place can show.
type Face interface {
	screen.Screen
	screen.Tabular
	screen.Clicker
}

// Known finds a contract that the list has read.
type Known func(id string) (resource.Contract, bool)

// Screen is the place: the face that is shown, of its three.
type Screen struct {
	Face
	list, prints Face
	parts        *parts
}

// New returns the place.
func New(env *screen.Env, th *theme.Theme, list, prints Face, known Known) *Screen {
	return &Screen{Face: list, list: list, prints: prints, parts: newParts(env, th, known)}
}

// Learn is nil: the list is loaded when it is opened.
func (s *Screen) Learn() tea.Cmd { return nil }

// Named returns the loaded contracts that a query fits.
func (s *Screen) Named(query string) []screen.Named {
	if list, ok := s.list.(screen.Finder); ok {
		return list.Named(query)
	}
	return nil
}

func (s *Screen) faces() []Face { return []Face{s.list, s.prints, s.parts} }

// Open goes to the list, to a contract, or to a part of one.
func (s *Screen) Open(p nav.Place, state any) tea.Cmd {
	switch p.Part {
	case "":
		s.Face = s.list
	case nav.PartPrints:
		s.Face = s.prints
	default:
		s.Face = s.parts
	}
	return s.Face.Open(p, state)
}

// SetSize tells all faces the cells that View fills.
func (s *Screen) SetSize(width, height int) {
	for _, f := range s.faces() {
		f.SetSize(width, height)
	}
}

// SetTheme changes the colors of all.
func (s *Screen) SetTheme(th *theme.Theme) {
	for _, f := range s.faces() {
		f.SetTheme(th)
	}
}

// Redraw forgets what was drawn.
func (s *Screen) Redraw() {
	for _, f := range s.faces() {
		f.Redraw()
	}
}

// Update hands a message to all: an answer belongs to the one that asked.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	return s.each(func(f Face) tea.Cmd { return f.Update(msg) })
}

// RetryNow asks again for what failed.
func (s *Screen) RetryNow() tea.Cmd { return s.each(Face.RetryNow) }

func (s *Screen) each(do func(Face) tea.Cmd) tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range s.faces() {
		cmds = append(cmds, do(f))
	}
	return tea.Batch(cmds...)
}
