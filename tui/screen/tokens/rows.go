package tokens

import (
	"strings"
	"unicode/utf8"

	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
)

// foldAt is how many lines of a value are shown before it is folded.
const foldAt = 8

// laidOut bounds, in bytes, what of a value is laid out before somebody wants
// it whole: rows are made between two keys.
const laidOut = 16 << 10

// rowRef is what a row of the detail stands for.
type rowRef struct {
	field  field
	number int  // among all fields, -1 for a row that is none
	long   bool // its value has more lines than foldAt
}

// rowsOf makes the rows of the detail widget for a width. open are the rows,
// by their number among all fields, whose long values are wanted whole. The
// refs go with the rows, one each. web finds the page of a field in the web
// explorer.
func rowsOf(sections []section, width int, open map[int]bool, web func(field) string) (rows []detail.Row, refs []rowRef) {
	room := valueRoom(sections, width)
	n := 0
	for _, s := range sections {
		rows = append(rows, detail.Row{Label: s.Title, Heading: true})
		refs = append(refs, rowRef{number: -1})
		for _, f := range s.Fields {
			row, long := rowOf(f, room, open[n])
			if row.URL == "" && row.To == nil {
				row.URL = web(f)
			}
			rows = append(rows, row)
			refs = append(refs, rowRef{field: f, number: n, long: long})
			n++
		}
	}
	return rows, refs
}

// valueRoom is about how many cells the widget leaves to values.
func valueRoom(sections []section, width int) int {
	label := 0
	for _, s := range sections {
		for _, f := range s.Fields {
			label = max(label, text.Width(text.Line(f.Label)))
		}
	}
	return max(8, width-4-min(label, max(6, width/3)))
}

func rowOf(f field, room int, open bool) (row detail.Row, long bool) {
	row = detail.Row{Label: text.Line(f.Label), Value: f.Value, Copy: f.Value, Note: f.Note, Short: f.Short && !open}
	huge := len(f.Value) > laidOut && !open
	switch {
	case huge:
		cut := laidOut
		for cut > 0 && !utf8.RuneStart(f.Value[cut]) {
			cut--
		}
		row.Value = f.Value[:cut]
	case f.Look == code && len(f.Value) > room:
		row.Value = indented(f.Value)
	}
	switch f.Look {
	case number:
		row.Role = detail.Number
	case missing, remark:
		row.Role, row.Copy = detail.Muted, ""
	case address:
		if to, _ := openable(f.Value); to != "" {
			row.URL = to
		}
	}
	if f.To.Kind != "" {
		to := f.To
		row.To = &to
	}
	lines := text.Block(row.Value, room)
	if long = huge || len(lines) > foldAt; long && !open {
		more := text.Plural(len(lines)-foldAt+1, "more line")
		if huge {
			more = text.Bytes(int64(len(f.Value))) + " in all"
		}
		row.Value = strings.Join(lines[:foldAt-1], "\n")
		row.Note = joinNotes(row.Note, more+", enter shows them")
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
