package tui

import (
	"fmt"

	"chainscope/tui/shellquote"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// copyMenu lists what can be copied of what is under the cursor.
func (m *Model) copyMenu() tea.Cmd {
	s := m.here().Subject()
	texts := map[string]string{}
	var items []picker.Item
	add := func(key, label, content, note string) {
		if content == "" || texts[label] != "" {
			return
		}
		texts[label] = content
		items = append(items, picker.Item{ID: label, Key: key, Label: label, Note: note})
	}
	for _, c := range s.Copies {
		add(c.Key, c.Label, c.Text, text.Middle(c.Text, 48))
	}
	if s.Raw != nil {
		add("j", "JSON", string(s.Raw), text.Bytes(int64(len(s.Raw))))
	}
	id := s.ExchangeID
	if id == 0 {
		id = m.here().Status().ExchangeID
	}
	if e, ok := m.options.Client.Log().Get(id); ok {
		add("u", "URL", e.URL, text.Middle(e.URL, 48))
		add("c", "curl", e.Curl(), "the request as a command")
	}
	if args, exact := m.Place().Command(); exact {
		line := shellquote.Command(append([]string{"chainscope"}, args...)...)
		add("l", "command line", line, text.Middle(line, 48))
	}
	add("w", "web explorer", s.Web, text.Middle(s.Web, 48))
	if len(items) == 0 {
		return m.notice("there is nothing to copy here", true)
	}
	return m.open(m.menu(fmt.Sprintf("Copy  %s", text.Truncate(s.Title, 60)), items, false, func(id string) tea.Cmd {
		return term.Copy(texts[id])
	}))
}
