package resource

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Kind describes one kind of thing.
type Kind[T any] struct {
	// Name holds what one of them is called.
	Name    string
	Columns []Column[T]
	// Fields are its values where all of it is shown, in sections.
	Fields func(T) []Field
	// Called says what accounts and contracts are called, nil for nothing.
	Called Naming
}

// Column is one thing that is known of each.
type Column[T any] struct {
	// Name holds what filters, --fields, files and the config call it.
	Name string
	// Field is its name in files: that of the API's answers where the value is in their unit and
	// form, else one of its own, such as fee_stx beside fee_rate. "" is Name.
	Field string
	// Head is above it in a list, Title in a table that has room for all columns, ""
	// for Head. Without either it is not drawn, but found, sorted by and exported.
	Head, Title string
	Type        Type
	// Least and Most are the cells that it is given. Where there is too little room the
	// columns with the lowest Keep go first; what is left over is shared.
	Least, Most, Keep int
	// Eager columns are given what is left over before the others.
	Eager bool
	// Tail columns stand at the end of a row, where the list draws them anew each time.
	Tail bool
	// Hidden columns are searched, but neither sorted by nor counted; without a Field they
	// are not exported. Blank ones are empty where the value is not known.
	Hidden, Blank bool
	Value         func(T) Value
	// Holds reads, at a time, what a filter wants of the column; nil where it is compared by Value.
	Holds func(typed string, now time.Time) (func(T) bool, error)
	// Written is its value in files, nil for Value.
	Written func(T) Value
	// Names is the account or the contract that a column of words names, nil for none.
	Names func(T) string
	// Brief returns what a list says in place of the value, nil for the value.
	Brief func(T) string
	// Style colors its cells, nil for plain text. Draw replaces the drawing of a value; it
	// fills exactly width cells.
	Style func(*theme.Theme) theme.Style
	Draw  func(of T, width int, th *theme.Theme) string
}

// Muted and Numeral are styles of columns.
func Muted(th *theme.Theme) theme.Style   { return th.Muted }
func Numeral(th *theme.Theme) theme.Style { return th.Number }

// gap is the number of cells between columns.
const gap = 2

// Fit shares a width among the columns of a list: how wide each is, 0 for one that is
// left out.
func (k Kind[T]) Fit(width int) []int {
	widths := make([]int, len(k.Columns))
	byKeep := make([]int, 0, len(k.Columns))
	room := width + gap
	for i, c := range k.Columns {
		if c.Head != "" && !c.Tail {
			widths[i] = c.Least
			room -= c.Least + gap
			byKeep = append(byKeep, i)
		}
	}
	slices.SortStableFunc(byKeep, func(a, b int) int { return k.Columns[b].Keep - k.Columns[a].Keep })
	for last := len(byKeep) - 1; last > 0 && room < 0; last-- {
		room += widths[byKeep[last]] + gap
		widths[byKeep[last]] = 0
	}
	for eager, grown := true, true; grown || eager; {
		eager, grown = eager && grown, false
		for _, i := range byKeep {
			if room > 0 && (k.Columns[i].Eager || !eager) && widths[i] > 0 && widths[i] < k.Columns[i].Most {
				widths[i]++
				room--
				grown = true
			}
		}
	}
	if room < 0 && len(byKeep) > 0 {
		widths[byKeep[0]] = max(1, widths[byKeep[0]]+room)
	}
	return widths
}

// Head returns the names of the columns over rows of some widths.
func (k Kind[T]) Head(widths []int) string {
	var cells []string
	for i, c := range k.Columns {
		if widths[i] > 0 {
			cells = append(cells, align(c.Type, text.Truncate(c.Head, widths[i]), widths[i]))
		}
	}
	return strings.Join(cells, strings.Repeat(" ", gap))
}

// Row draws a thing in some widths.
func (k Kind[T]) Row(of T, widths []int, th *theme.Theme) string {
	var b strings.Builder
	for i := range k.Columns {
		c, width := &k.Columns[i], widths[i]
		if width == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		b.WriteString(k.cell(c, of, width, th))
	}
	return b.String()
}

func (k *Kind[T]) cell(c *Column[T], of T, width int, th *theme.Theme) string {
	if c.Draw != nil {
		return c.Draw(of, width, th)
	}
	v := c.Value(of)
	if !v.known {
		words := ""
		if c.Type == Number && !c.Blank {
			words = "?"
		}
		return th.Muted.Render(align(c.Type, words, width))
	}
	if c.Brief != nil {
		v = TextOf(c.Brief(of))
	}
	if called := k.CalledIn(*c, of); called != "" {
		if cell := c.calledCell(v.text, c.principal(of), called, width, th); cell != "" {
			return cell
		}
	}
	style := th.Text
	if c.Style != nil {
		style = c.Style(th)
	}
	return style.Render(align(c.Type, v.short(c.Type, width, th.Glyphs.Ellipsis), width))
}

// Words returns the value of a column in at most so many cells, "" for an unknown one.
func (c Column[T]) Words(of T, width int, th *theme.Theme) string {
	return c.Value(of).short(c.Type, width, th.Glyphs.Ellipsis)
}

// align fills a cell.
func align(t Type, words string, width int) string {
	if t.Right() {
		return text.PadLeft(words, width)
	}
	return text.Fill(words, width)
}

// Table returns what filters, orders and counts work on, at a time.
func (k Kind[T]) Table(n int, at func(row int) (of T, known bool), now time.Time) query.Table {
	t := query.Table{Len: n, Columns: make([]query.Column, len(k.Columns))}
	for i, c := range k.Columns {
		t.Columns[i] = query.Column{Name: c.Name, Head: c.Head, Kind: c.Type.query(), Hidden: c.Hidden || c.Head == "" && c.Type.Middle(), Value: func(row int) query.Value {
			of, known := at(row)
			if !known {
				return query.Value{}
			}
			v := c.Value(of).compared(c.Type, now)
			v.Alias = k.Called.Of(c.principal(of))
			return v
		}}
		if c.Holds != nil {
			t.Columns[i].Holds = func(typed string) (func(row int) bool, error) {
				holds, err := c.Holds(typed, now)
				return func(row int) bool {
					of, known := at(row)
					return known && holds(of)
				}, err
			}
		}
	}
	return t
}

// ofTime returns the columns by which a filter bounds the times of things.
func ofTime[T any](when func(T) Value) []Column[T] {
	bound := func(name string, read func(string, time.Time) (time.Time, error), order int) Column[T] {
		return Column[T]{Name: name, Hidden: true, Value: func(T) Value { return Value{} }, Holds: func(typed string, now time.Time) (func(T) bool, error) {
			at, err := read(typed, now)
			return func(of T) bool { v := when(of); return v.Known() && v.Time().Compare(at) != order }, err
		}}
	}
	return []Column[T]{bound("since", query.Since, -1), bound("until", query.Until, 1)}
}

// Export returns the columns and rows of a file.
func (k Kind[T]) Export(of []T) (columns []string, rows [][]string) {
	for _, c := range k.Columns {
		if c.exported() {
			columns = append(columns, c.file())
		}
	}
	for _, one := range of {
		cells := make([]string, 0, len(columns))
		for _, c := range k.Columns {
			if c.exported() {
				cells = append(cells, c.written(one).File(c.Type))
			}
		}
		rows = append(rows, cells)
	}
	return k.exportLabels(of, columns, rows), rows
}

func (c Column[T]) exported() bool { return !c.Hidden || c.Field != "" }

// file returns the name of a column in a file.
func (c Column[T]) file() string { return cmp.Or(c.Field, c.Name) }

// written returns the value of a column in a file.
func (c Column[T]) written(of T) Value {
	if c.Written != nil {
		return c.Written(of)
	}
	return c.Value(of)
}

// Member returns what a thing has in a column of the explorer or of a file, by its name; nil
// for what is not known and for a column that there is not.
func (k Kind[T]) Member(of T, name string) any {
	for _, c := range k.Columns {
		switch {
		case c.Name == name:
			return c.Value(of).JSON(c.Type)
		case c.exported() && c.file() == name:
			return c.written(of).JSON(c.Type)
		case c.Type == Principal && c.file()+labelSuffix == name:
			return TextOf(k.Called.Label(c.principal(of))).JSON(Text)
		}
	}
	return nil
}

// File returns a value in a file: what was counted in part ends with a plus, so that nothing
// takes it for the whole.
func (v Value) File(t Type) string {
	if v.AtLeast {
		return v.Plain(t) + "+"
	}
	return v.Plain(t)
}

// JSON returns the things as objects of their columns: numbers as numbers, what is not
// known or counted in part as null.
func (k Kind[T]) JSON(of []T) []json.RawMessage {
	var out []json.RawMessage
	for _, one := range of {
		fields := map[string]any{}
		for _, c := range k.Columns {
			if c.exported() {
				fields[c.file()] = c.written(one).JSON(c.Type)
			}
		}
		raw, err := json.Marshal(fields)
		if err != nil {
			raw = json.RawMessage("null")
		}
		out = append(out, raw)
	}
	return out
}

// JSON returns a value as JSON has it: numbers as numbers; nil for what is not known or
// counted in part.
func (v Value) JSON(t Type) any {
	switch {
	case !v.known || v.AtLeast:
		return nil
	case t.Right():
		return json.Number(v.Plain(t))
	}
	return v.Plain(t)
}

// Without returns the kind for a list in which some columns say the same of every row.
func (k Kind[T]) Without(names ...string) Kind[T] {
	k.Columns = slices.Clone(k.Columns)
	for i, c := range k.Columns {
		if slices.Contains(names, c.Name) {
			k.Columns[i].Head, k.Columns[i].Hidden = "", true
		}
	}
	return k
}

// Column returns the column of a name.
func (k Kind[T]) Column(name string) (Column[T], bool) {
	i := slices.IndexFunc(k.Columns, func(c Column[T]) bool { return c.Name == name })
	if i < 0 {
		return Column[T]{}, false
	}
	return k.Columns[i], true
}

// Titled returns the columns of a table that has room for all.
func (k Kind[T]) Titled() []Column[T] {
	return slices.DeleteFunc(slices.Clone(k.Columns), func(c Column[T]) bool { return c.Head == "" && c.Title == "" })
}

// Right reports whether the cells of a column stand at the right.
func (c Column[T]) Right() bool { return c.Type.Right() }

// Heading returns the title of a column in a table.
func (c Column[T]) Heading() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Head
}
