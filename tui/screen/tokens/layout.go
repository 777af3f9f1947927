package tokens

import (
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/text"
)

// sizing is how list and detail share the body.
type sizing int

const (
	sizeAuto sizing = iota // by the size of the body
	sizeList
	sizeSplit
	sizeDetail
)

// Bodies at least this big show list and detail beside each other, or one below
// the other; the context is a third column.
const (
	besideWidth  = 100
	belowHeight  = 28
	contextWidth = 170
)

// headLines are the lines above the rows of the detail.
const headLines = 3

// context is what the third column of a wide window shows.
type contextPane int

const (
	contextJSON contextPane = iota // the picture when it was asked for, and the raw JSON
	contextNone
	contextPanes
)

// arrangement is where everything stands, in cells. A pane without room has no
// height.
type arrangement struct {
	listWidth, listHeight     int
	detailWidth, detailHeight int
	context                   int // width of the third column, 0 for none
	beside                    bool
}

// arrange decides for the size of the body and what the user chose.
func (s *Screen) arrange() arrangement {
	var a arrangement
	width := s.width
	if s.width >= contextWidth && s.context != contextNone && s.shown() {
		a.context = max(45, s.width/4)
		width -= a.context + 3
	}
	z := s.sizing
	if z == sizeAuto || z == sizeSplit && !s.roomForBoth() {
		z = s.fitting()
	}
	if z == sizeList && s.onDetail {
		z = sizeDetail
	}
	if z == sizeDetail && !s.onDetail {
		z = sizeList
	}
	a.listWidth, a.listHeight, a.detailWidth, a.detailHeight = width, s.height, width, s.height
	switch {
	case z == sizeList:
		a.detailHeight = 0
	case z == sizeDetail:
		a.listHeight = 0
	case s.width >= besideWidth:
		a.beside = true
		a.listWidth = min(64, width*2/5)
		a.detailWidth = width - a.listWidth - 2
	default:
		a.listHeight = max(6, s.height*2/5)
		a.detailHeight = s.height - a.listHeight - 1
	}
	return a
}

func (s *Screen) roomForBoth() bool { return s.width >= besideWidth || s.height >= 14 }

// fitting is the sizing for this body when the user chose none.
func (s *Screen) fitting() sizing {
	switch {
	case s.width >= besideWidth || s.height >= belowHeight:
		return sizeSplit
	case s.onDetail:
		return sizeDetail
	}
	return sizeList
}

// grow gives the detail more room, or less.
func (s *Screen) grow(by sizing) {
	z := s.sizing
	if z == sizeAuto {
		z = s.fitting()
	}
	s.sizing = max(sizeList, min(sizeDetail, z+by))
	switch s.sizing {
	case sizeDetail:
		s.onDetail = isToken(s.place)
	case sizeList:
		s.onDetail = false
	}
	s.focus()
}

// SetSize tells the cells that View fills.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = max(0, width), max(0, height)
	s.resize()
}

func (s *Screen) resize() {
	a := s.arrange()
	s.list.SetSize(a.listWidth, max(0, a.listHeight-2))
	s.detail.SetSize(a.detailWidth, max(0, a.detailHeight-headLines))
	s.json.SetSize(max(0, a.context-1), max(0, s.height-1))
	s.showRows(false)
}

// focus gives the keys to the pane that has them.
func (s *Screen) focus() {
	s.list.SetFocus(!s.onDetail)
	s.detail.SetFocus(s.onDetail)
	s.resize()
}

// View draws the list, the detail, the context, and over them what is typed.
func (s *Screen) View(now time.Time) []string {
	a := s.arrange()
	th := s.theme
	var body []string
	switch {
	case a.detailHeight == 0:
		body = s.listView(now, a.listWidth, a.listHeight)
	case a.listHeight == 0:
		body = s.detailView(now, a.detailWidth, a.detailHeight)
	case a.beside:
		body = beside(s.listView(now, a.listWidth, a.listHeight), s.detailView(now, a.detailWidth, a.detailHeight),
			a.listWidth, th.Border.Render(th.Glyphs.Vertical)+" ")
	default:
		body = append(s.listView(now, a.listWidth, a.listHeight), th.Border.Render(strings.Repeat(th.Glyphs.Horizontal, s.width)))
		body = append(body, s.detailView(now, a.detailWidth, a.detailHeight)...)
	}
	body = exactly(body, s.height)
	if a.context > 0 {
		body = beside(body, s.contextView(a.context), s.width-a.context-3, " "+th.Border.Render(th.Glyphs.Vertical)+" ")
	}
	body = s.overlaid(body)
	for i := range body {
		body[i] = text.Clip(body[i], s.width)
	}
	return body
}

// beside puts two columns next to each other.
func beside(left, right []string, width int, border string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = text.Fill(l, width) + border + r
	}
	return out
}

// exactly makes height lines of them.
func exactly(lines []string, height int) []string {
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:max(0, height)]
}

// pictureAside reports whether the picture stands in the third column.
func (s *Screen) pictureAside() bool {
	return s.arrange().context > 0 && s.picture.State() != remote.Idle
}

// contextView draws the third column: the picture, and the raw JSON where it
// leaves room.
func (s *Screen) contextView(width int) []string {
	th := s.theme
	var out []string
	if s.pictureAside() {
		a, _ := s.token.Get()
		out = append(out, th.Strong.Render("Picture"))
		out = append(out, s.drawPicture(a.name(), width)...)
	}
	out = append(out, th.Strong.Render("Raw JSON"))
	if s.json.Raw() != nil {
		s.json.SetSize(max(0, width-1), max(0, s.height-len(out)))
		out = append(out, s.json.View()...)
	}
	return exactly(out, s.height)
}
