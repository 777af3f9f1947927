package tokens

import (
	"strings"
	"unicode/utf8"

	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// foldAt is the number of lines of a value that are shown before it is folded.
const foldAt = 8

// laidOut bounds, in bytes, what of a value is laid out before somebody wants
// it whole: rows are made between two keys.
const laidOut = 16 << 10

// Describe returns the fields of the token that is open.
func (s *Screen) Describe() (string, []detail.Row) {
	a, ok := s.token.Get()
	if !ok || !isToken(s.place) {
		return "", nil
	}
	rows := []detail.Row{
		{Draw: func(width int) []string { return s.tokenHead(a, width) }},
		{Draw: func(width int) []string { return s.pictureAbove(a.name(), width) }},
	}
	return a.place.String(), append(rows, s.rowsOf(s.withOwner(a), s.DetailWidth())...)
}

// rowsOf makes the rows of the detail for a width. Long values that are not
// wanted whole are folded.
func (s *Screen) rowsOf(sections []section, width int) []detail.Row {
	var rows []detail.Row
	room := valueWidth(sections, width)
	n := 0
	for _, part := range sections {
		rows = append(rows, detail.Row{Label: part.Title, Heading: true})
		for _, f := range part.Fields {
			row, long := rowOf(f, room, s.open[n])
			if row.URL == "" && row.To == nil {
				row.URL = s.web(f)
			}
			if f.picture() {
				row.ID = pictureRow
			}
			s.follows(&row, f, long, n)
			rows = append(rows, row)
			n++
		}
	}
	return rows
}

// follows gives a row what enter does on it: open a page, or show a long value
// whole or folded.
func (s *Screen) follows(row *detail.Row, f field, long bool, number int) {
	switch {
	case row.To != nil:
	case f.Emphasis == address:
		row.Action = "open in the browser"
		row.Do = func() tea.Cmd {
			to, reason := openable(f.Value)
			if to == "" {
				return screen.Notice("Not opened: " + reason + ".")
			}
			return term.Open(to)
		}
	case row.URL != "":
		page := row.URL
		row.Action, row.Do = "open in the browser", func() tea.Cmd { return term.Open(page) }
	case long || f.short():
		row.Action = "show it whole or folded"
		row.Do = func() tea.Cmd {
			s.open[number] = !s.open[number]
			s.Fill()
			return nil
		}
	}
}

// valueWidth returns about how many cells the widget leaves to values.
func valueWidth(sections []section, width int) int {
	label := 0
	for _, s := range sections {
		for _, f := range s.Fields {
			label = max(label, text.Width(text.Line(f.Label)))
		}
	}
	return max(8, width-4-min(label, max(6, width/3)))
}

func rowOf(f field, room int, open bool) (row detail.Row, long bool) {
	row = detail.Row{Label: text.Line(f.Label), Value: f.Value, Copy: f.Value, Note: f.Note, Short: f.short() && !open}
	huge := len(f.Value) > laidOut && !open
	switch {
	case huge:
		cut := laidOut
		for cut > 0 && !utf8.RuneStart(f.Value[cut]) {
			cut--
		}
		row.Value = f.Value[:cut]
	case f.Emphasis == code && len(f.Value) > room:
		row.Value = indented(f.Value)
	}
	switch f.Emphasis {
	case number:
		row.Role = detail.Number
	case missing, remark:
		row.Role, row.Copy = detail.Muted, ""
	case address:
		if to, _ := openable(f.Value); to != "" {
			row.URL = to
		}
	}
	row.To = f.To
	lines := text.Block(row.Value, room)
	if long = huge || len(lines) > foldAt; long && !open {
		more := text.Plural(len(lines)-foldAt+1, "more line")
		if huge {
			more = text.Bytes(int64(len(f.Value))) + " in all"
		}
		row.Value = strings.Join(lines[:foldAt-1], "\n")
		row.Note = joinNotes(row.Note, more+": enter")
	}
	if f.Hidden > 0 {
		row.Role = detail.Warn
		row.Note = joinNotes(row.Note, text.Plural(f.Hidden, "hidden character"))
	}
	return row, long
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "  " + b
}
