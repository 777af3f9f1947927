package tui

import (
	"chainscope/tui/keymap"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/screen"
	"chainscope/tui/term"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// action is something the frame does on a key and, if it has a title, from the command
// palette.
type action struct {
	group   string // what it belongs to
	title   string // "" keeps it out of the command palette
	binding *key.Binding
	run     func() tea.Cmd
	// here reports whether the action is available now; nil means always.
	here func() bool
}

// actions returns everything that the frame does.
func (m *Model) actions() []action {
	k := &m.options.Keys.Global
	with := func(tool func(tools) result) func() tea.Cmd {
		return func() tea.Cmd { return m.use(tool(m.tools())) }
	}
	has := func(there func(screen.Subject) bool) func() bool {
		return func() bool { return there(m.currentScreen().Subject()) }
	}
	tabular := func() bool { return m.tools().tabular() != nil }
	kept := func() bool { return m.options.Store != nil }
	all := []action{
		{"", "", &k.Up, m.up, nil},
		{"", "", &k.Palette, func() tea.Cmd { return m.use(m.tools().commands(m.commands(), "")) }, nil},
		{"go", "Go to anything", &k.GoTo, func() tea.Cmd { return m.goTo("") }, nil},
		{"go", "Back in history", &k.Back, m.back, m.history.CanBack},
		{"go", "Forward in history", &k.Forward, m.forward, m.history.CanForward},
		{"go", "Bookmark this place, or forget it", &k.Bookmark, with(tools.bookmark), kept},
		{"go", "Bookmarks", &k.Bookmarks, with(tools.bookmarks), kept},
		{"go", "What became of your transaction", &k.Mine, func() tea.Cmd { return openMine(m) }, func() bool { return len(m.mine.news) > 0 }},
		{"here", "Label of the account or contract under the cursor", &k.Label, with(tools.label), func() bool { return kept() && len(m.tools().principals()) > 0 }},
		{"here", "Copy what is under the cursor", &k.Copy, with(tools.copyMenu), func() bool { return m.tools().copyMenu().refusal == "" }},
		{"here", "Open in the web explorer", &k.OpenWeb, with(tools.openWeb), has(func(s screen.Subject) bool { return s.Web != "" })},
		{"here", "Raw JSON of what is under the cursor", &k.RawJSON, with(tools.rawJSON), has(func(s screen.Subject) bool { return len(s.Raw) > 0 })},
		{"here", "Export the list to a file", &k.Export, with(tools.export), has(func(s screen.Subject) bool { return s.Export != nil })},
		{"here", "Sort the list by a column", &k.Sort, with(tools.sort), tabular},
		{"here", "How often each value of a column is there", &k.Count, with(tools.count), tabular},
		{"here", "Mark, then compare with another", &k.Compare, m.compare, has(func(s screen.Subject) bool { return len(s.Raw) > 0 })},
		{"here", "Refresh: ask again for what is shown", &k.Refresh, m.refresh, nil},
		{"view", "Live tail on or off", &k.Live, m.toggleLive, nil},
		{"view", "The requests behind the screens", &k.Inspector, func() tea.Cmd { return inspect(m) }, nil},
		{"view", "Times as age, local time or UTC", &k.Time, m.cycleTimes, nil},
		{"view", "Choose a theme", &k.Theme, func() tea.Cmd { return m.use(result{box: m.themeMenu()}) }, nil},
		{"view", "Mouse on or off", &k.Mouse, m.toggleMouse, nil},
		{"mock", "Control the mock server", &k.MockPanel, with(tools.mockPanel), func() bool { return m.options.Mock != nil }},
		{"view", "Help: all keys", &k.Help, with(tools.help), nil},
		{"view", "Quit", &k.Quit, m.quit, nil},
	}
	for binding, words := range unused(k) {
		all = append(all, action{"", "", binding, func() tea.Cmd { return m.showNotice(words, false) }, nil})
	}
	for i, b := range m.tabs.keys(k) {
		all = append(all, action{"", "", b, func() tea.Cmd { return m.openTab(i) }, nil})
	}
	return all
}

// commands returns what is available now: the actions of the frame, of the screens and of
// the mock.
func (m *Model) commands() []screen.Named {
	var out []screen.Named
	k := &m.options.Keys.Global
	for _, a := range m.actions() {
		if a.title != "" && (a.here == nil || a.here()) {
			out = append(out, screen.Named{Kind: a.group, Title: a.title, Key: keymap.First(*a.binding), Run: a.run})
		}
	}
	out = append(out, apiCommands(&m.options)...)
	out = append(out, customCommands(m.options.Own, m.runOwn)...)
	for _, name := range m.options.Look.Names() {
		if name != m.theme.Name {
			out = append(out, screen.Named{Kind: "view", Title: "Theme: " + name, Key: keymap.First(k.Theme), Run: func() tea.Cmd { return m.chooseTheme(name) }})
		}
	}
	for i, t := range m.tabs {
		if c, ok := t.screen.(screen.Commander); ok {
			for _, one := range c.Commands() {
				if one.Key != "" && i != m.current {
					one.Key = keymap.First(*m.tabs.keys(k)[i]) + " " + one.Key
				}
				out = append(out, one)
			}
		}
	}
	if m.options.Mock != nil {
		out = append(out, mockpanel.Commands(m.options.Context, m.options.Mock, m.options.follower(), keymap.First(k.MockPanel))...)
	}
	return out
}

// useKey does what a key of the frame does.
func (m *Model) useKey(binding *key.Binding) tea.Cmd {
	for _, a := range m.actions() {
		if a.binding == binding {
			return a.run()
		}
	}
	return nil
}

// runNamed goes to the place of a command, if it has one, and runs it.
func (m *Model) runNamed(c screen.Named) tea.Cmd {
	if at, ok := m.tabs.find(c.Place); ok && c.Place.Kind != "" && at != m.current {
		return tea.Batch(m.visit(c.Place), c.Run())
	}
	return c.Run()
}

// unused returns what to say when a key that only some places use is pressed elsewhere.
func unused(k *keymap.Global) map[*key.Binding]string {
	return map[*key.Binding]string{
		&k.NextPane: "there is no other pane here",
		&k.PrevPane: "there is no other pane here",
		&k.Grow:     "there is no detail beside a list here",
		&k.Shrink:   "there is no detail beside a list here",
		&k.Context:  "there is no context pane here: it needs a wider window",
		&k.Density:  "rows have only one height here",
	}
}

// tools returns the tools for the current place.
func (m *Model) tools() tools {
	return tools{options: &m.options, theme: m.theme, called: m.called, screen: m.currentScreen(), landing: m.tabs[m.current].place(), env: m.env}
}

// use opens the box that a tool made, or says why there is none.
func (m *Model) use(r result) tea.Cmd {
	if r.refusal != "" {
		return m.showNotice(r.refusal, true)
	}
	if r.box != nil {
		m.overlays.push(r.box)
	}
	return r.cmd
}

// compare marks what is under the cursor, or compares it with what is marked.
func (m *Model) compare() tea.Cmd {
	r, marked := m.tools().compare(m.marked)
	before := m.marked
	m.marked = marked
	switch {
	case marked == nil:
		m.showNotice("nothing is marked any more", false)
	case marked != before:
		m.showNotice("marked "+marked.side.Title+": "+keymap.First(m.options.Keys.Global.Compare)+" on another compares the two", false)
	}
	return m.use(r)
}

func (m *Model) quit() tea.Cmd {
	m.quitting = true
	session, store, network := m.session(), m.options.Store, m.options.Network
	m.currentScreen().Leave()
	return func() tea.Msg {
		session.save(store, network)
		return tea.QuitMsg{}
	}
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	words := "mouse off: the terminal selects text again"
	if m.mouse {
		words = "mouse on"
	}
	m.showNotice(words, false)
	return term.Mouse(m.mouse)
}
