package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// colour is a terminal colour: 0 is the default, otherwise its kind is in the
// highest byte and its value below.
type colour uint32

const (
	indexed colour = 1 << 24 // one of the 256 of the palette
	direct  colour = 2 << 24 // 24 bits of red, green and blue
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

// pen is how a cell is drawn. The zero pen is the terminal's default.
type pen struct {
	fg, bg, ul colour
	attr       attribute
	underline  uint8  // style as in SGR 4:n, 0 for none
	link       string // parameters and address of OSC 8, "" for none
}

// simple SGR parameters that switch one attribute on.
var attributeOn = [...]attribute{1: bold, 2: faint, 3: italic, 5: slowBlink, 6: rapidBlink, 7: reverse, 8: conceal, 9: strike}

// apply changes the pen by the parameters of one SGR sequence. Parameters that
// are unknown are passed over.
func (p *pen) apply(params ansi.Params) {
	link := p.link
	if len(params) == 0 {
		*p = pen{link: link}
		return
	}
	for i := 0; i < len(params); i++ {
		n := params[i].Param(0)
		switch {
		case n == 0:
			*p = pen{link: link}
		case n == 4:
			p.underline = 1
			if params[i].HasMore() && i+1 < len(params) {
				i++
				p.underline = uint8(min(5, max(0, params[i].Param(1))))
			}
		case n < len(attributeOn) && attributeOn[n] != 0:
			p.attr |= attributeOn[n]
		case n == 21:
			p.underline = 2
		case n == 22:
			p.attr &^= bold | faint
		case n == 23:
			p.attr &^= italic
		case n == 24:
			p.underline = 0
		case n == 25:
			p.attr &^= slowBlink | rapidBlink
		case n == 27:
			p.attr &^= reverse
		case n == 28:
			p.attr &^= conceal
		case n == 29:
			p.attr &^= strike
		case n >= 30 && n <= 37:
			p.fg = indexed | colour(n-30)
		case n == 39:
			p.fg = 0
		case n >= 40 && n <= 47:
			p.bg = indexed | colour(n-40)
		case n == 49:
			p.bg = 0
		case n == 53:
			p.attr |= overline
		case n == 55:
			p.attr &^= overline
		case n == 59:
			p.ul = 0
		case n >= 90 && n <= 97:
			p.fg = indexed | colour(n-90+8)
		case n >= 100 && n <= 107:
			p.bg = indexed | colour(n-100+8)
		case n == 38 || n == 48 || n == 58:
			c, used, ok := readColour(params[i:])
			i += used - 1
			if !ok {
				continue
			}
			switch n {
			case 38:
				p.fg = c
			case 48:
				p.bg = c
			default:
				p.ul = c
			}
		}
	}
}

// readColour reads the colour that begins with 38, 48 or 58, in the form with
// semicolons or with colons, and says how many parameters it took.
func readColour(params ansi.Params) (c colour, used int, ok bool) {
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
	at := func(i int) colour {
		return colour(min(255, max(0, params[i].Param(0))))
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
			first = 3 // 38:2:<colour space>:r:g:b
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

// sgr is the sequence that sets the pen whatever the one before.
func (p *pen) sgr() string {
	if (*p == pen{link: p.link}) {
		return "\x1b[m"
	}
	b := p.appendAttributes([]byte("\x1b[0"), p.attr, true)
	b = appendColour(b, p.fg, 30)
	b = appendColour(b, p.bg, 40)
	b = appendColour(b, p.ul, 50)
	return string(append(b, 'm'))
}

// appendAttributes adds what switches attributes on, as SGR parameters.
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

// appendColour adds a colour as SGR parameters; base is 30 for the foreground,
// 40 for the background, 50 for the underline.
func appendColour(b []byte, c colour, base int) []byte {
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

// setLink changes the link by the payload of OSC 8, "8;parameters;address".
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

// pens gives each pen in use a small number, so that cells are compared by it.
type pens struct {
	ids    map[pen]penID
	list   []pen
	sgr    []string
	strip  bool // no colours
	silent bool // no attributes either
}

type penID uint16

// maxPens bounds the table; beyond it the painter begins anew.
const maxPens = 8192

func newPens(noColour, dumb bool) *pens {
	t := &pens{strip: noColour || dumb, silent: dumb}
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

// id gives the number of a pen, the plain one when the table is full.
func (t *pens) id(p pen) penID {
	if t.strip {
		p.fg, p.bg, p.ul = 0, 0, 0
	}
	if t.silent {
		p = pen{}
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

// change appends what turns the pen from one into the other.
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
// has to be switched off but colours.
func (p *pen) extends(old *pen) bool {
	return old.attr&^p.attr == 0 && (old.underline == 0 || old.underline == p.underline)
}

// appendChange adds the sequence that makes this pen of one that it extends.
func (p *pen) appendChange(b []byte, old *pen) []byte {
	start := len(b)
	b = p.appendAttributes(b, p.attr&^old.attr, p.underline != old.underline)
	for _, c := range [...]struct {
		old, now colour
		base     int
	}{{old.fg, p.fg, 30}, {old.bg, p.bg, 40}, {old.ul, p.ul, 50}} {
		switch {
		case c.now == c.old:
		case c.now == 0:
			b = append(b, ';', byte('0'+c.base/10), '9')
		default:
			b = appendColour(b, c.now, c.base)
		}
	}
	// What was added begins with a semicolon, which becomes the introducer.
	b = append(b, 0)
	copy(b[start+1:], b[start:])
	b[start], b[start+1] = 0x1b, '['
	return append(b, 'm')
}
