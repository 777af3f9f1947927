package tui

import (
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/screen"
	"chainscope/tui/usercommand"

	tea "github.com/charmbracelet/bubbletea"
)

// ranMsg is the output of a custom command.
type ranMsg struct {
	name, printed string
	err           error
	from          nav.Place // the place it was started from
}

// customCommands returns the user's own commands, for the command palette.
func customCommands(all []usercommand.Command, run func(usercommand.Command) tea.Cmd) []screen.Named {
	var out []screen.Named
	for _, c := range all {
		out = append(out, screen.Named{Kind: "own", Title: c.Name, Key: c.Key, Run: func() tea.Cmd { return run(c) }})
	}
	return out
}

// customCommand returns the command of a key, and reports whether there is one.
func customCommand(all []usercommand.Command, msg tea.KeyMsg) (usercommand.Command, bool) {
	for _, c := range all {
		if c.Key == msg.String() {
			return c, true
		}
	}
	return usercommand.Command{}, false
}

// runOwn runs a command on what is under the cursor.
func (m *Model) runOwn(c usercommand.Command) tea.Cmd {
	if printed, waits := m.printed[c.Name]; waits {
		delete(m.printed, c.Name)
		m.overlays.push(overlay.NewOutput(m.theme, c.Name, printed))
		return nil
	}
	ctx, thing, from := m.options.Context, m.tools().subject(), m.Place()
	m.showNotice(c.Name+" runs", false)
	return func() tea.Msg {
		printed, err := c.Do(ctx, thing)
		return ranMsg{c.Name, printed, err, from}
	}
}

// ran shows what a command printed, or why it failed. It does not interrupt a user who has
// moved on: running the command again shows the output.
func (m *Model) ran(msg ranMsg) tea.Cmd {
	words := " has run"
	if msg.err != nil {
		words = ": " + msg.err.Error()
	}
	if elsewhere := m.Place() != msg.from || m.overlays.open() || m.currentScreen().Typing() || m.prompt.dialog.Open(); msg.printed != "" && elsewhere {
		words += "; run it again to see what it printed"
		if m.printed == nil {
			m.printed = map[string]string{}
		}
		m.printed[msg.name] = msg.printed
	} else if msg.printed != "" {
		m.overlays.push(overlay.NewOutput(m.theme, msg.name, msg.printed))
	}
	return m.showNotice(msg.name+words, msg.err != nil)
}
