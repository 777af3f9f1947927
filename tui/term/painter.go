package term

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one place of the screen. A wide character has its text in the first
// of its cells; the second is empty with width 0.
type cell struct {
	text  string
	pen   penID
	width uint8
	// disputed: terminals may not agree about the width of the character.
	disputed bool
}

// blank is a cell that was never drawn to.
var blank = cell{text: " ", width: 1}

// row is one line of the screen.
type row struct {
	source   string // the line of the frame that it was made of
	known    bool   // source is what cells show
	cells    []cell
	disputed bool
}

// painter turns frames into what changes the terminal from the frame before to
// the new one: it keeps what each cell of the terminal shows. It owns no
// terminal and does no I/O.
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

// newPainter makes a painter for a terminal whose content is unknown.
func newPainter(synchronized bool, pens *pens) *painter {
	return &painter{pens: pens, parser: ansi.NewParser(), sync: synchronized, unknown: true}
}

// reset says that what the terminal shows is not known any more.
func (p *painter) reset() { p.unknown = true }

const (
	beginSync = "\x1b[?2026h"
	endSync   = "\x1b[?2026l"
	noWrap    = "\x1b[?7l"
	autoWrap  = "\x1b[?7h"
	// minGap is how many equal cells between two changed ones are worth a
	// cursor movement.
	minGap = 8
	// minBlanks is how many blank cells are worth being erased, not written.
	minBlanks = 12
	// minScroll is how many lines a scroll must save.
	minScroll = 4
)

// paint gives the bytes that make the terminal show view, nothing when it shows
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
			// A character that turns out wider must not push the line down.
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

// resize makes room for another size; the content is then unknown.
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

// read makes the cells of line y, or takes them over when the line is the one
// that is shown.
func (p *painter) read(y int) {
	r, line := &p.now[y], p.lines[y]
	if p.same(y) {
		// The cells change hands: nothing is parsed, nothing copied.
		*r, p.old[y] = p.old[y], *r
		p.old[y].source, p.old[y].known = line, true
		return
	}
	r.source, r.known, r.disputed = line, true, false
	x, start, last := 0, 0, -1 // last: the cell that a combining mark belongs to
	var current pen
	var id penID
	for at := 0; at < len(line) && x < p.width; {
		if c := line[at]; c >= 0x20 && c < 0x7f {
			r.cells[x] = cell{text: line[at : at+1], pen: id, width: 1}
			start, last = at, x
			x++
			at++
			continue
		}
		seq, width, n, _ := ansi.DecodeSequence(line[at:], ansi.NormalState, p.parser)
		if n == 0 {
			at++ // a byte that is nothing
			continue
		}
		switch {
		case width > 0 && x+width > p.width:
			// Half of a wide character: the cell stays empty.
			for ; x < p.width; x++ {
				r.cells[x] = cell{text: " ", pen: id, width: 1}
			}
		case width > 0:
			d := disputed(seq)
			if !utf8.ValidString(seq) {
				seq = "\ufffd"
			}
			r.cells[x] = cell{text: seq, pen: id, width: uint8(width), disputed: d}
			r.disputed = r.disputed || d
			start, last = at, x
			x++
			for k := 1; k < width; k++ {
				r.cells[x] = cell{pen: id}
				x++
			}
		case seq[0] >= utf8.RuneSelf:
			// A mark joins the character right before it; anything else that
			// has no width is dropped.
			if last >= 0 && start+len(r.cells[last].text) == at && isMark(seq) {
				r.cells[last].text = line[start : at+n]
				r.cells[last].disputed, r.disputed = true, true
			}
		case seq[0] == '\t':
			r.cells[x] = cell{text: " ", pen: id, width: 1}
			x++
		case len(seq) > 2 && seq[0] == 0x1b && seq[1] == '[' && seq[n-1] == 'm' && p.parser.Command() == 'm':
			current.apply(p.parser.Params())
			id = p.pens.id(current)
			last = -1
		case len(seq) > 3 && seq[0] == 0x1b && seq[1] == ']' && p.parser.Command() == 8:
			current.setLink(string(p.parser.Data()))
			id = p.pens.id(current)
			last = -1
		}
		at += n
	}
	for ; x < p.width; x++ {
		r.cells[x] = blank
	}
}

// isMark reports whether a cluster is combining marks only.
func isMark(cluster string) bool {
	for _, r := range cluster {
		if r == utf8.RuneError || !unicode.Is(unicode.M, r) || unicode.Is(unicode.Variation_Selector, r) {
			return false
		}
	}
	return true
}

// disputed reports whether terminals may not agree about the width of a
// character: one of several runes, or an emoji. The check marks stand among the
// emoji and are none.
func disputed(cluster string) bool {
	r, n := utf8.DecodeRuneInString(cluster)
	if n == len(cluster) && (r == '✓' || r == '✗') {
		return false
	}
	return n < len(cluster) || r >= 0x1f000 || r >= 0x2300 && r < 0x2500 || r >= 0x2600 && r < 0x27c0 || r >= 0x2b00 && r < 0x2c00
}

// scroll finds the largest block of lines that only moved, and moves it on the
// terminal and in the old rows.
func (p *painter) scroll() {
	changed := 0
	for y := range p.lines {
		if !p.same(y) {
			changed++
		}
	}
	if changed < minScroll {
		return
	}
	var best struct{ first, last, by, gain int }
	for by := 1 - p.height; by < p.height; by++ {
		if by == 0 {
			continue
		}
		first, gain := -1, 0
		for y := max(0, -by); y <= p.height; y++ {
			// The line that is to stand at y stands at y+by now.
			if y < p.height && y+by < p.height && p.old[y+by].known && p.old[y+by].source == p.lines[y] {
				if first < 0 {
					first, gain = y, 0
				}
				if !p.same(y) && p.lines[y] != "" {
					gain++
				}
				continue
			}
			if first >= 0 && gain > best.gain {
				gain -= p.spoiled(first, y-1, by)
			}
			if first >= 0 && gain > best.gain {
				best.first, best.last, best.by, best.gain = first, y-1, by, gain
			}
			first = -1
		}
	}
	if best.gain < minScroll {
		return
	}
	top, bottom := min(best.first, best.first+best.by), max(best.last, best.last+best.by)
	n, final := best.by, byte('S')
	if n < 0 {
		n, final = -n, 'T'
	}
	p.out = append(p.out, "\x1b["...)
	p.out = strconv.AppendInt(p.out, int64(top+1), 10)
	p.out = append(p.out, ';')
	p.out = strconv.AppendInt(p.out, int64(bottom+1), 10)
	p.out = append(p.out, "r\x1b["...)
	p.out = strconv.AppendInt(p.out, int64(n), 10)
	p.out = append(p.out, final)
	p.out = append(p.out, "\x1b[r"...)
	region := p.old[top : bottom+1]
	if best.by > 0 {
		rotate(region, n)
		region = region[len(region)-n:]
	} else {
		rotate(region, len(region)-n)
		region = region[:n]
	}
	for i := range region {
		region[i].clear()
	}
}

// spoiled counts the lines that stand right, and would not after the lines
// first to last were scrolled into place.
func (p *painter) spoiled(first, last, by int) int {
	n := 0
	for y := min(first, first+by); y <= max(last, last+by); y++ {
		if (y < first || y > last) && p.same(y) && p.lines[y] != "" {
			n++
		}
	}
	return n
}

// rotate moves the first n rows to the end.
func rotate(rows []row, n int) {
	reverseRows(rows[:n])
	reverseRows(rows[n:])
	reverseRows(rows)
}

func reverseRows(rows []row) {
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
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
