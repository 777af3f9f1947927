package tui

import (
	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
)

// visit goes to a place and puts it into the history.
func (m *Model) visit(p nav.Place) tea.Cmd {
	at, ok := m.tabs.find(p.Kind)
	if !ok {
		return m.say("there is no such place here: "+p.String(), true)
	}
	m.leave()
	m.history.Visit(p)
	return m.arrive(at, p, nil)
}

// leave keeps how the current place looks in the history.
func (m *Model) leave() {
	m.history.Save(m.currentScreen().State())
	m.currentScreen().Leave()
	m.history.Replace(m.Place())
}

// arrive shows a place with the state that it was left in.
func (m *Model) arrive(at int, p nav.Place, state any) tea.Cmd {
	m.current = at
	m.live.rest(m.options.Now())
	m.layout()
	return m.currentScreen().Open(p, state)
}

// openTab goes to a tab where it was left, or to its landing place when one is
// there already.
func (m *Model) openTab(at int) tea.Cmd {
	t := m.tabs[at]
	p := t.screen.Place()
	if at == m.current || p.Kind == "" {
		return m.visit(t.place())
	}
	m.leave()
	m.history.Visit(p)
	return m.arrive(at, p, t.screen.State())
}

func (m *Model) back() tea.Cmd {
	if !m.history.CanBack() {
		return m.say("this is where the history begins", false)
	}
	return m.step(m.history.Back)
}

func (m *Model) forward() tea.Cmd {
	if !m.history.CanForward() {
		return m.say("this is where the history ends", false)
	}
	return m.step(m.history.Forward)
}

// step goes to another entry of the history.
func (m *Model) step(move func() (nav.Entry[any], bool)) tea.Cmd {
	m.leave()
	e, ok := move()
	if !ok {
		return nil
	}
	at, ok := m.tabs.find(e.Place.Kind)
	if !ok {
		return nil
	}
	return m.arrive(at, e.Place, e.View)
}
