package overlay

import (
	"path/filepath"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

var exportFormats = []picker.Item{
	{ID: "json", Key: "j", Label: "JSON", Note: "one array"},
	{ID: "ndjson", Key: "n", Label: "NDJSON", Note: "one value per line"},
	{ID: "csv", Key: "c", Label: "CSV", Note: "for spreadsheets"},
}

// Export returns the menu that writes a table into a folder, "" for the current
// one. The time becomes part of the file's name.
func Export(th *theme.Theme, table screen.Table, folder string, now func() time.Time) *Menu {
	m := NewMenu(th, "Export "+text.Plural(len(table.Rows), "row"), exportFormats, false, func(format string) tea.Cmd {
		name := "chainscope-" + table.Name + "-" + now().UTC().Format("20060102T150405") + "." + format
		return export(absolutePath(filepath.Join(folder, name)), format, table)
	})
	m.Hint = "press a key, or Enter  esc close"
	return m
}

// absolutePath returns the whole path, or the path as it is where the current
// folder is gone.
func absolutePath(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// export returns the command that writes a new file and says where it is.
func export(path, format string, table screen.Table) tea.Cmd {
	return func() tea.Msg {
		data, err := encodeTable(format, table)
		if err == nil {
			err = writeNew(path, data)
		}
		if err != nil {
			return Fail("not exported: " + err.Error())()
		}
		return screen.NoticeMsg{Text: "exported " + text.Plural(len(table.Rows), "row") + " to " + path}
	}
}
