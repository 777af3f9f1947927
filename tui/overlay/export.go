package overlay

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// writeNew writes a file that must not exist yet.
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

// encodeTable writes the table in a format.
func encodeTable(format string, t screen.Table) ([]byte, error) {
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

// harmless keeps a spreadsheet from reading a cell as a formula: names and
// descriptions are untrusted text.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !number(cell) {
		return "'" + cell
	}
	return cell
}

func number(s string) bool {
	return strings.Trim(s, "0123456789.") == "" || s[0] == '-' && len(s) > 1 && strings.Trim(s[1:], "0123456789.") == ""
}
