package term

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// read parses line y into cells, or reuses them when the line is shown already.
func (p *painter) read(y int) {
	r, line := &p.now[y], p.lines[y]
	if p.same(y) {
		// Swap the rows: nothing is parsed or copied.
		*r, p.old[y] = p.old[y], *r
		p.old[y].source, p.old[y].known = line, true
		return
	}
	r.source, r.known, r.disputed = line, true, false
	l := lineReader{painter: p, row: r, line: line, last: -1}
	for l.at < len(line) && l.x < p.width {
		if c := line[l.at]; c >= 0x20 && c < 0x7f {
			r.cells[l.x] = cell{text: line[l.at : l.at+1], pen: l.id, width: 1}
			l.start, l.last = l.at, l.x
			l.x++
			l.at++
			continue
		}
		seq, width, n, _ := ansi.DecodeSequence(line[l.at:], ansi.NormalState, p.parser)
		switch {
		case n == 0:
			n = 1 // a byte without meaning
		case width > 0:
			l.character(seq, width)
		default:
			l.sequence(seq)
		}
		l.at += n
	}
	for x := l.x; x < p.width; x++ {
		r.cells[x] = blank
	}
}

// lineReader is the state of reading one line into cells.
type lineReader struct {
	*painter
	row     *row
	line    string
	at      int // in the line
	x       int // the next cell
	start   int // of the last character, in the line
	last    int // the cell that a combining mark belongs to, -1 for none
	current pen
	id      penID
}

// character puts a character of some width into its cells.
func (l *lineReader) character(seq string, width int) {
	cells := l.row.cells
	if l.x+width > l.width {
		// Half of a wide character: the cell stays empty.
		for ; l.x < l.width; l.x++ {
			cells[l.x] = cell{text: " ", pen: l.id, width: 1}
		}
		return
	}
	d := disputed(seq)
	if !utf8.ValidString(seq) {
		seq = "\ufffd"
	}
	cells[l.x] = cell{text: seq, pen: l.id, width: uint8(width), disputed: d}
	l.row.disputed = l.row.disputed || d
	l.start, l.last = l.at, l.x
	l.x++
	for range width - 1 {
		cells[l.x] = cell{pen: l.id}
		l.x++
	}
}

// sequence obeys what has no width: marks, tabs, and the sequences that change
// the pen. Everything else is dropped.
func (l *lineReader) sequence(seq string) {
	switch n := len(seq); {
	case seq[0] >= utf8.RuneSelf:
		// A mark joins the character right before it.
		if l.last < 0 {
			return
		}
		if c := &l.row.cells[l.last]; l.start+len(c.text) == l.at && isMark(seq) {
			c.text = l.line[l.start : l.at+n]
			c.disputed, l.row.disputed = true, true
		}
	case seq[0] == '\t':
		l.row.cells[l.x] = cell{text: " ", pen: l.id, width: 1}
		l.x++
	case n > 2 && seq[0] == escape && seq[1] == '[' && seq[n-1] == 'm' && l.parser.Command() == 'm':
		l.current.apply(l.parser.Params())
		l.id, l.last = l.pens.id(l.current), -1
	case n > 3 && seq[0] == escape && seq[1] == ']' && l.parser.Command() == 8:
		l.current.setLink(string(l.parser.Data()))
		l.id, l.last = l.pens.id(l.current), -1
	}
}

// isMark reports whether a cluster consists of combining marks only.
func isMark(cluster string) bool {
	for _, r := range cluster {
		if r == utf8.RuneError || !unicode.Is(unicode.M, r) || unicode.Is(unicode.Variation_Selector, r) {
			return false
		}
	}
	return true
}

// disputed reports whether terminals may disagree about the width of a character:
// one of several runes, or an emoji. The check marks are among the emoji but are
// no emoji.
func disputed(cluster string) bool {
	r, n := utf8.DecodeRuneInString(cluster)
	if n == len(cluster) && (r == '✓' || r == '✗') {
		return false
	}
	return n < len(cluster) || r >= 0x1f000 || r >= 0x2300 && r < 0x2500 || r >= 0x2600 && r < 0x27c0 || r >= 0x2b00 && r < 0x2c00
}
