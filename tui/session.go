package tui

import (
	"strconv"

	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// Session is how the explorer was left, to begin there again. The zero value
// starts afresh.
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

// ReadSession returns how the explorer of a network was left. It waits for the
// disk; a session that cannot be read is none.
func ReadSession(store *state.Store, network string) Session {
	var all map[string]Session
	if _, err := store.Get(sessionsDocument, &all); err != nil {
		return Session{}
	}
	return all[network]
}

// save keeps the session. Without it nothing is lost but a place, so that errors
// are left out. It waits for the disk.
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

// session is how the explorer stands now.
func (m *Model) session() Session {
	s := Session{Place: m.lasting().String(), Times: int(m.env.Times.Mode), Compact: m.env.Room.Compact, Theme: m.options.Session.Theme}
	if m.chosenTheme {
		s.Theme = m.options.Theme
	}
	if list, ok := m.currentScreen().(screen.Tabular); ok {
		order := list.Order()
		s.Filter, s.Sort, s.Descending = list.Query(), order.Column, order.Descending
	}
	return s
}

// lasting is the place that one is at, written so that it can be found again: a
// block by its height, since a hash finds loaded blocks only.
func (m *Model) lasting() nav.Place {
	place := m.Place()
	if place.Ref.By != nav.ByIndexHash {
		return place
	}
	for _, c := range m.currentScreen().Subject().Copies {
		if height, err := strconv.ParseInt(c.Text, 10, 64); err == nil && c.Label == "height" {
			return nav.BlockAtHeight(height)
		}
	}
	return nav.Blocks()
}

// begin opens the first place: the one that was asked for, or the one that was
// left with its filter and order.
func (m *Model) begin() tea.Cmd {
	s := m.options.Session
	place, err := nav.Parse(s.Place)
	if _, there := m.tabs.find(place.Kind); err != nil || !there {
		return m.visit(m.options.Start)
	}
	if s.Times >= 0 && s.Times < len(screen.TimeModes) {
		m.env.Times.Mode = screen.TimeModes[s.Times]
	}
	m.env.Room.Compact = s.Compact
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
