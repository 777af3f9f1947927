package tui

import (
	"chainscope/tui/term"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// key routes a key: to the overlay on top, else to the screen, else it is one
// of the frame's own.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	if msg.Type == tea.KeyCtrlC {
		return m.quit()
	}
	if msg.Type == tea.KeyCtrlZ {
		return term.Suspend
	}
	m.toasts.seen()
	if m.desk.dialog.Open() {
		return m.decide(m.desk.dialog.Key(msg, m.options.Now()))
	}
	m.desk.dialog.Passed(msg, m.options.Now())
	if n := len(m.overlays); n > 0 {
		cmd, done := m.overlays[n-1].Key(msg)
		if done {
			m.close()
		}
		return cmd
	}
	if cmd, ok := m.here().Key(msg); ok {
		return cmd
	}
	if m.here().Typing() && msg.Type == tea.KeyRunes {
		return nil
	}
	for _, a := range m.actions() {
		if a.binding != nil && key.Matches(msg, *a.binding) {
			return a.run()
		}
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.quitting = true
	m.here().Leave()
	return tea.Quit
}

// action is something the frame can do, by key or by name in the palette.
type action struct {
	name    string // one word, for the palette; "" when it makes no sense there
	title   string
	binding *key.Binding
	run     func() tea.Cmd
}

// actions lists everything that the frame does.
func (m *Model) actions() []action {
	k := &m.options.Keys.Global
	all := []action{
		{"back", "back in history", &k.Back, m.back},
		{"forward", "forward in history", &k.Forward, m.forward},
		{"", "", &k.Up, m.back},
		{"", "", &k.Palette, func() tea.Cmd { return m.openPalette(":") }},
		{"", "", &k.GoTo, func() tea.Cmd { return m.openPalette("") }},
		{"refresh", "ask again for what is shown", &k.Refresh, m.refresh},
		{"live", "live tail on or off", &k.Live, m.toggleLive},
		{"copy", "copy what is under the cursor", &k.Copy, m.copyMenu},
		{"web", "open in the web explorer", &k.OpenWeb, m.openWeb},
		{"json", "raw JSON of what is under the cursor", &k.RawJSON, m.showJSON},
		{"requests", "inspect the requests", &k.Inspector, m.inspect},
		{"export", "export the list to a file", &k.Export, m.exportMenu},
		{"bookmark", "bookmark this place", &k.Bookmark, m.bookmark},
		{"bookmarks", "show the bookmarks", &k.Bookmarks, m.showBookmarks},
		{"time", "age, local time or UTC", &k.Time, m.cycleTimes},
		{"theme", "next theme", &k.Theme, m.cycleTheme},
		{"mock", "control the mock server", &k.MockPanel, m.mockPanel},
		{"mouse", "mouse on or off", &k.Mouse, m.toggleMouse},
		{"help", "all keys", &k.Help, m.help},
		{"quit", "leave chainscope", &k.Quit, m.quit},
	}
	for i, b := range []*key.Binding{&k.Tab1, &k.Tab2, &k.Tab3, &k.Tab4, &k.Tab5} {
		if i < len(m.tabs) {
			all = append(all, action{"", "", b, func() tea.Cmd { return m.openTab(i) }})
		}
	}
	return all
}

// openTab goes to a tab, where it was left; to its begin when one is there.
func (m *Model) openTab(at int) tea.Cmd {
	t := m.tabs[at]
	if at == m.current {
		return m.visit(tabPlace(t.kind))
	}
	m.history.Save(m.here().State())
	m.here().Leave()
	m.history.Replace(m.here().Place())
	p := t.screen.Place()
	if p.Kind == "" {
		p = tabPlace(t.kind) // never been there
	}
	m.history.Visit(p)
	return m.arrive(at, p, t.screen.State())
}

func (m *Model) refresh() tea.Cmd {
	m.nextLive = m.options.Now().Add(m.options.Poll)
	return m.here().Refresh()
}

func (m *Model) toggleLive() tea.Cmd {
	m.live = !m.live
	if !m.live {
		return m.toasts.show("live tail is off", false, m.options.Now())
	}
	m.nextLive = m.options.Now().Add(m.options.Poll)
	return tea.Batch(m.toasts.show("live tail is on", false, m.options.Now()), m.here().Live())
}

func (m *Model) openWeb() tea.Cmd {
	url := m.here().Subject().Web
	if url == "" {
		return m.toasts.show("the web explorer has no page for this", true, m.options.Now())
	}
	return term.Open(url)
}

func (m *Model) cycleTimes() tea.Cmd {
	m.env.Times.Next()
	for _, t := range m.tabs {
		t.screen.Redraw()
	}
	return m.toasts.show("times are shown as "+m.env.Times.Name(), false, m.options.Now())
}

func (m *Model) cycleTheme() tea.Cmd {
	name := theme.Next(m.theme.Name)
	th, err := theme.New(name, m.options.Look)
	if err != nil {
		return m.toasts.show(err.Error(), true, m.options.Now())
	}
	m.options.Theme = name
	m.setTheme(th)
	return m.toasts.show("theme "+name, false, m.options.Now())
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	word := "the mouse is off: select text as ever"
	if m.mouse {
		word = "the mouse is on"
	}
	return tea.Batch(term.Mouse(m.mouse), m.toasts.show(word, false, m.options.Now()))
}

// notice shows a sentence.
func (m *Model) notice(text string, bad bool) tea.Cmd {
	return m.toasts.show(text, bad, m.options.Now())
}
