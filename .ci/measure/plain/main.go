// Command plain is a list of blocks as a bubbletea program usually is: one model,
// one View, the framework's own renderer. It asks nobody for anything, so what it
// costs is what the framework costs; chainscope is measured beside it.
package main

import (
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// rows in the list.
const rows = 1000

type styles struct{ title, rule, chosen lipgloss.Style }

type model struct {
	styles                     styles
	width, height, cursor, top int
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	page := max(m.height-4, 1)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		page = max(m.height-4, 1)
	case tea.KeyMsg:
		switch msg.String() {
		case "q", "ctrl+c":
			return m, tea.Quit
		case "j", "down":
			m.cursor++
		case "k", "up":
			m.cursor--
		case "pgdown":
			m.cursor += page
		case "pgup":
			m.cursor -= page
		}
	}
	m.cursor = min(max(m.cursor, 0), rows-1)
	m.top = min(max(m.top, m.cursor-page+1), m.cursor)
	return m, nil
}

func (m model) View() string {
	if m.width == 0 {
		return ""
	}
	rule := m.styles.rule.Render(strings.Repeat("─", m.width))
	lines := []string{m.styles.title.Render("READY  blocks"), rule}
	for i := m.top; i < m.top+m.height-4; i++ {
		line := ""
		if i < rows {
			line = fmt.Sprintf("%9d  0x%064x  %3d tx  2026-01-01 00:00:00", 1_000_000-i, uint64(i)*0x9e3779b97f4a7c15, i*7%200)
			line = line[:min(len(line), m.width)]
		}
		if i == m.cursor {
			line = m.styles.chosen.Width(m.width).Render(line)
		}
		lines = append(lines, line)
	}
	lines = append(lines, rule, m.styles.title.Render(fmt.Sprintf("row %d of %d", m.cursor+1, rows)))
	return strings.Join(lines, "\n")
}

func main() {
	m := model{styles: styles{
		title:  lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("69")),
		rule:   lipgloss.NewStyle().Foreground(lipgloss.Color("242")),
		chosen: lipgloss.NewStyle().Reverse(true),
	}}
	if _, err := tea.NewProgram(m, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
