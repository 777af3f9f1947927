// Package split shares the room of a place among a list and its detail: beside
// each other, one below the other, or one alone. It must not import apiclient
// or any screen.
package split

import (
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// sizing is how the room is shared.
type sizing int

const (
	auto sizing = iota // by the size of the room
	listAlone
	both
	detailAlone
)

// Rooms at least this big show both, beside each other or one below the other.
const (
	besideWidth = 100
	belowHeight = 25
	leastBelow  = 12 // below is not possible in less than this
)

// gap is the cells between list and detail: a blank, the line, a blank.
const gap = 3

// Split is what the user chose. The zero value goes by the size of the room.
type Split struct {
	// Most bounds the lines of a detail below its list; 0 for no bound.
	Most   int
	chosen sizing
}

// Area is a part of the room in cells. One without a height is not shown.
type Area struct{ Width, Height int }

// Arrangement is where list and detail stand.
type Arrangement struct {
	List, Detail Area
	Beside       bool
	width        int
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

func bySize(width, height int) sizing {
	if width >= besideWidth || height >= belowHeight {
		return both
	}
	return listAlone
}

// Arrange shares a room. A pane that has the keys is always shown.
func (s Split) Arrange(width, height int, inDetail bool) Arrangement {
	width, height = max(0, width), max(0, height)
	a := Arrangement{width: width, Beside: width >= besideWidth}
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
		a.List, a.Detail = Area{left, height}, Area{width - left - gap, height}
	case now == both:
		top := height * 2 / 5
		if s.Most > 0 {
			top = max(top, height-1-s.Most)
		}
		a.List, a.Detail = Area{width, top}, Area{width, height - top - 1}
	case inDetail:
		a.Detail = Area{width, height}
	default:
		// A list that was made small by choice comes back when it has the keys.
		a.List = Area{width, height}
	}
	return a
}

// Both reports whether list and detail are in sight together.
func (a Arrangement) Both() bool { return a.List.Height > 0 && a.Detail.Height > 0 }

// Draw puts the lines of list and detail where they stand.
func (a Arrangement) Draw(th *theme.Theme, list, detail []string) []string {
	at := func(lines []string, i int) string {
		if i < len(lines) {
			return lines[i]
		}
		return ""
	}
	var out []string
	switch {
	case a.Both() && a.Beside:
		side := " " + th.Border.Render(th.Glyphs.Vertical) + " "
		for i := range a.List.Height {
			out = append(out, text.Fill(text.Clip(at(list, i), a.List.Width), a.List.Width)+side+text.Clip(at(detail, i), a.Detail.Width))
		}
		return out
	case a.Both():
		for i := range a.List.Height {
			out = append(out, text.Clip(at(list, i), a.width))
		}
		out = append(out, th.Border.Render(strings.Repeat(th.Glyphs.Horizontal, a.width)))
	case a.List.Height > 0:
		for i := range a.List.Height {
			out = append(out, text.Clip(at(list, i), a.width))
		}
		return out
	}
	for i := range a.Detail.Height {
		out = append(out, text.Clip(at(detail, i), a.width))
	}
	return out
}
