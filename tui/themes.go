package tui

import (
	"strconv"

	"chainscope/tui/overlay/menu"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// themeNotes say what each built-in theme is for.
var themeNotes = map[string]string{
	"dark": "for dark backgrounds", "light": "for light backgrounds", "ansi": "the terminal's own 16 colors",
	"mono": "no colors", "high-contrast": "follows the background",
}

// themeCells is the width of the box: narrow, so that what lies behind is seen.
const themeCells = 52

// themes opens the choice of a theme. The screen is drawn in the one under the cursor.
func (m *Model) themes() tea.Cmd {
	before := m.theme
	var items []picker.Item
	for i, name := range theme.Names() {
		items = append(items, picker.Item{ID: name, Key: strconv.Itoa(i + 1), Label: name, Note: themeNotes[name]})
	}
	for _, f := range m.options.Look.Files {
		item := picker.Item{ID: f.Name, Label: f.Name, Note: f.Path}
		if n := len(items) + 1; n < 10 {
			item.Key = strconv.Itoa(n)
		}
		if f.Err != nil {
			item.Off = f.Err.Error()
		} else if n := len(m.options.Look.Warnings(f.Name)); n > 0 {
			item.Note = text.Plural(n, "color") + " hard to read; " + f.Path
		}
		items = append(items, item)
	}
	box := menu.New(m.theme, "Theme", items, false, m.chooseTheme)
	box.Hint, box.Width = "enter keep  esc back to "+before.Name, themeCells
	box.Picker.Select(before.Name)
	box.Moved = func(name string) tea.Cmd {
		th, err := theme.New(name, m.options.Look)
		if err != nil {
			return m.say(err.Error(), true) // in whole: the row has little room
		}
		m.setTheme(th)
		return nil
	}
	box.Closed = func() tea.Cmd {
		m.setTheme(before)
		return nil
	}
	m.overlays.push(box)
	return nil
}

// chooseTheme changes the theme for good.
func (m *Model) chooseTheme(name string) tea.Cmd {
	th, err := theme.New(name, m.options.Look)
	if err != nil {
		return m.say(err.Error(), true)
	}
	m.options.Theme, m.chosenTheme = name, true
	m.setTheme(th)
	return m.sayTheme(name)
}

// sayTheme names the theme, and what of it is hard to read.
func (m *Model) sayTheme(name string) tea.Cmd {
	if all := m.options.Look.Warnings(name); len(all) > 0 {
		words := "theme " + name + ": " + all[0]
		if more := len(all) - 1; more > 0 {
			words += ", and " + strconv.Itoa(more) + " more"
		}
		return m.say(words, true)
	}
	return m.say("theme "+name, false)
}
