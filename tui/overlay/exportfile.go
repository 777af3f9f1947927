package overlay

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"strings"

	"chainscope/tui/screen"
)

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
