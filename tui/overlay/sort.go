package overlay

import (
	"strings"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// Sort returns the menu that sorts a list. The column that it is sorted by
// already is sorted the other way.
func Sort(th *theme.Theme, list screen.Tabular) *Menu {
	t, _ := list.Table()
	now := list.Order()
	var items []picker.Item
	taken := "jkqhx"
	for _, c := range t.Shown() {
		item := picker.Item{ID: c.Name, Key: letterOf(c.Name, taken), Label: c.Name, Note: direction(turned(c, now))}
		taken += item.Key
		if c.Name == now.Column {
			item.Label += "  (now: " + direction(now) + ")"
		}
		items = append(items, item)
	}
	if now.Column != "" {
		items = append(items, picker.Item{Key: "x", Label: "no order", Note: "as the list comes"})
	}
	m := NewMenu(th, "Sort by", items, false, func(name string) tea.Cmd {
		c, _ := t.Find(name)
		return list.SortBy(turned(c, now))
	})
	m.Hint = "press a key, or Enter  esc close"
	return m
}

// turned returns the order that choosing a column makes: the greatest numbers first,
// the youngest first, texts from A to Z.
func turned(c query.Column, now query.Order) query.Order {
	if c.Name == now.Column {
		return query.Order{Column: c.Name, Descending: !now.Descending}
	}
	return query.Order{Column: c.Name, Descending: c.Kind == query.Number}
}

func direction(o query.Order) string {
	if o.Descending {
		return "descending"
	}
	return "ascending"
}

// letterOf returns the first letter of a name that is free, "" for none.
func letterOf(name, taken string) string {
	for _, r := range name {
		if !strings.ContainsRune(taken, r) {
			return string(r)
		}
	}
	return ""
}
