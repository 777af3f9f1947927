package home

import (
	"slices"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tile is a part of home: what it shows, and what it opens.
type tile struct {
	id, title, foot string
	action          string         // what enter does
	open            func() tea.Cmd // nil for what the keys pass over

	// lines are inside its box, and short is beside its title where it has no room for
	// a box. A tile that draws itself has draw instead of lines; it is marked when it has
	// the keys.
	lines func(width, height int) []string
	short func(width int) []string
	draw  func(width, height int, marked bool) []string

	x, y, width, height int // in cells of the place
}

// flow places tiles from the top down.
type flow struct {
	tiles         []tile
	width, height int
	y             int // where the next row begins
}

// row places tiles beside each other. They share the width, but for a gap between them.
func (f *flow) row(height, gap int, tiles ...tile) {
	edge := func(i int) int { return (f.width + gap) * i / len(tiles) }
	for i := range tiles {
		tiles[i].width = edge(i+1) - edge(i) - gap
	}
	f.place(0, height, gap, tiles...)
}

// place places tiles that have their widths, the first at a column. What would begin
// below the window is left out, but the first tile is always there.
func (f *flow) place(x, height, gap int, tiles ...tile) {
	for _, t := range tiles {
		t.x, t.y, t.height = x, f.y, height
		x += t.width + gap
		if f.y < f.height || len(f.tiles) == 0 {
			f.tiles = append(f.tiles, t)
		}
	}
	f.y += height
}

// size describes how home is laid out.
type size int

const (
	narrow size = iota // a line each, the picture in one of them
	middle             // lines, the picture in boxes
	wide               // boxes beside each other
	large              // the same, and a row more
)

// The least size of the layouts in cells.
const (
	largeWidth, largeHeight   = 160, 46
	wideWidth, wideHeight     = 110, 32
	middleWidth, middleHeight = 60, 17
)

func (s *Screen) size() size {
	switch {
	case s.Width >= largeWidth && s.Height >= largeHeight:
		return large
	case s.Width >= wideWidth && s.Height >= wideHeight:
		return wide
	case s.Width >= middleWidth && s.Height >= middleHeight:
		return middle
	}
	return narrow
}

// Heights of rows in lines.
const (
	topHeight    = 5
	leastPicture = 4
	mostPicture  = 16
	fairPicture  = 10 // of a large window
	mostChart    = 4  // of one chart, without its heading
	bottomHeight = 7
	mostBottom   = 10
)

// layout places all tiles, in the order in which they are read. Where one is depends
// on the window alone, so that nothing moves when answers come. The first always has an
// action.
func (s *Screen) layout(now time.Time) []tile {
	f := &flow{width: s.Width, height: s.Height}
	tip, pace, api, charts := s.tipTile(now), s.paceTile(), s.apiTile(now), s.chartTiles()
	var bottom []tile
	if s.env.Wallet != nil {
		bottom = append(bottom, s.walletTile(), s.callsTile(now))
	}
	if s.opt.Scenario != nil {
		bottom = append(bottom, s.mockTile())
	}
	switch s.size() {
	case wide, large:
		s.placeBoxes(f, now, []tile{tip, pace, api}, charts, bottom)
	case middle:
		f.row(2, 0, tip)
		f.y++
		rest := f.height - f.y - 1 - 3 - 1 - len(bottom)
		if s.greets {
			rest -= len(s.tries())
		}
		s.placePicture(f, now, max(leastPicture, rest))
		for _, t := range append(charts[:3:3], append([]tile{api}, bottom...)...) {
			f.row(1, 0, t)
		}
		if s.greets {
			f.row(len(s.tries()), 0, s.tryTile())
		}
	case narrow:
		f.row(1, 0, tip)
		burn := s.burnTiles(now)[0]
		burn.title = "Burn"
		f.row(1, 0, burn)
		for _, t := range append([]tile{pace, api}, bottom...) {
			f.row(1, 0, t)
		}
	}
	return f.tiles
}

// placeBoxes places tiles in boxes. Room that they do not need is given to the picture
// first, then to the charts, and then to the row at the bottom.
func (s *Screen) placeBoxes(f *flow, now time.Time, top, charts, bottom []tile) {
	chart, low, picture, row := 1, bottomHeight, mostPicture, 0
	if s.size() == large {
		picture, row = fairPicture, bottomHeight
	}
	rest := f.height - topHeight - 2 - 1 - 1 - row
	if s.greets {
		rest -= len(s.tries()) + 2
	}
	both := func() int { return 2*(1+chart) + 1 }
	for chart < mostChart && rest-both()-2-low >= picture {
		chart++
	}
	if free := max(0, rest-both()-low-picture); row > 0 {
		row += free
	} else {
		low += min(free, mostBottom-bottomHeight)
	}

	f.row(topHeight, 1, top...)
	f.y++
	s.placePicture(f, now, min(rest-both()-low, picture))
	f.y++
	f.row(1+chart, 2, charts[:2]...)
	f.y++
	f.row(1+chart, 2, charts[2:]...)
	f.y++
	if row > 0 {
		f.row(row, 1, s.moreTiles()...)
	}
	f.row(low, 1, bottom...)
	if s.greets {
		f.row(len(s.tries())+2, 0, s.tryTile())
	}
}

// placePicture places the heading of the burn blocks and their boxes.
func (s *Screen) placePicture(f *flow, now time.Time, height int) {
	f.row(1, 0, tile{draw: func(width, _ int, _ bool) []string { return []string{s.burnHeading(width, now)} }})
	f.place(1, height, 1, s.burnTiles(now)...)
}

// View draws the place.
func (s *Screen) View(now time.Time) []string {
	lines, current := make([]string, s.Height), s.current().id
	for _, t := range s.layout(now) {
		for i, line := range s.drawn(t, t.open != nil && t.id == current) {
			if y := t.y + i; y < len(lines) {
				lines[y] = text.Fill(lines[y], t.x) + line
			}
		}
	}
	return screen.Fit(s.Theme, lines, s.Width, s.Height)
}

// leastBox is the least height of a tile that has a frame.
const leastBox = 5

// labelWidth is the width of the titles of tiles that are lines.
const labelWidth = 8

// drawn draws a tile: in a box, or as lines where it has too few for one. The tile that
// has the keys stands out.
func (s *Screen) drawn(t tile, marked bool) []string {
	if t.short == nil || t.height >= leastBox {
		if t.draw != nil {
			return t.draw(t.width, t.height, marked)
		}
		th := *s.Theme
		if marked {
			th.Border = th.Accent
			t.title = th.Glyphs.Cursor + " " + t.title
		}
		return box.Draw(&th, t.title, t.foot, t.lines(t.width-boxFrame, t.height-2), t.width, t.height)
	}
	lines := t.short(t.width - labelWidth - 1)
	for i, line := range lines {
		label := strings.Repeat(" ", labelWidth+1)
		if i == 0 {
			label = s.label(text.Pad(t.title, labelWidth), marked)
		}
		lines[i] = label + line
	}
	return lines[:min(t.height, len(lines))]
}

// label returns a title that is not in a frame.
func (s *Screen) label(title string, marked bool) string {
	th := s.Theme
	if marked {
		return th.Accent.Render(th.Glyphs.Cursor + title)
	}
	return " " + th.Strong.Render(title)
}

// tiles returns those that the keys go to. There is always one.
func (s *Screen) tiles() []tile {
	return slices.DeleteFunc(s.layout(s.env.Now()), func(t tile) bool { return t.open == nil })
}

// position returns the number of the tile that has the keys: the first when that which had
// them is gone.
func (s *Screen) position(all []tile) int {
	return max(0, slices.IndexFunc(all, func(t tile) bool { return t.id == s.at }))
}

// current returns the tile that has the keys.
func (s *Screen) current() tile {
	all := s.tiles()
	return all[s.position(all)]
}

// step gives the keys to another tile; after the last comes the first.
func (s *Screen) step(by int) {
	all := s.tiles()
	s.at = all[(s.position(all)+by+len(all))%len(all)].id
}

// Click opens the tile under the mouse.
func (s *Screen) Click(x, y int) tea.Cmd {
	for _, t := range s.tiles() {
		if x >= t.x && x < t.x+t.width && y >= t.y && y < t.y+t.height {
			s.at = t.id
			return t.open()
		}
	}
	return nil
}

// visits returns what goes to a place.
func (s *Screen) visits(to nav.Place) func() tea.Cmd {
	return func() tea.Cmd { return s.env.Visit(to) }
}

// uses returns what does what a key of the frame does.
func (s *Screen) uses(b *key.Binding) func() tea.Cmd {
	return func() tea.Cmd { return s.env.Use(b) }
}
