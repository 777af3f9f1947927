// Package export is the box that asks for a format and writes a list to a file.
package export

import (
	"path/filepath"
	"time"

	"chainscope/tui/overlay"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

var formats = []picker.Item{
	{ID: "json", Key: "j", Label: "JSON", Note: "one array"},
	{ID: "ndjson", Key: "n", Label: "NDJSON", Note: "one value per line"},
	{ID: "csv", Key: "c", Label: "CSV", Note: "for spreadsheets"},
}

// New returns the menu that writes a table into a folder, "" for the current
// one. The time becomes part of the file's name.
func New(th *theme.Theme, table screen.Table, folder string, now func() time.Time) *overlay.Menu {
	m := overlay.NewMenu(th, "Export "+text.Plural(len(table.Rows), "row"), formats, false, func(format string) tea.Cmd {
		name := "chainscope-" + table.Name + "-" + now().UTC().Format("20060102T150405") + "." + format
		return write(absolute(filepath.Join(folder, name)), format, table)
	})
	m.Hint = "press a key, or Enter  esc close"
	return m
}

// absolute returns the whole path, or the path as it is where the current
// folder is gone.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// write returns the command that writes a new file and says where it is.
func write(path, format string, table screen.Table) tea.Cmd {
	return func() tea.Msg {
		data, err := encode(format, table)
		if err == nil {
			err = writeNew(path, data)
		}
		if err != nil {
			return overlay.Fail("not exported: " + err.Error())()
		}
		return screen.NoticeMsg{Text: "exported " + text.Plural(len(table.Rows), "row") + " to " + path}
	}
}
