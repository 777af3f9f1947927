package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell is one cell of the screen. A wide character has its text in the first of
// its cells; the second is empty and has width 0.
type cell struct {
	text  string
	pen   penID
	width uint8
	// disputed reports that terminals may disagree about the width.
	disputed bool
}

// blank is a cell that was never drawn to.
var blank = cell{text: " ", width: 1}

// row is one line of the screen.
type row struct {
	source   string // the line of the frame that it shows
	known    bool   // source is what cells show
	cells    []cell
	disputed bool
}

// painter turns a frame into the bytes that change the terminal from the frame
// before to this one; it has what each cell of the terminal shows. It does no
// I/O.
type painter struct {
	width, height int
	old, now      []row
	pens          *pens
	parser        *ansi.Parser
	out           []byte
	lines         []string

	sync    bool // bracket frames as synchronized output (mode 2026)
	unknown bool // what the terminal shows is unknown: clear and draw whole
}

// newPainter returns a painter for a terminal whose content is unknown.
func newPainter(synchronized bool, pens *pens) *painter {
	parser := ansi.NewParser() // with room for 64 KiB
	parser.SetDataSize(longestLink)
	return &painter{pens: pens, parser: parser, sync: synchronized, unknown: true}
}

// reset forgets what the terminal shows: the next frame is drawn whole.
func (p *painter) reset() { p.unknown = true }

const (
	beginSync = "\x1b[?2026h"
	endSync   = "\x1b[?2026l"
	noWrap    = "\x1b[?7l"
	autoWrap  = "\x1b[?7h"
	// minGap is the least number of equal cells between two changed ones that is
	// skipped by moving the cursor.
	minGap = 8
	// minBlanks is the least number of blank cells that is erased, not written.
	minBlanks = 12
	// longestLink limits how many bytes of a link are read: the longest leads to the web
	// with a filter.
	longestLink = 8 << 10
	// minScroll is the least number of lines that a scroll must save.
	minScroll = 4
)

// paint returns the bytes that make the terminal show view, nothing when it shows
// it already. A view that is larger than the window is cut at the right and at
// the bottom. The bytes are valid until the next call.
func (p *painter) paint(view string, width, height int) []byte {
	if width != p.width || height != p.height {
		p.resize(width, height)
	}
	if p.pens.full() {
		p.pens.reset()
		p.unknown = true
	}
	p.out = p.out[:0]
	if p.sync {
		p.out = append(p.out, beginSync...)
	}
	start := len(p.out)
	if p.unknown {
		p.out = append(p.out, "\x1b[m\x1b[r\x1b[H\x1b[2J"...)
		for y := range p.old {
			p.old[y].clear()
		}
		p.unknown = false
	}
	p.splitLines(view)
	p.scroll()
	narrow := false
	for y := range p.now {
		p.read(y)
		if !narrow && (p.now[y].disputed || p.old[y].disputed) && !p.same(y) {
			// A character that turns out wider must not wrap the line.
			narrow = true
			p.out = append(p.out, noWrap...)
		}
		p.draw(y)
	}
	if narrow {
		p.out = append(p.out, autoWrap...)
	}
	p.old, p.now = p.now, p.old
	if len(p.out) == start {
		return nil
	}
	if p.sync {
		p.out = append(p.out, endSync...)
	}
	return p.out
}

// resize changes the size; the content is unknown then.
func (p *painter) resize(width, height int) {
	p.width, p.height = width, height
	p.old, p.now = makeRows(width, height), makeRows(width, height)
	p.unknown = true
}

func makeRows(width, height int) []row {
	cells := make([]cell, width*height)
	for i := range cells {
		cells[i] = blank
	}
	rows := make([]row, height)
	for y := range rows {
		rows[y].cells = cells[y*width : (y+1)*width : (y+1)*width]
	}
	return rows
}

// clear makes a row blank.
func (r *row) clear() {
	for x := range r.cells {
		r.cells[x] = blank
	}
	r.source, r.known, r.disputed = "", true, false
}

// splitLines divides the view into exactly height lines.
func (p *painter) splitLines(view string) {
	p.lines = p.lines[:0]
	for len(p.lines) < p.height {
		line, rest, more := strings.Cut(view, "\n")
		p.lines = append(p.lines, strings.TrimSuffix(line, "\r"))
		if view = rest; !more {
			break
		}
	}
	for len(p.lines) < p.height {
		p.lines = append(p.lines, "")
	}
}

// same reports whether row y shows its line already.
func (p *painter) same(y int) bool {
	return p.old[y].known && p.old[y].source == p.lines[y]
}

// draw appends what changes row y of the terminal from old to now.
func (p *painter) draw(y int) {
	old, now := &p.old[y], &p.now[y]
	if old.source == now.source && old.known {
		return
	}
	if old.disputed || now.disputed {
		p.drawWhole(y)
		return
	}
	// From tail on the row is to be blank.
	tail := p.width
	for tail > 0 && now.cells[tail-1] == blank {
		tail--
	}
	current, column := penID(0), -1
	for x := 0; x < p.width; {
		if now.cells[x] == old.cells[x] {
			x++
			continue
		}
		if x >= tail {
			p.moveTo(column, x, y)
			p.out = p.pens.change(p.out, current, 0)
			p.out = append(p.out, "\x1b[K"...)
			current = 0
			break
		}
		end := p.spanEnd(old, now, x)
		if end > tail {
			end = tail
		}
		for x < end {
			if n := now.blanks(x, end); n >= minBlanks {
				p.moveTo(column, x, y)
				p.out = p.pens.change(p.out, current, 0)
				p.out = append(p.out, "\x1b["...)
				p.out = strconv.AppendInt(p.out, int64(n), 10)
				p.out = append(p.out, 'X')
				current, column = 0, x // the cursor stays
				x += n
				continue
			}
			c := &now.cells[x]
			if c.width > 0 {
				p.moveTo(column, x, y)
				p.out = p.pens.change(p.out, current, c.pen)
				p.out = append(p.out, c.text...)
				current, column = c.pen, x+int(c.width)
			}
			x++
		}
	}
	p.out = p.pens.change(p.out, current, 0)
}

// blanks counts the blank cells from x on, before end.
func (r *row) blanks(x, end int) int {
	n := 0
	for x+n < end && r.cells[x+n] == blank {
		n++
	}
	return n
}

// spanEnd gives the end of the changed span that begins at x: it ends where
// minGap cells are equal.
func (p *painter) spanEnd(old, now *row, x int) int {
	end := x + 1
	for i := end; i < p.width && i-end < minGap; i++ {
		if now.cells[i] != old.cells[i] {
			end = i + 1
		}
	}
	// A wide character is drawn whole.
	for end < p.width && now.cells[end].width == 0 {
		end++
	}
	return end
}

// drawWhole draws a row from nothing, and puts the cursor where it should be
// after each character that the terminal may measure differently.
func (p *painter) drawWhole(y int) {
	now := &p.now[y]
	p.moveTo(-1, 0, y)
	p.out = append(p.out, "\x1b[2K"...)
	tail := p.width
	for tail > 0 && now.cells[tail-1] == blank {
		tail--
	}
	current := penID(0)
	for x := 0; x < tail; x++ {
		c := &now.cells[x]
		if c.width == 0 {
			continue
		}
		p.out = p.pens.change(p.out, current, c.pen)
		current = c.pen
		p.out = append(p.out, c.text...)
		if next := x + int(c.width); c.disputed && next < tail {
			p.out = append(p.out, "\x1b["...)
			p.out = strconv.AppendInt(p.out, int64(next+1), 10)
			p.out = append(p.out, 'G')
		}
	}
	p.out = p.pens.change(p.out, current, 0)
}

// moveTo puts the cursor to a cell; column is where it is in this row, -1 when
// it is somewhere else. Right after the last column nothing is assumed.
func (p *painter) moveTo(column, x, y int) {
	if column == x && column < p.width {
		return
	}
	p.out = append(p.out, "\x1b["...)
	if column >= 0 && column < p.width {
		p.out = strconv.AppendInt(p.out, int64(x+1), 10)
		p.out = append(p.out, 'G')
		return
	}
	p.out = strconv.AppendInt(p.out, int64(y+1), 10)
	p.out = append(p.out, ';')
	p.out = strconv.AppendInt(p.out, int64(x+1), 10)
	p.out = append(p.out, 'H')
}
