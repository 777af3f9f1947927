package tui

import (
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// action is something that the frame can do, by key or by name in the palette.
type action struct {
	name    string // one word, for the palette; "" when it makes no sense there
	title   string
	binding *key.Binding
	run     func() tea.Cmd
}

// actions lists everything that the frame does.
func (m *Model) actions() []action {
	k := &m.options.Keys.Global
	with := func(tool func(tools) result) func() tea.Cmd {
		return func() tea.Cmd { return m.use(tool(m.tools())) }
	}
	all := []action{
		{"back", "back in history", &k.Back, m.back},
		{"forward", "forward in history", &k.Forward, m.forward},
		{"", "", &k.Up, m.back},
		{"", "", &k.Palette, func() tea.Cmd { return m.openPalette(":") }},
		{"", "", &k.GoTo, func() tea.Cmd { return m.openPalette("") }},
		{"refresh", "ask again for what is shown", &k.Refresh, m.refresh},
		{"live", "live tail on or off", &k.Live, m.toggleLive},
		{"copy", "copy what is under the cursor", &k.Copy, with(tools.copyMenu)},
		{"web", "open in the web explorer", &k.OpenWeb, with(tools.openWeb)},
		{"json", "raw JSON of what is under the cursor", &k.RawJSON, with(tools.rawJSON)},
		{"requests", "inspect the requests", &k.Inspector, with(tools.inspector)},
		{"export", "export the list to a file", &k.Export, with(tools.export)},
		{"bookmark", "bookmark this place", &k.Bookmark, with(tools.bookmark)},
		{"bookmarks", "show the bookmarks", &k.Bookmarks, with(tools.bookmarks)},
		{"time", "age, local time or UTC", &k.Time, m.cycleTimes},
		{"theme", "next theme", &k.Theme, m.cycleTheme},
		{"mock", "control the mock server", &k.MockPanel, with(tools.mockPanel)},
		{"mouse", "mouse on or off", &k.Mouse, m.toggleMouse},
		{"help", "all keys", &k.Help, with(tools.help)},
		{"quit", "leave chainscope", &k.Quit, m.quit},
	}
	for binding, words := range unused(k) {
		all = append(all, action{"", "", binding, func() tea.Cmd { return m.say(words, false) }})
	}
	for i, b := range []*key.Binding{&k.Tab1, &k.Tab2, &k.Tab3, &k.Tab4, &k.Tab5} {
		if i < len(m.tabs) {
			all = append(all, action{"", "", b, func() tea.Cmd { return m.openTab(i) }})
		}
	}
	return all
}

// unused returns what the frame says about keys that places have for themselves,
// where a place has no use for one.
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

// tools returns what works on the place that one is at.
func (m *Model) tools() tools {
	return tools{options: &m.options, theme: m.theme, screen: m.currentScreen(), landing: m.tabs[m.current].place()}
}

// use opens the box that a tool made, or says why there is none.
func (m *Model) use(r result) tea.Cmd {
	if r.refusal != "" {
		return m.say(r.refusal, true)
	}
	if r.box != nil {
		m.overlays.push(r.box)
	}
	return r.cmd
}

// openPalette opens the go-to box with a text already typed.
func (m *Model) openPalette(typed string) tea.Cmd {
	var commands []nav.Command
	for _, a := range m.actions() {
		if a.name != "" {
			commands = append(commands, nav.Command{Name: a.name, Title: a.title, Key: a.binding.Help().Key})
		}
	}
	return m.use(m.tools().palette(typed, m.tabs, commands))
}

// runCommand runs an action by its name.
func (m *Model) runCommand(name string) tea.Cmd {
	for _, a := range m.actions() {
		if a.name == name {
			return a.run()
		}
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.quitting = true
	m.currentScreen().Leave()
	return tea.Quit
}

func (m *Model) refresh() tea.Cmd {
	m.live.rest(m.options.Now())
	return m.currentScreen().Refresh()
}

func (m *Model) toggleLive() tea.Cmd {
	m.live.on = !m.live.on
	if !m.live.on {
		return m.say("live tail is off", false)
	}
	m.live.rest(m.options.Now())
	m.say("live tail is on", false)
	return m.currentScreen().Live()
}

func (m *Model) cycleTimes() tea.Cmd {
	m.env.Times.Next()
	m.tabs.redraw()
	return m.say("times are shown as "+m.env.Times.Name(), false)
}

func (m *Model) cycleTheme() tea.Cmd {
	name := theme.Next(m.theme.Name)
	th, err := theme.New(name, m.options.Look)
	if err != nil {
		return m.say(err.Error(), true)
	}
	m.options.Theme = name
	m.setTheme(th)
	return m.say("theme "+name, false)
}

func (m *Model) toggleMouse() tea.Cmd {
	m.mouse = !m.mouse
	words := "mouse off: the terminal selects text again"
	if m.mouse {
		words = "mouse on"
	}
	m.say(words, false)
	return term.Mouse(m.mouse)
}
