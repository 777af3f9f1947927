package blocks

// rect is a part of the body in cells.
type rect struct{ width, height int }

// sizing is how list and detail share the body.
type sizing int

const (
	sizeAuto sizing = iota // by the size of the body
	sizeList
	sizeSplit
	sizeDetail
)

// Bodies at least this big show list and detail beside each other, or one
// below the other; the context is a third column.
const (
	besideWidth  = 100
	belowHeight  = 28
	contextWidth = 170
)

// sizes is what auto stands for in this body.
func (s *Screen) sizes() sizing {
	switch {
	case s.width >= besideWidth || s.height >= belowHeight:
		return sizeSplit
	case s.focus == onDetail:
		return sizeDetail
	default:
		return sizeList
	}
}

func (z sizing) grow(auto sizing) sizing {
	if z == sizeAuto {
		z = auto
	}
	return min(z+1, sizeDetail)
}

func (z sizing) shrink(auto sizing) sizing {
	if z == sizeAuto {
		z = auto
	}
	return max(z-1, sizeList)
}

// arrangement is where everything stands.
type arrangement struct {
	sizing  sizing
	beside  bool
	charts  int // lines: 0, 1 or 4
	context int // width of the third column, 0 for none
}

// arrange decides for the size of the body and what the user chose.
func (s *Screen) arrange() arrangement {
	a := arrangement{sizing: s.sizing}
	if a.sizing == sizeAuto {
		a.sizing = s.sizes()
	}
	if a.sizing == sizeList && s.focus == onDetail {
		a.sizing = sizeDetail
	}
	if a.sizing == sizeSplit && s.width < besideWidth && s.height < 14 {
		a.sizing = sizeList
		if s.focus == onDetail {
			a.sizing = sizeDetail
		}
	}
	a.beside = s.width >= besideWidth
	if s.width >= contextWidth && s.context != contextNone {
		a.context = max(45, s.width/4)
	}
	switch {
	case s.compact || s.height < 12:
	case s.height >= 30 && (a.beside || a.sizing != sizeSplit):
		a.charts = 4
	default:
		a.charts = 1
	}
	return a
}

// layout gives list and detail their room. The list's room is without its
// head, the filter, the banner and the charts.
func (s *Screen) layout() {
	a := s.arrange()
	width := s.width
	if a.context > 0 {
		width -= a.context + 1
	}
	l, d := rect{width, s.height}, rect{width, s.height}
	if a.sizing == sizeSplit {
		if a.beside {
			l.width = width * 55 / 100
			d.width = width - l.width - 3
		} else {
			l.height = max(6, s.height*2/5)
			d.height = s.height - l.height - 1
		}
	}
	l.height -= 1 + s.above()
	if a.charts > 0 {
		l.height -= a.charts
		if a.charts > 1 {
			l.height--
		}
	}
	s.listRect, s.detailRect = rect{l.width, max(0, l.height)}, rect{max(0, d.width), max(0, d.height)}
	s.list.SetSize(s.listRect.width, s.listRect.height)
	s.detail.SetSize(s.detailRect.width, s.detailRect.height)
	s.list.SetFocus(s.focus == onList)
	s.detail.SetFocus(s.focus == onDetail)
	s.json.SetSize(max(0, a.context-1), max(0, s.height-1))
}

// above counts the lines over the list: a banner and the filter.
func (s *Screen) above() int {
	n := 0
	if s.trouble() != nil {
		n++
	}
	if s.filter.Typing() || s.filter.Query() != "" {
		n++
	}
	return n
}

// trouble is why what is shown is not the newest; nil when it is.
func (s *Screen) trouble() error {
	if err := s.tip.Err(); err != nil {
		return err
	}
	return s.more.Err()
}

// look notes which new blocks were on screen.
func (s *Screen) look() {
	if s.list.Place().Top == 0 && s.known.started {
		s.seen = s.known.tip
	}
}

// SetSize implements screen.Screen.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.layout()
}
