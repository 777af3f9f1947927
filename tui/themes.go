package tui

import (
	"strconv"

	"chainscope/tui/overlay"
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

// themeCells is the width of the menu, narrow so that the screen behind it stays visible.
const themeCells = 52

// appearance is the theme that everything is drawn in.
type appearance struct {
	theme   *theme.Theme
	chosen  bool // by the user, while the program runs
	options *Options
	draw    func(*theme.Theme) // redraws everything
	notify  func(text string, bad bool) tea.Cmd
}

// setTheme changes the colors of everything.
func (l *appearance) setTheme(th *theme.Theme) {
	l.theme = th
	l.draw(th)
}

// themeMenu returns the choice of a theme. The screen is drawn in the one under the cursor.
func (l *appearance) themeMenu() *overlay.Menu {
	before := l.theme
	var items []picker.Item
	for i, name := range theme.Names() {
		items = append(items, picker.Item{ID: name, Key: strconv.Itoa(i + 1), Label: name, Note: themeNotes[name]})
	}
	for _, f := range l.options.Look.Files {
		item := picker.Item{ID: f.Name, Label: f.Name, Note: f.Path}
		if n := len(items) + 1; n < 10 {
			item.Key = strconv.Itoa(n)
		}
		if f.Err != nil {
			item.Off = f.Err.Error()
		} else if n := len(l.options.Look.Warnings(f.Name)); n > 0 {
			item.Note = text.Plural(n, "color") + " hard to read; " + f.Path
		}
		items = append(items, item)
	}
	box := overlay.NewMenu(l.theme, "Theme", items, false, l.chooseTheme)
	box.Hint, box.Width = "enter keep  esc back to "+before.Name, themeCells
	box.Picker.Select(before.Name)
	box.Moved = func(name string) tea.Cmd {
		th, err := theme.New(name, l.options.Look)
		if err != nil {
			return l.notify(err.Error(), true) // in whole: the row has little room
		}
		l.setTheme(th)
		return nil
	}
	box.Closed = func() tea.Cmd {
		l.setTheme(before)
		return nil
	}
	return box
}

// chooseTheme changes the theme for good.
func (l *appearance) chooseTheme(name string) tea.Cmd {
	th, err := theme.New(name, l.options.Look)
	if err != nil {
		return l.notify(err.Error(), true)
	}
	l.options.Theme, l.chosen = name, true
	l.setTheme(th)
	return l.notifyTheme(name)
}

// notifyTheme names the theme and those of its colors that are hard to read.
func (l *appearance) notifyTheme(name string) tea.Cmd {
	if all := l.options.Look.Warnings(name); len(all) > 0 {
		words := "theme " + name + ": " + all[0]
		if more := len(all) - 1; more > 0 {
			words += ", and " + strconv.Itoa(more) + " more"
		}
		return l.notify(words, true)
	}
	return l.notify("theme "+name, false)
}

// background follows the terminal's background, unless a theme was chosen by name.
func (l *appearance) background(dark bool) tea.Cmd {
	l.options.Look.Dark = dark
	if l.options.Theme != "" && l.options.Theme != "auto" {
		return nil
	}
	if th, err := theme.New("", l.options.Look); err == nil {
		l.setTheme(th)
	}
	return nil
}
