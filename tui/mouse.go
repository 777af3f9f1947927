package tui

import (
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// mouseEvent turns the wheel into arrow keys, a click on the first line into a tab, and a
// click on the last line into the key named there. Other clicks go to the overlay on top or
// to the screen. A click never answers an approval.
func (m *Model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.key(tea.KeyMsg{Type: tea.KeyUp}, true)
	case tea.MouseButtonWheelDown:
		return m.key(tea.KeyMsg{Type: tea.KeyDown}, true)
	case tea.MouseButtonLeft:
		if !m.prompt.dialog.Open() && !m.tooSmall() {
			return m.click(msg.X, msg.Y)
		}
	}
	return nil
}

func (m *Model) click(x, y int) tea.Cmd {
	if m.overlays.open() {
		return m.overlays.click(x, y, m.options.Now(), m.width, m.height)
	}
	switch {
	case y == 0:
		if at, ok := m.header().tabAt(x); ok {
			return m.openTab(at)
		}
		if m.header().atBadge(x) && m.options.Other != nil {
			return m.use(m.tools().commands(m.commands(), apiWord+" "))
		}
	case y == m.height-1 && m.footer().longNotice() == nil:
		if name := hintAt(m.footer().hintLine(m.currentScreen().Status(), m.currentScreen().Subject(), m.currentScreen().Typing(), m.options.Keys), x); name != "" {
			return m.key(keymap.Message(name), true)
		}
	case y >= headLines && y < m.height-footLines:
		if s, ok := m.currentScreen().(screen.Clicker); ok {
			return s.Click(x, y-headLines)
		}
	}
	return nil
}

// hintAt returns the key named by the hint at a column, "" if there is none.
func hintAt(line string, x int) string {
	line = ansi.Strip(line)
	at := 0
	for _, hint := range strings.Split(line, hintGap) {
		width := text.Width(hint)
		if x >= at && x < at+width {
			name, _, _ := strings.Cut(strings.TrimSpace(hint), " ")
			return name
		}
		at += width + text.Width(hintGap)
	}
	return ""
}
