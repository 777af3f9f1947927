// Package list shows a window of a list of any length. Only the rows in the
// window are drawn, and a row is drawn once. It must not import apiclient or
// any screen.
package list

import (
	"slices"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Source holds what a list shows.
type Source interface {
	// Len is the number of rows.
	Len() int
	// ID tells rows apart, also when others are put before them.
	ID(i int) string
	// Row draws a row of at most width cells. What it returns is kept until
	// the list forgets it.
	Row(i, width int) string
	// Tail draws the end of a row, which is never kept: an age, say. It has
	// the same width for all rows; "" for none.
	Tail(i int) string
}

// Finder is a source that finds a row. Others are searched, from the
// cursor outwards.
type Finder interface {
	// Find returns the row with an identity; false when there is none.
	Find(id string) (int, bool)
}

// List is a plain struct: its owner passes it keys, a size and a source.
type List struct {
	theme  *theme.Theme
	keys   *keymap.Map
	source Source
	// shown are the rows of the source that are shown, in order; nil for all.
	shown []int

	cursor, top   int
	cursorID      string
	width, height int
	focused       bool
	rows          map[string]string
	tailWidth     int
}

// margin is the number of rows that stay in sight beyond the cursor.
const margin = 2

// keptRows bounds how many drawn rows are kept.
const keptRows = 512

// New returns a list that shows nothing yet.
func New(th *theme.Theme, keys *keymap.Map) *List {
	return &List{theme: th, keys: keys, focused: true, rows: map[string]string{}}
}

// SetTheme changes the colors.
func (l *List) SetTheme(th *theme.Theme) { l.theme = th; l.Forget() }

// SetSize sets how many cells View fills.
func (l *List) SetSize(width, height int) {
	if width != l.width {
		l.Forget()
	}
	resized := height != l.height
	l.width, l.height = width, height
	if resized {
		l.scroll(margin)
	}
}

// SetFocus sets whether the list has the keys.
func (l *List) SetFocus(focused bool) { l.focused = focused }

// SetSource shows another list, from its start.
func (l *List) SetSource(s Source) {
	l.source, l.shown, l.cursor, l.top, l.cursorID = s, nil, 0, 0, ""
	l.Forget()
	l.scrollToCursor()
}

// Forget drops the rows that were drawn.
func (l *List) Forget() { clear(l.rows) }

// Changed is called when rows of the source came, went or are others, or when
// others are to be shown. The cursor stays on its row, wherever that is now, and
// the row stays where it is on screen; a row that has gone leaves the cursor
// where it was. rows are those of the source that are shown, in their order; nil
// shows all.
func (l *List) Changed(rows []int) {
	l.Forget()
	offset := l.cursor - l.top
	l.shown = rows
	if at, ok := l.find(l.cursorID); ok {
		l.cursor = at
		l.top = at - offset
		l.scrollWithMargin(0)
		return
	}
	l.scrollToCursor()
}

// find looks for a row near the cursor first.
func (l *List) find(id string) (int, bool) {
	if id == "" || l.source == nil {
		return 0, false
	}
	if f, ok := l.source.(Finder); ok && l.shown == nil {
		return f.Find(id)
	}
	n := l.Len()
	near := min(l.cursor, n-1) // a list may have got shorter
	for d := range n + 1 {
		for _, at := range [2]int{near + d, near - d} {
			if at >= 0 && at < n && l.source.ID(l.index(at)) == id {
				return at, true
			}
		}
	}
	return 0, false
}

// Len returns how many rows can be reached, filtered ones left out.
func (l *List) Len() int {
	switch {
	case l.source == nil:
		return 0
	case l.shown != nil:
		return len(l.shown)
	}
	return l.source.Len()
}

// Rows returns the source's rows that can be reached, in their order.
func (l *List) Rows() []int {
	if l.shown != nil {
		return slices.Clone(l.shown)
	}
	rows := make([]int, l.Len())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// InSight returns the source's rows in the window.
func (l *List) InSight() []int {
	var rows []int
	for at := l.top; at < min(l.top+l.height, l.Len()); at++ {
		rows = append(rows, l.index(at))
	}
	return rows
}

// index returns the source's row of a row of the list.
func (l *List) index(at int) int {
	if l.shown != nil {
		return l.shown[at]
	}
	return at
}

// Cursor returns the source's row under the cursor; false when there is none.
func (l *List) Cursor() (int, bool) {
	if l.cursor >= l.Len() {
		return 0, false
	}
	return l.index(l.cursor), true
}

// Position returns the place of the cursor, from 0, among the rows of the list.
func (l *List) Position() int { return l.cursor }

// Place is the state of a list, to come back to.
type Place struct {
	ID          string
	Cursor, Top int
}

// Place returns the state to come back to.
func (l *List) Place() Place { return Place{l.cursorID, l.cursor, l.top} }

// Restore goes back to a state; the row may be elsewhere by now.
func (l *List) Restore(p Place) {
	l.cursor, l.top, l.cursorID = p.Cursor, p.Top, p.ID
	if at, ok := l.find(p.ID); ok {
		l.top += at - l.cursor
		l.cursor = at
	}
	l.scrollToCursor()
}

// Select puts the cursor on a row of the source; false when it is not shown.
func (l *List) Select(index int) bool {
	at := index
	if l.shown != nil {
		at = slices.Index(l.shown, index)
	}
	if at < 0 || at >= l.Len() {
		return false
	}
	l.cursor = at
	l.scrollToCursor()
	return true
}

// SelectID puts the cursor on the row with an identity.
func (l *List) SelectID(id string) bool {
	at, ok := l.find(id)
	if ok {
		l.cursor = at
		l.scrollToCursor()
	}
	return ok
}

// ClickRow puts the cursor on the row drawn in a line of the window, from 0;
// false when there is none.
func (l *List) ClickRow(line int) bool {
	at := l.top + line
	if line < 0 || line >= l.height || at >= l.Len() {
		return false
	}
	l.cursor = at
	l.scrollWithMargin(0) // under the mouse the row stays where it is, for the next click
	return true
}

// First puts the cursor on the first row.
func (l *List) First() { l.Move(-l.cursor) }

// Move moves the cursor by rows.
func (l *List) Move(by int) {
	l.cursor += by
	l.scrollToCursor()
}

// scrollToCursor holds the cursor inside the list and in sight, and remembers its row.
func (l *List) scrollToCursor() { l.scrollWithMargin(margin) }

// scrollWithMargin keeps some rows beyond the cursor in sight, too.
func (l *List) scrollWithMargin(beyond int) {
	l.cursor = max(0, min(l.cursor, l.Len()-1))
	l.cursorID = ""
	if i, ok := l.Cursor(); ok {
		l.cursorID = l.source.ID(i)
	}
	l.scroll(beyond)
}

func (l *List) scroll(beyond int) {
	if l.height <= 0 {
		return // out of sight: it comes back as it was
	}
	m := min(beyond, max(0, (l.height-1)/2))
	l.top = text.Window(l.top, l.cursor-m, l.cursor+m, l.height, l.Len())
}

// AtEnd reports whether the cursor is within a window's height of the end, so
// that more rows should be requested.
func (l *List) AtEnd() bool { return l.cursor+l.height >= l.Len() }

// Key handles a key that moves in the list and reports whether it was one.
func (l *List) Key(msg tea.KeyMsg) bool {
	k := l.keys.List
	half := max(1, l.height/2)
	switch {
	case key.Matches(msg, k.Up):
		l.step(-1)
	case key.Matches(msg, k.Down):
		l.step(1)
	case key.Matches(msg, k.HalfUp):
		l.jump(-half)
	case key.Matches(msg, k.HalfDown):
		l.jump(half)
	case key.Matches(msg, k.First):
		l.First()
	case key.Matches(msg, k.Last):
		l.Move(l.Len())
	default:
		return false
	}
	return true
}

// step moves the cursor by a row. Where it meets the edge of the window, the window
// continues by a quarter of its height at once: the rows then keep their place under the
// eyes for the next moves, and a line to a far machine carries two rows for each of
// them, not all.
func (l *List) step(by int) {
	top := l.top
	l.Move(by)
	if l.top != top {
		l.top += by * (max(1, l.height/4) - 1)
		l.scroll(margin)
	}
}

// jump moves cursor and window together.
func (l *List) jump(by int) {
	l.top += by
	l.Move(by)
}

// View draws exactly height lines, each exactly width cells wide.
func (l *List) View() []string {
	out := make([]string, 0, max(0, l.height))
	for at := l.top; at < min(l.top+l.height, l.Len()); at++ {
		out = append(out, l.line(at))
	}
	for len(out) < l.height {
		out = append(out, "")
	}
	return out
}

func (l *List) line(at int) string {
	i := l.index(at)
	tail := l.source.Tail(i)
	width := max(0, l.width-text.Width(tail))
	id := l.source.ID(i)
	row, ok := l.rows[id]
	if !ok || l.tailWidth != text.Width(tail) {
		if l.tailWidth != text.Width(tail) || len(l.rows) >= keptRows {
			l.Forget()
			l.tailWidth = text.Width(tail)
		}
		row = text.Fill(l.source.Row(i, max(0, width-2)), max(0, width-2))
		l.rows[id] = row
	}
	if at != l.cursor {
		return text.Clip("  "+row+tail, l.width)
	}
	style := l.theme.Cursor
	if !l.focused {
		style = l.theme.Resting
	}
	return style.Render(text.Clip(l.theme.Glyphs.Cursor+" "+row+tail, l.width))
}
