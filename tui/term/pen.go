package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// color is a terminal color: 0 is the default; otherwise its kind is in the
// highest byte and its value below.
type color uint32

const (
	indexed color = 1 << 24 // one of the 256 of the palette
	direct  color = 2 << 24 // 24 bits of red, green and blue
)

// attribute is a set of SGR attributes.
type attribute uint16

const (
	bold attribute = 1 << iota
	faint
	italic
	slowBlink
	rapidBlink
	reverse
	conceal
	strike
	overline
)

// pen describes how a cell is drawn. The zero pen is the terminal's default.
type pen struct {
	fg, bg, ul color
	attr       attribute
	underline  uint8  // style as in SGR 4:n, 0 for none
	link       string // parameters and address of OSC 8, "" for none
}

// attributeOn holds the SGR parameters that switch one attribute on, attributeOff
// those that switch some off.
var (
	attributeOn  = [...]attribute{1: bold, 2: faint, 3: italic, 5: slowBlink, 6: rapidBlink, 7: reverse, 8: conceal, 9: strike}
	attributeOff = [...]attribute{22: bold | faint, 23: italic, 25: slowBlink | rapidBlink, 27: reverse, 28: conceal, 29: strike}
)

// apply changes the pen by the parameters of one SGR sequence. It ignores
// unknown parameters.
func (p *pen) apply(params ansi.Params) {
	if len(params) == 0 {
		*p = pen{link: p.link}
		return
	}
	for i := 0; i < len(params); i++ {
		n := params[i].Param(0)
		switch {
		case n == 0:
			*p = pen{link: p.link}
		case n == 4:
			p.underline = 1
			if params[i].HasMore() && i+1 < len(params) {
				i++
				p.underline = uint8(min(5, max(0, params[i].Param(1))))
			}
		case n == 38 || n == 48 || n == 58:
			c, used, ok := readColor(params[i:])
			if ok {
				*p.role(n) = c
			}
			i += used - 1
		case n < len(attributeOn) && attributeOn[n] != 0:
			p.attr |= attributeOn[n]
		case n < len(attributeOff) && attributeOff[n] != 0:
			p.attr &^= attributeOff[n]
		default:
			p.applySimple(n)
		}
	}
}

// role returns which color of the pen the parameter 38, 48 or 58 sets.
func (p *pen) role(n int) *color {
	switch n {
	case 38:
		return &p.fg
	case 48:
		return &p.bg
	}
	return &p.ul
}

// applySimple changes the pen by a parameter that is alone: a color of the
// palette, a default, an underline or overline.
func (p *pen) applySimple(n int) {
	switch {
	case n == 21:
		p.underline = 2
	case n == 24:
		p.underline = 0
	case n >= 30 && n <= 37:
		p.fg = indexed | color(n-30)
	case n == 39:
		p.fg = 0
	case n >= 40 && n <= 47:
		p.bg = indexed | color(n-40)
	case n == 49:
		p.bg = 0
	case n == 53:
		p.attr |= overline
	case n == 55:
		p.attr &^= overline
	case n == 59:
		p.ul = 0
	case n >= 90 && n <= 97:
		p.fg = indexed | color(n-90+8)
	case n >= 100 && n <= 107:
		p.bg = indexed | color(n-100+8)
	}
}

// readColor reads the color that begins with 38, 48 or 58, in the form with
// semicolons or with colons, and returns how many parameters it took.
func readColor(params ansi.Params) (c color, used int, ok bool) {
	colons := params[0].HasMore()
	end := 1
	if colons {
		for end < len(params) && params[end-1].HasMore() {
			end++
		}
	} else {
		end = len(params)
	}
	if end < 2 {
		return 0, end, false
	}
	at := func(i int) color {
		return color(min(255, max(0, params[i].Param(0))))
	}
	switch params[1].Param(0) {
	case 5:
		if end < 3 {
			return 0, end, false
		}
		if !colons {
			end = 3
		}
		return indexed | at(2), end, true
	case 2:
		first := 2
		if colons && end >= 6 {
			first = 3 // 38:2:<color space>:r:g:b
		}
		if end < first+3 {
			return 0, end, false
		}
		if !colons {
			end = first + 3
		}
		return direct | at(first)<<16 | at(first+1)<<8 | at(first+2), end, true
	}
	return 0, end, false
}

// sgr returns the sequence that sets the pen, whatever the one before.
func (p *pen) sgr() string {
	if (*p == pen{link: p.link}) {
		return "\x1b[m"
	}
	b := p.appendAttributes([]byte("\x1b[0"), p.attr, true)
	b = appendColor(b, p.fg, 30)
	b = appendColor(b, p.bg, 40)
	b = appendColor(b, p.ul, 50)
	return string(append(b, 'm'))
}

// appendAttributes appends the SGR parameters that switch attributes on.
func (p *pen) appendAttributes(b []byte, attr attribute, underline bool) []byte {
	for i, a := range attributeOn {
		if a != 0 && attr&a != 0 {
			b = append(b, ';', byte('0'+i))
		}
	}
	switch {
	case !underline || p.underline == 0:
	case p.underline == 1:
		b = append(b, ";4"...)
	default:
		b = append(b, ";4:"...)
		b = append(b, '0'+p.underline)
	}
	if attr&overline != 0 {
		b = append(b, ";53"...)
	}
	return b
}

// appendColor appends a color as SGR parameters; base is 30 for the foreground,
// 40 for the background, 50 for the underline.
func appendColor(b []byte, c color, base int) []byte {
	v := int(c & 0xffffff)
	switch {
	case c == 0:
		return b
	case c&indexed != 0 && v < 8 && base != 50:
		return strconv.AppendInt(append(b, ';'), int64(base+v), 10)
	case c&indexed != 0 && v < 16 && base != 50:
		return strconv.AppendInt(append(b, ';'), int64(base+60+v-8), 10)
	case c&indexed != 0:
		b = strconv.AppendInt(append(b, ';'), int64(base+8), 10)
		return strconv.AppendInt(append(b, ";5;"...), int64(v), 10)
	}
	b = strconv.AppendInt(append(b, ';'), int64(base+8), 10)
	b = strconv.AppendInt(append(b, ";2;"...), int64(v>>16), 10)
	b = strconv.AppendInt(append(b, ';'), int64(v>>8&255), 10)
	return strconv.AppendInt(append(b, ';'), int64(v&255), 10)
}

// setLink sets the link from the payload of OSC 8, "8;parameters;address".
// Only http and https addresses are kept.
func (p *pen) setLink(data string) {
	p.link = ""
	rest, ok := strings.CutPrefix(data, "8;")
	if !ok {
		return
	}
	if _, address, ok := strings.Cut(rest, ";"); ok &&
		(strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")) {
		p.link = rest
	}
}

// pens numbers the pens in use, so that cells can be compared quickly.
type pens struct {
	ids   map[pen]penID
	list  []pen
	sgr   []string
	strip bool // leave out colors
}

type penID uint16

// maxPens bounds the table; when it is full, the painter starts over.
const maxPens = 8192

func newPens(noColor bool) *pens {
	t := &pens{strip: noColor}
	t.reset()
	return t
}

// reset forgets all pens but the plain one, which is number 0.
func (t *pens) reset() {
	t.ids = map[pen]penID{{}: 0}
	t.list = append(t.list[:0], pen{})
	t.sgr = append(t.sgr[:0], "\x1b[m")
}

func (t *pens) full() bool { return len(t.list) >= maxPens }

// id returns the number of a pen, that of the plain one when the table is full.
func (t *pens) id(p pen) penID {
	if t.strip {
		p.fg, p.bg, p.ul = 0, 0, 0
	}
	if id, ok := t.ids[p]; ok {
		return id
	}
	if t.full() {
		return 0
	}
	id := penID(len(t.list))
	t.ids[p] = id
	t.list = append(t.list, p)
	t.sgr = append(t.sgr, p.sgr())
	return id
}

// change appends the sequence that turns one pen into the other.
func (t *pens) change(b []byte, from, to penID) []byte {
	if from == to {
		return b
	}
	old, p := &t.list[from], &t.list[to]
	if old.link != p.link {
		b = append(b, "\x1b]8;"...)
		if p.link == "" {
			b = append(b, ';')
		}
		b = append(b, p.link...)
		b = append(b, "\x1b\\"...)
	}
	if a, c := *old, *p; a.link != c.link {
		a.link, c.link = "", ""
		if a == c {
			return b
		}
	}
	if n := len(b); p.extends(old) {
		if b = p.appendChange(b, old); len(b)-n <= len(t.sgr[to]) {
			return b
		}
		b = b[:n]
	}
	return append(b, t.sgr[to]...)
}

// extends reports whether the pen has every attribute of old, so that nothing
// has to be switched off but colors.
func (p *pen) extends(old *pen) bool {
	return old.attr&^p.attr == 0 && (old.underline == 0 || old.underline == p.underline)
}

// appendChange appends the sequence that turns old, which the pen extends, into
// the pen.
func (p *pen) appendChange(b []byte, old *pen) []byte {
	start := len(b)
	b = p.appendAttributes(b, p.attr&^old.attr, p.underline != old.underline)
	for _, c := range [...]struct {
		old, now color
		base     int
	}{{old.fg, p.fg, 30}, {old.bg, p.bg, 40}, {old.ul, p.ul, 50}} {
		switch {
		case c.now == c.old:
		case c.now == 0:
			b = append(b, ';', byte('0'+c.base/10), '9')
		default:
			b = appendColor(b, c.now, c.base)
		}
	}
	// What was added begins with a semicolon, which becomes the introducer.
	b = append(b, 0)
	copy(b[start+1:], b[start:])
	b[start], b[start+1] = 0x1b, '['
	return append(b, 'm')
}
