package cli

import (
	"io"
	"strconv"
	"strings"

	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// Column is one of a table.
type Column struct {
	Title string
	Right bool // its cells are aligned on the right
}

// Columns returns columns with titles, whose cells are aligned on the left.
func Columns(titles ...string) []Column {
	columns := make([]Column, len(titles))
	for i, title := range titles {
		columns[i].Title = title
	}
	return columns
}

// Orphaned marks a block that is not of the chain any more.
const Orphaned = "orphaned"

// Table prints rows under titles. Every cell is untrusted.
type Table struct {
	Columns []Column
	rows    [][]string
	Bold    bool // titles in bold; only on a terminal
	cut     bool // cells that are longer than any principal are cut; only on a terminal
	widths  []int
	titled  bool // the titles are printed
}

// NewTable returns a table for standard output.
func (a *App) NewTable() *Table { return &Table{Bold: a.Color(), cut: IsTerminal(a.Streams.Out)} }

// mostCells is the width of the longest contract principal.
const mostCells = 82

// Add adds a row.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = text.Line(cells[i])
		if t.cut && !t.Columns[i].Right {
			cells[i] = text.Truncate(cells[i], mostCells)
		}
	}
	t.rows = append(t.rows, cells)
}

// Write prints the rows, those of the first time under the titles. The columns of rows that are
// printed later stand below theirs.
func (t *Table) Write(w io.Writer) error {
	if t.widths == nil {
		t.widths = make([]int, len(t.Columns))
	}
	widths := t.widths
	for i, c := range t.Columns {
		widths[i] = max(widths[i], text.Width(c.Title))
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
			if t.Columns[i].Right {
				cell = text.PadLeft(cell, widths[i])
			} else {
				cell = text.Pad(cell, widths[i])
			}
			l.WriteString(cell)
		}
		b.WriteString(strings.TrimRight(l.String(), " "))
	}
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	if !t.titled {
		t.titled = true
		if t.Bold {
			b.WriteString("\x1b[1m")
		}
		line(titles)
		if t.Bold {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	for _, row := range t.rows {
		warn := t.Bold && row[len(row)-1] == Orphaned
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

// Fields prints a record, a name and a value per line. Values are untrusted;
// empty ones are left out. A row without a value is the heading of those below it.
type Fields struct {
	rows [][2]string
	dim  bool // names are dimmed; only on a terminal
	// passing begins the addresses that end with the command, "" for none.
	passing string
}

// NewFields returns an empty record.
func (a *App) NewFields() *Fields { return &Fields{dim: a.Color(), passing: a.embedded} }

// Cell writes a value for people; on a terminal with thousands separated.
func (a *App) Cell(v resource.Value, t resource.Type) string {
	switch {
	case !v.Known() && t != resource.Moment:
		return text.Unknown
	case t == resource.Number && !IsTerminal(a.Streams.Out):
		return v.File(t)
	}
	return v.Text(t)
}

// Number formats a number; on a terminal with thousands separated.
func (a *App) Number(n int64) string {
	if IsTerminal(a.Streams.Out) {
		return text.Count(n)
	}
	return strconv.FormatInt(n, 10)
}

// Add adds a value under a name.
func (f *Fields) Add(name, value string) {
	if f.passing != "" && strings.HasPrefix(value, f.passing+"/") {
		value += " (of the mock in this command; gone when it ends)"
	}
	if value = text.Line(value); value != "" {
		f.rows = append(f.rows, [2]string{text.Line(name), value})
	}
}

// Section begins a part of the record. The first needs no heading, and takes the place of one
// that nothing follows.
func (f *Fields) Section(title string) {
	if last := len(f.rows) - 1; last >= 0 {
		if f.rows[last][1] == "" {
			f.rows = f.rows[:last]
		}
		f.rows = append(f.rows, [2]string{text.Line(title), ""})
	}
}

// Join adds the rows of another record.
func (f *Fields) Join(other *Fields) { f.rows = append(f.rows, other.rows...) }

// Write prints the record.
func (f *Fields) Write(w io.Writer) error {
	f.Section("") // drops a heading that nothing follows
	width := 0
	for _, row := range f.rows {
		if row[1] != "" {
			width = max(width, text.Width(row[0]))
		}
	}
	for _, row := range f.rows {
		line := Styled(f.dim, "2", text.Pad(row[0], width)) + "  " + row[1] + "\n"
		switch {
		case row == [2]string{}:
			line = ""
		case row[1] == "":
			line = "\n" + Styled(f.dim, "1", row[0]) + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// Styled returns a text in the style of a terminal's codes, where styles are on.
func Styled(on bool, codes, plain string) string {
	if !on {
		return plain
	}
	return "\x1b[" + codes + "m" + plain + "\x1b[0m"
}
