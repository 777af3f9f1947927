// Package detail shows one thing as labelled values. What names something else
// can be followed, what has a text can be copied. It must not import apiclient
// or any screen.
package detail

import (
	"slices"
	"strings"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Role describes how a value is drawn.
type Role int

// The roles of values.
const (
	Text Role = iota
	Number
	Muted
	OK
	Warn
	Bad
	Struck
)

// Row is one labelled value, or a heading, or lines that are drawn as they are.
type Row struct {
	// ID identifies the row to the owner, "" for nothing.
	ID    string
	Label string
	Value string // untrusted text: it is cleaned when drawn, and wrapped
	Role  Role
	// Short shows a long value by its begin and end, on one line.
	Short bool
	Note  string // drawn muted after the value
	// Principal is the account or the contract that the value names, "" for none.
	Principal string
	// When writes a value that changes with the time, such as an age; Value is
	// not used then.
	When func(now time.Time) string
	// To is the place that the value leads to, URL its address outside the explorer.
	To  *nav.Place
	URL string
	// Do holds what enter does on the row, instead of following To, and Does says it
	// in a word or two.
	Do     func() tea.Cmd
	Action string
	// Copy holds what is copied of it; "" is the value.
	Copy string
	// Heading starts a group.
	Heading bool
	// Draw makes lines of terminal text for a width, instead of label and value.
	Draw func(width int) []string
}

// Focusable reports whether the cursor stops at the row.
func (r Row) Focusable() bool {
	return !r.Heading && r.Draw == nil && (r.Value != "" || r.When != nil || r.To != nil || r.Do != nil)
}

// Acts reports whether enter does something on the row.
func (r Row) Acts() bool { return r.Do != nil || r.To != nil || r.URL != "" }

// Text returns what is copied of the row.
func (r Row) Text() string {
	if r.Copy != "" {
		return r.Copy
	}
	return r.Value
}

// Detail is a plain struct: its owner passes it keys, a size and rows.
type Detail struct {
	theme *theme.Theme
	keys  *keymap.Map

	rows    []Row
	cursor  int // row under the cursor, -1 for none
	top     int // first line in sight
	focused bool

	width, height int
	now           time.Time // that the lines were written for
	lines         []string
	starts        []int // first line of each row
	labels        int
}

// New returns an empty detail.
func New(th *theme.Theme, keys *keymap.Map) *Detail {
	return &Detail{theme: th, keys: keys, cursor: -1}
}

// SetTheme changes the colors.
func (d *Detail) SetTheme(th *theme.Theme) { d.theme = th; d.lines = nil }

// SetSize sets how many cells View fills.
func (d *Detail) SetSize(width, height int) {
	if width != d.width {
		d.lines = nil
	}
	d.width, d.height = width, height
}

// SetFocus sets whether the detail has the keys.
func (d *Detail) SetFocus(focused bool) { d.focused = focused }

// SetRows shows another thing; Update shows newer values of the same.
func (d *Detail) SetRows(rows []Row) {
	d.rows, d.top, d.lines = rows, 0, nil
	d.cursor = d.next(-1, 1)
}

// Update replaces the rows and keeps cursor and scroll. The cursor stays on its
// row, wherever that is now.
func (d *Detail) Update(rows []Row) {
	if was, ok := d.Cursor(); ok {
		d.cursor = nearest(rows, was, d.cursor)
	}
	d.rows, d.lines = rows, nil
	if d.cursor < 0 || d.cursor >= len(rows) || !rows[d.cursor].Focusable() {
		d.cursor = d.next(-1, 1)
	}
}

// same reports whether a row is another one, as it is now. One without a name is known by
// its value.
func (r Row) same(other Row) bool {
	return r.Label == other.Label && r.ID == other.ID && !r.Heading && (r.Label+r.ID != "" || r.Value == other.Value)
}

// nearest finds the same row that is nearest to where it was; where there is none the
// place itself.
func nearest(rows []Row, was Row, at int) int {
	for d := range len(rows) + 1 {
		for _, i := range [2]int{at + d, at - d} {
			if i >= 0 && i < len(rows) && rows[i].same(was) {
				return i
			}
		}
	}
	return at
}

// Rows returns what is shown.
func (d *Detail) Rows() []Row { return d.rows }

// Cursor returns the row under the cursor; false when there is none.
func (d *Detail) Cursor() (Row, bool) {
	if d.cursor < 0 || d.cursor >= len(d.rows) {
		return Row{}, false
	}
	return d.rows[d.cursor], true
}

// Place is the state of a detail, to come back to.
type Place struct{ Cursor, Top int }

// Place returns the state to come back to.
func (d *Detail) Place() Place { return Place{d.cursor, d.top} }

// Restore goes back to a state.
func (d *Detail) Restore(p Place) {
	if p.Cursor >= 0 && p.Cursor < len(d.rows) && d.rows[p.Cursor].Focusable() {
		d.cursor = p.Cursor
	}
	d.top = max(0, p.Top)
}

// next returns the next focusable row from one on, -1 when there is none.
func (d *Detail) next(from, step int) int {
	for i := from + step; i >= 0 && i < len(d.rows); i += step {
		if d.rows[i].Focusable() {
			return i
		}
	}
	return -1
}

// Key handles a key that moves and reports whether it was one.
func (d *Detail) Key(msg tea.KeyMsg) bool {
	k := d.keys.Detail
	switch {
	case key.Matches(msg, k.Down):
		d.step(1)
	case key.Matches(msg, k.Up):
		d.step(-1)
	case key.Matches(msg, k.HalfDown):
		d.page(max(1, d.height/2))
	case key.Matches(msg, k.HalfUp):
		d.page(-max(1, d.height/2))
	case key.Matches(msg, k.First):
		d.cursor, d.top = d.next(-1, 1), 0
	case key.Matches(msg, k.Last):
		d.cursor = d.next(len(d.rows), -1)
		d.top = len(d.lines)
	default:
		return false
	}
	return true
}

// step goes to the next row that can be followed or copied; beyond the last
// one it scrolls.
func (d *Detail) step(by int) {
	d.flow()
	if next := d.next(d.cursor, by); next >= 0 && d.cursor >= 0 {
		d.cursor = next
		d.reveal()
		return
	}
	d.top += by
	d.clamp()
}

func (d *Detail) page(by int) {
	d.flow()
	d.top += by
	d.clamp()
	// The cursor comes along into the window.
	for d.cursor >= 0 && d.starts[d.cursor] < d.top {
		next := d.next(d.cursor, 1)
		if next < 0 {
			break
		}
		d.cursor = next
	}
	for d.cursor >= 0 && d.starts[d.cursor] >= d.top+d.height {
		next := d.next(d.cursor, -1)
		if next < 0 {
			break
		}
		d.cursor = next
	}
}

func (d *Detail) reveal() {
	first := d.starts[d.cursor]
	last := len(d.lines) - 1
	if d.cursor+1 < len(d.starts) {
		last = d.starts[d.cursor+1] - 1
	}
	// Headings above the first row are shown with it.
	if d.next(d.cursor, -1) < 0 {
		first = 0
	}
	d.top = text.Window(d.top, first, last, d.height, len(d.lines))
}

func (d *Detail) clamp() { d.top = text.Scrolled(d.top, d.height, len(d.lines)) }

// Scroll returns the first line in sight and how many lines there are.
func (d *Detail) Scroll() (top, lines int) { d.flow(); return d.top, len(d.lines) }

// flow lays the rows out when something changed.
func (d *Detail) flow() {
	if d.lines != nil {
		return
	}
	d.lines, d.starts = []string{}, make([]int, len(d.rows))
	d.labels = 0
	for _, r := range d.rows {
		if !r.Heading {
			d.labels = max(d.labels, text.Width(r.Label))
		}
	}
	d.labels = min(d.labels, max(6, d.width/3))
	for i, r := range d.rows {
		d.starts[i] = len(d.lines)
		d.lines = append(d.lines, d.row(r)...)
	}
	d.clamp()
}

// leastValue is the least number of cells of a value before its note; where
// there are fewer the note has a line of its own.
const leastValue = 12

func (d *Detail) row(r Row) []string {
	th := d.theme
	if r.When != nil {
		r.Value = r.When(d.now)
	}
	switch {
	case r.Heading:
		return d.heading(r.Label)
	case r.Draw != nil:
		return r.Draw(d.width)
	}
	label := th.Muted.Render(text.Pad(text.Truncate(r.Label, d.labels), d.labels))
	room := max(1, d.width-d.labels-4)
	style := d.style(r)
	note := ""
	if r.Note != "" {
		note = "  " + th.Muted.Render(text.Line(r.Note))
	}
	least := text.Width(r.Value)
	if r.Short || least > room { // other words are not cut for a note
		least = min(least, leastValue)
	}
	cut := r.Short || r.To != nil && !whole(r.Value)
	if cut && room-text.Width(note) >= least {
		value := text.MiddleWith(r.Value, max(1, room-text.Width(note)), th.Glyphs.Ellipsis)
		return []string{"  " + label + "  " + style.Render(value) + note}
	}
	lines := text.Block(r.Value, room)
	if cut {
		lines = []string{text.MiddleWith(r.Value, room, th.Glyphs.Ellipsis)}
	}
	if len(lines) == 0 {
		return []string{"  " + label + "  " + note}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if i > 0 {
			label = strings.Repeat(" ", d.labels)
		}
		out[i] = "  " + label + "  " + style.Render(line)
	}
	if text.Width(lines[len(lines)-1])+text.Width(note) > room {
		return append(out, strings.Repeat(" ", d.labels+2)+note)
	}
	out[len(out)-1] += note
	return out
}

// whole reports whether a value may not be cut in its middle, as a hash is: words, or a number,
// wrap.
func whole(value string) bool {
	return strings.ContainsAny(value, " ") || value != "" && strings.Trim(value, "+-0123456789,.'_") == ""
}

// maxHeading limits how many lines a heading may have.
const maxHeading = 4

// heading draws a heading, with a blank line before it unless it is the first.
func (d *Detail) heading(words string) []string {
	lines := text.Block(text.Line(words), max(1, d.width))
	if len(lines) > maxHeading {
		lines = append(lines[:maxHeading-1], text.Truncate(strings.Join(lines[maxHeading-1:], ""), d.width))
	}
	lines = d.theme.Strong.RenderAll(lines)
	if len(lines) == 0 {
		lines = []string{""}
	}
	if len(d.lines) == 0 {
		return lines
	}
	return append([]string{""}, lines...)
}

func (d *Detail) style(r Row) theme.Style {
	th := d.theme
	if r.To != nil || r.URL != "" {
		return th.Link
	}
	return [...]theme.Style{th.Text, th.Number, th.Muted, th.OK, th.Warn, th.Bad, th.Struck}[r.Role]
}

// ViewAt draws exactly height lines, with times as they are written at now.
func (d *Detail) ViewAt(now time.Time) []string {
	if now.Unix() != d.now.Unix() && slices.ContainsFunc(d.rows, func(r Row) bool { return r.When != nil }) {
		d.lines = nil
	}
	d.now = now
	return d.View()
}

// ClickLine puts the cursor on the row drawn in a line of the window, from 0,
// and reports whether there is one that it can be on.
func (d *Detail) ClickLine(line int) bool {
	d.flow()
	at := d.top + line
	for i := len(d.starts) - 1; i >= 0; i-- {
		if d.starts[i] > at || at >= len(d.lines) {
			continue
		}
		if !d.rows[i].Focusable() {
			return false
		}
		d.cursor = i
		return true
	}
	return false
}

// View draws exactly height lines.
func (d *Detail) View() []string {
	d.flow()
	d.clamp()
	out := make([]string, 0, max(0, d.height))
	from, to := -1, -1
	if d.cursor >= 0 && d.focused {
		from, to = d.starts[d.cursor], len(d.lines)
		if d.cursor+1 < len(d.starts) {
			to = d.starts[d.cursor+1]
		}
	}
	for i := d.top; i < min(d.top+d.height, len(d.lines)); i++ {
		line := d.lines[i]
		if i >= from && i < to {
			mark := d.theme.Glyphs.Cursor
			if i > from {
				mark = " "
			}
			line = mark + strings.TrimPrefix(line, " ")
		}
		if line = text.Cut(line, d.width, d.theme.Glyphs.Ellipsis); i >= from && i < to {
			line = d.theme.Cursor.Render(text.Fill(line, d.width))
		}
		out = append(out, line)
	}
	for len(out) < d.height {
		out = append(out, "")
	}
	return out
}
