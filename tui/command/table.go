package command

import (
	"io"
	"strconv"
	"strings"

	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// column is one of a table.
type column struct {
	title string
	right bool // its cells stand on the right
}

// leftColumns returns columns with titles, whose cells stand on the left.
func leftColumns(titles ...string) []column {
	columns := make([]column, len(titles))
	for i, title := range titles {
		columns[i].title = title
	}
	return columns
}

// orphaned marks a block that is not of the chain any more.
const orphaned = "orphaned"

// table prints rows under titles. Every cell is untrusted.
type table struct {
	columns []column
	rows    [][]string
	bold    bool // titles in bold; only on a terminal
	cut     bool // cells that are longer than any principal are cut; only on a terminal
	widths  []int
	titled  bool // the titles are printed
}

// newTable returns a table for standard output.
func (a *app) newTable() *table { return &table{bold: a.color(), cut: isTerminal(a.streams.Out)} }

// mostCells is the width of the longest contract principal.
const mostCells = 82

// add adds a row.
func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = text.Line(cells[i])
		if t.cut && !t.columns[i].right {
			cells[i] = text.Truncate(cells[i], mostCells)
		}
	}
	t.rows = append(t.rows, cells)
}

// write prints the rows, those of the first time under the titles. The columns of rows that are
// printed later stand below theirs.
func (t *table) write(w io.Writer) error {
	if t.widths == nil {
		t.widths = make([]int, len(t.columns))
	}
	widths := t.widths
	for i, c := range t.columns {
		widths[i] = max(widths[i], text.Width(c.title))
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], text.Width(cell))
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		var l strings.Builder
		for i, cell := range cells {
			if i > 0 {
				l.WriteString("  ")
			}
			if t.columns[i].right {
				cell = text.PadLeft(cell, widths[i])
			} else {
				cell = text.Pad(cell, widths[i])
			}
			l.WriteString(cell)
		}
		b.WriteString(strings.TrimRight(l.String(), " "))
	}
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.title
	}
	if !t.titled {
		t.titled = true
		if t.bold {
			b.WriteString("\x1b[1m")
		}
		line(titles)
		if t.bold {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	for _, row := range t.rows {
		warn := t.bold && row[len(row)-1] == orphaned
		if warn {
			b.WriteString("\x1b[33m")
		}
		line(row)
		if warn {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	t.rows = nil
	_, err := io.WriteString(w, b.String())
	return err
}

// fields prints a record, a name and a value per line. Values are untrusted;
// empty ones are left out. A row without a value is the heading of those below it.
type fields struct {
	rows [][2]string
	dim  bool // names are dimmed; only on a terminal
	// passing begins the addresses that end with the command, "" for none.
	passing string
}

// newFields returns an empty record.
func (a *app) newFields() *fields { return &fields{dim: a.color(), passing: a.embedded} }

// cell writes a value for people; on a terminal with thousands separated.
func (a *app) cell(v resource.Value, t resource.Type) string {
	switch {
	case !v.Known() && t != resource.Moment:
		return text.Unknown
	case t == resource.Number && !isTerminal(a.streams.Out):
		return v.File(t)
	}
	return v.People(t)
}

// number formats a number; on a terminal with thousands separated.
func (a *app) number(n int64) string {
	if isTerminal(a.streams.Out) {
		return text.Count(n)
	}
	return strconv.FormatInt(n, 10)
}

// add adds a value under a name.
func (f *fields) add(name, value string) {
	if f.passing != "" && strings.HasPrefix(value, f.passing+"/") {
		value += " (of the mock in this command; gone when it ends)"
	}
	if value = text.Line(value); value != "" {
		f.rows = append(f.rows, [2]string{text.Line(name), value})
	}
}

// section begins a part of the record. The first needs no heading, and takes the place of one
// that nothing follows.
func (f *fields) section(title string) {
	if last := len(f.rows) - 1; last >= 0 {
		if f.rows[last][1] == "" {
			f.rows = f.rows[:last]
		}
		f.rows = append(f.rows, [2]string{text.Line(title), ""})
	}
}

// join adds the rows of another record.
func (f *fields) join(other *fields) { f.rows = append(f.rows, other.rows...) }

// write prints the record.
func (f *fields) write(w io.Writer) error {
	f.section("") // drops a heading that nothing follows
	width := 0
	for _, row := range f.rows {
		if row[1] != "" {
			width = max(width, text.Width(row[0]))
		}
	}
	for _, row := range f.rows {
		line := styled(f.dim, "2", text.Pad(row[0], width)) + "  " + row[1] + "\n"
		switch {
		case row == [2]string{}:
			line = ""
		case row[1] == "":
			line = "\n" + styled(f.dim, "1", row[0]) + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// styled returns a text in the style of a terminal's codes, where styles are on.
func styled(on bool, codes, plain string) string {
	if !on {
		return plain
	}
	return "\x1b[" + codes + "m" + plain + "\x1b[0m"
}
