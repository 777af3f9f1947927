package uitest

import (
	"strings"
	"time"

	"chainscope/tui/widget/detail"

	"github.com/charmbracelet/x/ansi"
)

// RowsByLabel returns what the rows of a detail show and copy, by their labels: the value,
// the note, what is drawn and what is copied, one after the other. Rows with one label
// are joined.
func RowsByLabel(rows []detail.Row, now time.Time) map[string]string {
	fields := map[string]string{}
	for _, r := range rows {
		parts := []string{fields[r.Label], r.Value, r.Note, r.Copy}
		if r.When != nil {
			parts = append(parts, r.When(now))
		}
		if r.Draw != nil {
			parts = append(parts, r.Draw(60)...)
		}
		fields[r.Label] = strings.TrimSpace(ansi.Strip(strings.Join(parts, " ")))
	}
	return fields
}
