package browser

import (
	"encoding/json"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Source holds the things of a list, wherever they come from: pages of a server, a window of a
// chain, several answers together, or a stream.
type Source[T any] interface {
	// Len returns how many rows there are, ID what identifies one, and Thing what is known
	// of it; false where it is not loaded.
	Len() int
	ID(row int) string
	Item(row int) (of T, loaded bool)
	// LoadedRows returns the rows that filters, orders, counts and exports are of; nil for all.
	LoadedRows() []int
}

// Rows are the rows of a list of one kind of thing. They are drawn, filtered, ordered, counted
// and exported by its columns. A place embeds them, and has the methods of its Source.
type Rows[T any] struct {
	*Frame
	Kind resource.Kind[T]
	// Own says that the times are of this program's clock, not of the chain's.
	Own bool
	// JSON returns a row as files have it, nil for what the columns say.
	JSON func(row int) json.RawMessage

	source Source[T]
	when   resource.Column[T] // the time at the end of a row, if the kind has one
	width  int
	widths []int
}

// NewRows returns the rows of a source.
func NewRows[T any](f *Frame, kind resource.Kind[T], source Source[T]) *Rows[T] {
	r := &Rows[T]{Frame: f, source: source}
	r.SetKind(kind)
	return r
}

// SetKind changes the columns; which of them are shown may be the user's own choice.
func (r *Rows[T]) SetKind(kind resource.Kind[T]) {
	r.Kind, r.widths = kind.With(r.Env.Columns[kind.Plural()]), nil
	r.Kind.Called = r.Env.Called
	if r.when, _ = r.Kind.Column("age"); !r.when.Tail {
		r.when = resource.Column[T]{}
	}
	r.List.Forget() // rows are drawn anew
}

// LoadedRows reports that all rows are loaded.
func (r *Rows[T]) LoadedRows() []int { return nil }

// Len returns how many rows there are.
func (r *Rows[T]) Len() int { return r.source.Len() }

// ID tells rows apart.
func (r *Rows[T]) ID(row int) string { return r.source.ID(row) }

// Row draws a row without its time.
func (r *Rows[T]) Row(row, width int) string {
	of, _ := r.source.Item(row)
	return r.Draw(of, width, r.Theme)
}

// Draw draws a thing in a width.
func (r *Rows[T]) Draw(of T, width int, th *theme.Theme) string {
	return r.Kind.Row(of, r.fit(width), th)
}

// Tail draws the time of a row.
func (r *Rows[T]) Tail(row int) string {
	if r.when.Value == nil {
		return ""
	}
	width := timeWidth(r.Env.Times)
	of, loaded := r.source.Item(row)
	if !loaded || !r.when.Value(of).Known() {
		return strings.Repeat(" ", width)
	}
	return r.Theme.Muted.Render(text.PadLeft(r.Env.Times.Short(r.now(), r.when.Value(of).Time()), width))
}

// now returns the time that ages count from.
func (r *Rows[T]) now() time.Time {
	if r.Own {
		return r.Env.Now()
	}
	return r.Env.ChainNow()
}

// timeWidth returns the width of the column of times.
func timeWidth(times *screen.Times) int {
	if times.Mode == screen.Ages {
		return 6
	}
	return 10
}

// Columns names the columns over the rows.
func (r *Rows[T]) Columns(width int) string {
	if r.when.Value == nil {
		return r.Theme.Muted.Render(r.names(width))
	}
	room := max(0, width-timeWidth(r.Env.Times))
	return r.Head(r.names(room), width)
}

// Head draws the names of columns with that of the times at the end.
func (r *Rows[T]) Head(names string, width int) string {
	word, room := "AGE", timeWidth(r.Env.Times)
	if r.Env.Times.Mode != screen.Ages {
		word = "TIME"
	}
	return text.Clip(r.Theme.Muted.Render(text.Fill(names, max(0, width-room))+text.PadLeft(word, room)), width)
}

// HeadWidth returns how many cells Head has for the names, without the cursor.
func (r *Rows[T]) HeadWidth(width int) int { return width - 2 - timeWidth(r.Env.Times) }

// names returns the names of the columns over rows of a width, the cursor included.
func (r *Rows[T]) names(width int) string {
	return text.Clip("  "+r.Kind.Head(r.fit(max(0, width-2))), width)
}

// fit returns the widths of the columns. It is called for every row, and the width rarely changes.
func (r *Rows[T]) fit(width int) []int {
	if r.widths == nil || r.width != width {
		r.width, r.widths = width, r.Kind.Fit(width)
	}
	return r.widths
}

// Listing returns what filters, orders and counts work on.
func (r *Rows[T]) Listing() query.Table {
	loaded := r.source.LoadedRows()
	return r.Kind.Table(r.filtered(), func(i int) (T, bool) {
		if loaded != nil {
			i = loaded[i]
		}
		of, _ := r.source.Item(i)
		return of, true
	}, r.now())
}

// filtered returns how many rows a filter searches.
func (r *Rows[T]) filtered() int {
	if loaded := r.source.LoadedRows(); loaded != nil {
		return len(loaded)
	}
	return r.source.Len()
}

// ShowRows shows some of the rows of Listing, or all there are for nil.
func (r *Rows[T]) ShowRows(rows []int) {
	if loaded := r.source.LoadedRows(); loaded != nil {
		for i, at := range rows {
			rows[i] = loaded[at]
		}
	}
	r.List.Changed(rows)
}

// RowWords returns how many rows a filter searches.
func (r *Rows[T]) RowWords() string { return text.Plural(r.filtered(), "loaded "+r.Kind.Name) }

// Current returns what is under the cursor, as far as it is loaded.
func (r *Rows[T]) Current() (of T, loaded bool) {
	if row, ok := r.List.Cursor(); ok {
		return r.source.Item(row)
	}
	return of, false
}

// PrincipalsInSight returns the accounts and contracts of the detail and of the rows in sight.
func (r *Rows[T]) PrincipalsInSight() []string {
	all := r.Frame.PrincipalsInSight()
	if r.widths == nil || r.area.List.Height == 0 {
		return all
	}
	for _, row := range r.List.InSight() {
		if of, loaded := r.source.Item(row); loaded {
			all = append(all, r.Kind.Principals(of, r.widths)...)
		}
	}
	return all
}

// Export makes a file of the loaded rows that are shown.
func (r *Rows[T]) Export() screen.Table {
	rows := r.source.LoadedRows()
	if rows == nil || r.Arranged() {
		rows = r.List.Rows()
	}
	t := screen.Table{Name: r.Kind.Plural()}
	var all []T
	for _, row := range rows {
		of, loaded := r.source.Item(row)
		if !loaded {
			continue
		}
		all = append(all, of)
		if r.JSON != nil {
			t.JSON = append(t.JSON, r.JSON(row))
		}
	}
	if r.JSON == nil {
		t.JSON = r.Kind.JSON(all)
	}
	t.Columns, t.Rows = r.Kind.Export(all)
	return t
}
