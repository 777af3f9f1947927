package tui

import (
	"chainscope/tui/custom"
	"chainscope/tui/overlay/output"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// ranMsg is what a command of the user's own printed.
type ranMsg struct {
	name, printed string
	err           error
}

// ownCommands are the user's own commands, for the box of commands.
func (m *Model) ownCommands() []screen.Named {
	var out []screen.Named
	for _, c := range m.options.Own {
		out = append(out, screen.Named{Kind: "own", Title: c.Name, Key: c.Key, Run: func() tea.Cmd { return m.runOwn(c) }})
	}
	return out
}

// ownKey runs the command of a key; false when it has none.
func (m *Model) ownKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	for _, c := range m.options.Own {
		if c.Key == msg.String() {
			return m.runOwn(c), true
		}
	}
	return nil, false
}

// runOwn runs a command on what is under the cursor.
func (m *Model) runOwn(c custom.Command) tea.Cmd {
	ctx, thing := m.options.Context, m.thing()
	m.say(c.Name+" runs", false)
	return func() tea.Msg {
		printed, err := c.Do(ctx, thing)
		return ranMsg{c.Name, printed, err}
	}
}

// thing is what is under the cursor, as a command gets it: the address in the web
// explorer, or else of the request; the hash, or else what is copied first.
func (m *Model) thing() custom.Thing {
	s := m.currentScreen().Subject()
	t := custom.Thing{URL: s.Web, JSON: string(s.Raw), Place: m.Place().String()}
	if e := m.tools().exchange(); e != nil && t.URL == "" {
		t.URL = e.URL
	}
	for i, c := range s.Copies {
		if i == 0 || c.Label == "hash" {
			t.Hash = c.Text
		}
	}
	return t
}

// ran shows what a command printed, or why it failed.
func (m *Model) ran(msg ranMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.name+": "+msg.err.Error(), true)
	} else {
		m.say(msg.name+" has run", false)
	}
	if msg.printed != "" {
		m.overlays.push(output.New(m.theme, msg.name, msg.printed))
	}
	return nil
}
