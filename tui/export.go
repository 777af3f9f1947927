package tui

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// exportMenu asks for a format and writes the list to a file.
func (m *Model) exportMenu() tea.Cmd {
	export := m.here().Subject().Export
	if export == nil {
		return m.notice("there is no list to export here", true)
	}
	table := export()
	items := []picker.Item{
		{ID: "json", Key: "j", Label: "JSON", Note: "one array"},
		{ID: "ndjson", Key: "n", Label: "NDJSON", Note: "a value a line"},
		{ID: "csv", Key: "c", Label: "CSV", Note: "for spreadsheets"},
	}
	return m.open(m.menu("Export "+text.Plural(len(table.Rows), "row"), items, false, func(format string) tea.Cmd {
		name := "chainscope-" + table.Name + "-" + m.options.Now().UTC().Format("20060102T150405") + "." + format
		return writeExport(filepath.Join(m.options.Exports, name), format, table)
	}))
}

// writeExport writes a new file and tells where it is.
func writeExport(path, format string, table screen.Table) tea.Cmd {
	return func() tea.Msg {
		data, err := encodeExport(format, table)
		if err == nil {
			err = writeNew(path, data)
		}
		if err != nil {
			return screen.NoticeMsg{Text: "not exported: " + err.Error(), Bad: true}
		}
		return screen.NoticeMsg{Text: "exported " + text.Plural(len(table.Rows), "row") + " to " + path}
	}
}

// writeNew never overwrites a file.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func encodeExport(format string, t screen.Table) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "csv":
		w := csv.NewWriter(&b)
		if err := w.Write(t.Columns); err != nil {
			return nil, err
		}
		for _, row := range t.Rows {
			cells := make([]string, len(row))
			for i, c := range row {
				cells[i] = harmless(c)
			}
			if err := w.Write(cells); err != nil {
				return nil, err
			}
		}
		w.Flush()
		return b.Bytes(), w.Error()
	case "ndjson":
		for _, v := range t.JSON {
			if err := json.Compact(&b, v); err != nil {
				return nil, err
			}
			b.WriteByte('\n')
		}
		return b.Bytes(), nil
	}
	all := t.JSON
	if all == nil {
		all = []json.RawMessage{}
	}
	data, err := json.MarshalIndent(all, "", "  ")
	return append(data, '\n'), err
}

// harmless keeps a spreadsheet from taking a cell for a formula: names and
// descriptions come from anybody.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !number(cell) {
		return "'" + cell
	}
	return cell
}

func number(s string) bool {
	return strings.Trim(s, "0123456789.") == "" || s[0] == '-' && len(s) > 1 && strings.Trim(s[1:], "0123456789.") == ""
}
