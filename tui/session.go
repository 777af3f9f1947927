package tui

import (
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// Session is the state in which the explorer was left. The zero value starts afresh.
type Session struct {
	Place      string `json:"place"`
	Filter     string `json:"filter,omitempty"`
	Sort       string `json:"sort,omitempty"`
	Descending bool   `json:"descending,omitempty"`
	Times      int    `json:"times,omitempty"`
	Compact    bool   `json:"compact,omitempty"`
	Theme      string `json:"theme,omitempty"` // one that was chosen, "" for none
}

// sessionsDocument keeps the last session of each network.
const sessionsDocument = "sessions"

// ReadSession reads the last session of a network from disk. One that cannot be read is the
// zero value.
func ReadSession(store *state.Store, network string) Session {
	var all map[string]Session
	if _, err := store.Get(sessionsDocument, &all); err != nil {
		return Session{}
	}
	return all[network]
}

// save writes the session to disk. Errors are ignored: only a place is lost.
func (s Session) save(store *state.Store, network string) {
	if store == nil {
		return
	}
	_ = state.Update(store, sessionsDocument, func(all *map[string]Session) error {
		if *all == nil {
			*all = map[string]Session{}
		}
		(*all)[network] = s
		return nil
	})
}

// session returns the current session.
func (m *Model) session() Session {
	s := Session{Place: m.lasting().String(), Times: int(m.env.Times.Mode), Compact: m.env.Split.Compact, Theme: m.options.Session.Theme}
	if m.chosen {
		s.Theme = m.options.Theme
	}
	if list, ok := m.currentScreen().(screen.Tabular); ok {
		order := list.Order()
		s.Filter, s.Sort, s.Descending = list.Query(), order.Column, order.Descending
	}
	return s
}

// begin opens the place of the last session with its filter and order, or else the
// requested place.
func (m *Model) begin() tea.Cmd {
	s := m.options.Session
	place, err := nav.Parse(s.Place)
	if _, there := m.tabs.find(place); err != nil || !there {
		cmd := m.visit(m.options.Start)
		if m.options.GoTo != "" {
			cmd = tea.Batch(cmd, m.goTo(m.options.GoTo))
		}
		return cmd
	}
	if s.Times >= 0 && s.Times < len(screen.TimeModes) {
		m.env.Times.Mode = screen.TimeModes[s.Times]
	}
	m.env.Split.Compact = s.Compact
	cmd := m.visit(place)
	list, ok := m.currentScreen().(screen.Tabular)
	if !ok || s.Filter == "" && s.Sort == "" {
		return cmd
	}
	if s.Sort != "" {
		cmd = tea.Batch(cmd, list.SortBy(query.Order{Column: s.Sort, Descending: s.Descending}))
	}
	return tea.Batch(cmd, list.Narrow(s.Filter))
}
