package screen

import (
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// sizing describes how the screen is divided.
type sizing int

const (
	auto sizing = iota // by the size of the room
	listAlone
	both
	detailAlone
)

// Rooms at least this big show both, beside each other or one below the other,
// and the third column.
const (
	besideWidth  = 100
	belowHeight  = 25
	leastBelow   = 12 // below is not possible in less than this
	ContextWidth = 170
)

// wholeHash is a detail that shows hashes whole beside their labels; it gets that much
// where the list keeps enough.
const (
	wholeHash  = 84
	enoughList = 60
)

// gap is the cells between two columns: a blank, the line, a blank.
const gap = 3

// Split divides a place among a list, its detail and, in a wide window, a
// third column: beside each other, one below the other, or one alone. It is what the user
// chose. The zero value goes by the size of the room.
type Split struct {
	chosen sizing
	// Compact leaves out what is above the list.
	Compact bool
	// Context numbers the thing that the third column was chosen to show, from 1; 0 where
	// nothing was chosen.
	Context int
}

// Area is a part of the screen in cells. One without a height is not shown.
type Area struct{ X, Y, Width, Height int }

// Has reports whether a cell of the room is in the area.
func (a Area) Has(x, y int) bool {
	return x >= a.X && x < a.X+a.Width && y >= a.Y && y < a.Y+a.Height
}

// Arrangement holds the areas of everything.
type Arrangement struct {
	List, Detail, Context Area
	Beside                bool
	width, height         int // of list and detail together
	swapped               bool
}

// Key handles the keys that give the detail more or less room, and reports
// whether it was one.
func (s *Split) Key(msg tea.KeyMsg, keys *keymap.Map, width, height int) bool {
	now := s.chosen
	if now == auto {
		now = bySize(width, height)
	}
	switch {
	case key.Matches(msg, keys.Global.Grow):
		s.chosen = min(now+1, detailAlone)
	case key.Matches(msg, keys.Global.Shrink):
		s.chosen = max(now-1, listAlone)
	default:
		return false
	}
	return true
}

// DetailAlone reports whether the user wants the detail to have the whole screen.
func (s *Split) DetailAlone() bool { return s.chosen == detailAlone }

// ListAlone reports whether the user wants the list to have the whole screen.
func (s *Split) ListAlone() bool { return s.chosen == listAlone }

func bySize(width, height int) sizing {
	if width >= besideWidth || height >= belowHeight {
		return both
	}
	return listAlone
}

// Arrange shares a room. The pane that has the keys is always shown; context
// requests the third column, which only a wide screen has.
func (s Split) Arrange(width, height int, inDetail, context bool) Arrangement {
	width, height = max(0, width), max(0, height)
	var a Arrangement
	if context && width >= ContextWidth {
		third := max(44, width/5)
		a.Context = Area{width - third, 0, third, height}
		width -= third + gap
	}
	a.width, a.height, a.Beside = width, height, width >= besideWidth
	now := s.chosen
	if now == auto {
		now = bySize(width, height)
	}
	if now == both && !a.Beside && height < leastBelow {
		now = listAlone
	}
	switch {
	case now == both && a.Beside:
		left := width * 55 / 100
		if rest := width - gap - wholeHash; rest >= enoughList {
			left = min(left, rest)
		}
		a.List, a.Detail = Area{0, 0, left, height}, Area{left + gap, 0, width - left - gap, height}
	case now == both:
		top := height * 2 / 5
		a.List, a.Detail = Area{0, 0, width, top}, Area{0, top + 1, width, height - top - 1}
	case inDetail:
		a.Detail = Area{0, 0, width, height}
	default:
		// A list that was made small by choice comes back when it has the keys.
		a.List = Area{0, 0, width, height}
	}
	return a
}

// Swap puts the detail before the list.
func (a Arrangement) Swap() Arrangement {
	switch {
	case !a.Both():
	case a.Beside && a.Detail.Width > a.List.Width: // each keeps its width
		a.Detail.X, a.List.X = 0, a.Detail.Width+gap
	case a.Beside:
		a.List, a.Detail = a.Detail, a.List
	default:
		below := a.height * 2 / 5
		top := a.height - below - 1
		a.Detail, a.List = Area{0, 0, a.width, top}, Area{0, top + 1, a.width, below}
	}
	a.swapped = true
	return a
}

// Both reports whether list and detail are in sight together.
func (a Arrangement) Both() bool { return a.List.Height > 0 && a.Detail.Height > 0 }

// Draw puts the lines of the columns beside each other.
func (a Arrangement) Draw(th *theme.Theme, list, detail, context []string) []string {
	out := a.panes(th, list, detail)
	if a.Context.Height == 0 {
		return out
	}
	return columns(th, out, context, a.width, a.Context.Width, a.height)
}

func (a Arrangement) panes(th *theme.Theme, list, detail []string) []string {
	switch {
	case a.Both() && a.swapped:
		a.List, a.Detail, a.swapped = a.Detail, a.List, false
		return a.panes(th, detail, list)
	case a.Both() && a.Beside:
		return columns(th, list, detail, a.List.Width, a.Detail.Width, a.List.Height)
	case a.Both():
		out := Fit(th, list, a.width, a.List.Height)
		out = append(out, th.Border.Render(strings.Repeat(th.Glyphs.Horizontal, a.width)))
		return append(out, Fit(th, detail, a.width, a.Detail.Height)...)
	case a.List.Height > 0:
		return Fit(th, list, a.width, a.List.Height)
	}
	return Fit(th, detail, a.width, a.Detail.Height)
}

// columns puts two columns beside each other.
func columns(th *theme.Theme, left, right []string, leftWidth, rightWidth, height int) []string {
	side := " " + th.Border.Render(th.Glyphs.Vertical) + " "
	out := make([]string, height)
	r := Fit(th, right, rightWidth, height)
	for i := range out {
		l := ""
		if i < len(left) {
			l = left[i]
		}
		out[i] = text.Fill(l, leftWidth) + side + r[i]
	}
	return out
}

// Fit makes exactly height lines of at most width cells.
func Fit(th *theme.Theme, lines []string, width, height int) []string {
	out := make([]string, max(0, height))
	for i := range min(len(lines), len(out)) {
		out[i] = text.Cut(lines[i], width, th.Glyphs.Ellipsis)
	}
	return out
}
