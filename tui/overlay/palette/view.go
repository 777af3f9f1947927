package palette

import (
	"fmt"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
)

// widest limits how many cells the box takes of a wide window.
const widest = 92

// View draws the line and the rows below it.
func (p *Palette) View(time.Time) []string {
	width := min(p.width-4, widest)
	if p.width < 64 {
		width = p.width
	}
	inner := width - 4
	if inner < 10 {
		return nil
	}
	mark, title := "> ", "Go to anything"
	if p.commands {
		mark, title = ": ", fmt.Sprintf("Commands  %d of %d", len(p.shown), len(p.Commands))
	}
	lines := []string{p.Theme.Key.Render(mark) + p.input.View(p.Theme, inner-2, true), ""}
	room := p.room()
	rows, _, at := p.rows(inner)
	if len(p.shown) == 0 {
		rows = []string{p.Theme.Muted.Render(text.Truncate("No command has these words.", inner))}
	}
	top := max(0, at-max(1, room)+1)
	lines = append(lines, rows[top:max(top, min(len(rows), top+room))]...)
	for i := range lines {
		lines[i] = text.Cut(lines[i], inner, p.Theme.Glyphs.Ellipsis)
	}
	return box.Draw(p.Theme, title, p.hint(), lines, width, min(p.height, len(lines)+2))
}

// Lines of the box above the rows: its edge, what is typed, a blank.
const aboveRows = 3

// room returns how many lines of rows there may be.
func (p *Palette) room() int { return p.height - p.Top(p.height) - aboveRows - 2 }

// Click follows the row under the mouse.
func (p *Palette) Click(x, y int) (tea.Cmd, bool) {
	_, owners, at := p.rows(max(10, min(p.width-4, widest)-4))
	line := y - aboveRows + max(0, at-max(1, p.room())+1)
	if y < aboveRows || line >= len(owners) || !p.shown[owners[line]].OK() {
		return nil, false
	}
	p.cursor = owners[line]
	return p.follow()
}

// hint names the keys that do something now.
func (p *Palette) hint() string {
	out := "esc close"
	if !p.input.Empty() {
		out = "esc clear"
	}
	if p.completion() != "" {
		out = "tab complete  " + out
	}
	switch {
	case p.cursor < 0:
		return out
	case p.commands:
		return "enter run  " + out
	case p.shown[p.cursor].Place.Kind == "" && !p.shown[p.cursor].named:
		return "enter type it  " + out
	}
	return "enter open  " + out
}

// rows draws the rows and returns of which each line is, and the line of the cursor.
func (p *Palette) rows(width int) (lines []string, owners []int, cursor int) {
	column := 0
	for _, r := range p.shown {
		column = max(column, text.Width(text.Line(r.Name)))
	}
	column = min(column, width/3)
	for i, r := range p.shown {
		switch {
		case !r.OK():
			lines = append(lines, p.failed(r.Reading, column, width)...)
		case i == p.cursor:
			cursor = len(lines)
			plain := theme.Style{}
			lines = append(lines, p.Theme.Cursor.Render(text.Fill(p.Theme.Glyphs.Cursor+" "+p.row(r, column, width-2, plain, plain, plain), width)))
		default:
			lines = append(lines, "  "+p.row(r, column, width-2, p.Theme.Strong, p.Theme.Muted, p.Theme.Key))
		}
		for len(owners) < len(lines) {
			owners = append(owners, i)
		}
	}
	return lines, owners, cursor
}

// keyColumn is the number of cells that the keys of commands have.
const keyColumn = 10

// row draws a row that leads somewhere. In the box of commands the title comes
// first, then what it belongs to and its key; else what it is comes first and
// its note or key last.
func (p *Palette) row(r row, column, width int, name, note, key theme.Style) string {
	ellipsis := p.Theme.Glyphs.Ellipsis
	if p.commands {
		keys := key.Render(text.TruncateWith(r.subject.Key, keyColumn, ellipsis))
		about := text.TruncateWith(r.About, max(0, width-column-keyColumn-3), ellipsis)
		if r.Note != "" {
			about += note.Render("  " + text.TruncateWith(r.Note, max(0, width-column-keyColumn-5-text.Width(about)), ellipsis))
		}
		return text.Fill(text.Fill(about, width-column-keyColumn-2)+" "+note.Render(text.Fill(text.TruncateWith(r.Name, column, ellipsis), column+1)), width-keyColumn) + keys
	}
	remark, style := r.Note, note
	if r.named && r.subject.Key != "" && remark == "" {
		remark, style = r.subject.Key, key
	}
	return p.reading(r.Reading, remark, column, width, name, style)
}

// reading draws what something is, the thing, and a remark at the right. The
// middle of a long thing is left out rather than its remark.
func (p *Palette) reading(r nav.Reading, remark string, column, width int, name, note theme.Style) string {
	ellipsis := p.Theme.Glyphs.Ellipsis
	least := min(16, text.Width(text.Line(r.About)))
	remark = text.TruncateWith(remark, max(0, width-column-3-least), ellipsis)
	about := text.MiddleWith(r.About, max(0, width-column-1-text.Width(remark)-2), ellipsis)
	left := name.Render(text.Fill(text.TruncateWith(r.Name, column, ellipsis), column)) + " " + about
	return text.Fill(left, width-text.Width(remark)) + note.Render(remark)
}

// failed draws why a reading does not lead anywhere, on as many lines as that
// takes.
func (p *Palette) failed(r nav.Reading, column, width int) []string {
	reason := r.Reason
	if r.Fix != "" {
		reason += "; tab: " + r.Fix
	}
	var out []string
	label := text.TruncateWith(r.Name, column, p.Theme.Glyphs.Ellipsis)
	for _, l := range text.Block(reason, max(1, width-column-3)) {
		out = append(out, p.Theme.Muted.Render("  "+text.Fill(label, column)+" "+l))
		label = ""
	}
	return out
}
