package browser

import (
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Rows draws the rows of a list of one kind of thing, without their times.
type Rows[T any] struct {
	Kind resource.Kind[T]

	width  int
	widths []int
}

// Row draws a thing in a width.
func (r *Rows[T]) Row(of T, width int, th *theme.Theme) string {
	return r.Kind.Row(of, r.fit(width), th)
}

// Names returns the names of the columns over rows of a width, the cursor included.
func (r *Rows[T]) Names(width int) string {
	return text.Clip("  "+r.Kind.Head(r.fit(max(0, width-2))), width)
}

// Head draws the names of the columns over rows that end with a time.
func (r *Rows[T]) Head(width int, th *theme.Theme, times *screen.Times) string {
	return Head(th, times, r.Names(max(0, width-TimeWidth(times))), width)
}

// fit returns the widths of the columns. It is called for every row, and the width rarely changes.
func (r *Rows[T]) fit(width int) []int {
	if r.widths == nil || r.width != width {
		r.width, r.widths = width, r.Kind.Fit(width)
	}
	return r.widths
}
