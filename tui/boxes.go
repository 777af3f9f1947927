package tui

import (
	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay/bookmarks"
	"chainscope/tui/overlay/copymenu"
	"chainscope/tui/overlay/export"
	"chainscope/tui/overlay/help"
	"chainscope/tui/overlay/inspector"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/overlay/rawjson"

	tea "github.com/charmbracelet/bubbletea"
)

func (m *Model) openHelp() tea.Cmd {
	m.overlays.push(help.New(m.theme, m.options.Keys, m.currentScreen().Scopes()...))
	return nil
}

// openJSON shows what the server sent, also when it could not be decoded.
func (m *Model) openJSON() tea.Cmd {
	s := m.currentScreen().Subject()
	raw := s.Raw
	if e := m.exchange(); raw == nil && e != nil {
		raw = e.ResponseBody
	}
	if len(raw) == 0 {
		return m.say("there is no JSON here", true)
	}
	m.overlays.push(rawjson.New(m.theme, m.options.Keys, s.Title, raw))
	return nil
}

// exchange returns the request behind what is under the cursor, or else behind
// the screen; nil when it is not known.
func (m *Model) exchange() *apiclient.Exchange {
	id := m.currentScreen().Subject().ExchangeID
	if id == 0 {
		id = m.currentScreen().Status().ExchangeID
	}
	if e, ok := m.options.Client.Log().Get(id); ok {
		return &e
	}
	return nil
}

func (m *Model) openInspector() tea.Cmd {
	var id uint64
	if e := m.exchange(); e != nil {
		id = e.ID
	}
	m.overlays.push(inspector.New(m.theme, m.options.Keys, m.options.Client.Log().Snapshot, id))
	return nil
}

func (m *Model) openCopy() tea.Cmd {
	menu := copymenu.New(m.theme, copymenu.Source{Subject: m.currentScreen().Subject(), Exchange: m.exchange(), Place: m.Place()})
	if menu == nil {
		return m.say("there is nothing to copy here", true)
	}
	m.overlays.push(menu)
	return nil
}

func (m *Model) openExport() tea.Cmd {
	table := m.currentScreen().Subject().Export
	if table == nil {
		return m.say("there is no list to export here", true)
	}
	m.overlays.push(export.New(m.theme, table(), m.options.Exports, m.options.Now))
	return nil
}

const nothingKept = "nothing is saved in this session"

// toggleBookmark keeps the place that one is at, or forgets it.
func (m *Model) toggleBookmark() tea.Cmd {
	if m.options.Store == nil {
		return m.say(nothingKept, true)
	}
	place, title := m.Place(), ""
	if place != m.tabs[m.current].place() {
		title = m.currentScreen().Subject().Title
	}
	return bookmarks.Toggle(m.options.Store, place, title, m.options.Now())
}

func (m *Model) openBookmarks() tea.Cmd {
	if m.options.Store == nil {
		return m.say(nothingKept, true)
	}
	box, read := bookmarks.New(m.theme, m.options.Store)
	m.overlays.push(box)
	return read
}

func (m *Model) openMockPanel() tea.Cmd {
	if m.options.Mock == nil {
		return m.say("this API is not the bundled mock: start with --api mock", true)
	}
	panel, read := mockpanel.New(m.options.Context, m.theme, m.options.Mock)
	m.overlays.push(panel)
	return read
}

// openPalette opens the go-to box with a text already typed.
func (m *Model) openPalette(typed string) tea.Cmd {
	var places []nav.Reading
	for _, t := range m.tabs {
		places = append(places, nav.Reading{Name: "place", About: t.title, Place: t.place()})
	}
	box, read := palette.New(palette.Options{
		Theme: m.theme, Store: m.options.Store, Places: places, Context: m.recogniseContext,
	}, typed)
	m.overlays.push(box)
	return read
}

// recogniseContext returns what the go-to box may take into account.
func (m *Model) recogniseContext() nav.RecogniseContext {
	ctx := nav.RecogniseContext{Here: m.Place(), Loaded: m.tabs.loaded}
	ctx.Tip, ctx.BurnTip = m.tabs.tips()
	for _, a := range m.actions() {
		if a.name != "" {
			ctx.Commands = append(ctx.Commands, nav.Command{Name: a.name, Title: a.title, Key: a.binding.Help().Key})
		}
	}
	return ctx
}
