package burnblocks

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"
)

// Cells of a row of a burn block.
const (
	burnColumns = 26 // height and counts
	chartMost   = 90
	chartLeast  = 8
)

// burnRows are the newest burn blocks.
type burnRows struct{ s *Screen }

// Len returns how many there are.
func (r burnRows) Len() int { return r.s.over.depth }

func (r burnRows) height(i int) int64 { return r.s.over.height(i) }

// ID returns the height: a burn block that is read meanwhile is the same row.
func (r burnRows) ID(i int) string { return strconv.FormatInt(r.height(i), 10) }

// Tail returns when the burn block was mined.
func (r burnRows) Tail(i int) string {
	if l, ok := r.s.over.at(r.height(i)); ok {
		return browser.TimeTail(r.s.Theme, r.s.env, l.time)
	}
	return browser.TimeTail(r.s.Theme, r.s.env, time.Time{})
}

// Row draws a burn block as a group of its Stacks blocks.
func (r burnRows) Row(i, width int) string {
	th, h := r.s.Theme, r.height(i)
	line := th.Number.Render(text.PadLeft(text.Count(h), 10))
	rest := max(0, width-12)
	v, counted := r.s.over.known[h], r.s.over.counts[h].counted
	if (v == nil || v.State() == remote.Idle) && !counted {
		return line + strings.Repeat(" ", burnColumns-10+3) + th.Faint.Render("not read yet")
	}
	if v != nil && v.State() == remote.Loading && !counted {
		return line + "  " + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, max(0, min(rest-4, 24))))
	}
	l, ok := r.s.over.at(h)
	if !ok {
		return line + "  " + th.Bad.Render(text.TruncateWith(placeholder.Short(v.Err()), max(0, rest-2), th.Glyphs.Ellipsis))
	}
	room := chartRoom(width)
	line = r.s.burns.Row(l.burnBlock(), burnColumns, th) + "   "
	if l.empty {
		return line + th.Muted.Render(text.Truncate("no Stacks block", max(0, room)))
	}
	return line + chartOf(l, room, r.s.over.scaleFor(room), -1, th)
}

// chartRoom returns how many cells of a row the chart has; none where it would have
// too few to say anything.
func chartRoom(width int) int {
	room := min(chartMost, width-burnColumns-3)
	if room < chartLeast {
		return 0
	}
	return room
}

// chartOf draws the Stacks blocks of a burn block, the newest left: as many
// cells as there are blocks, each as high as the transactions in it, all on one
// scale. Blocks that are counted and not loaded are cells of their own kind.
// chosen is the block to point out, -1 for none.
func chartOf(l listing, width int, c scale, chosen int, th *theme.Theme) string {
	if width <= 0 {
		return ""
	}
	g := th.Glyphs.Chart
	cells := []rune(chart.Cells(l.weights(), c.perCell, c.full, g))
	all := int((min(max(l.total, int64(len(l.blocks))), mostBlocks) + int64(c.perCell) - 1) / int64(c.perCell))
	note := ""
	if all > width {
		room := max(1, width-len(" +")-len(text.Count(l.total)))
		note = th.Muted.Render(" +" + text.Count(l.total-int64(min(room*c.perCell, len(l.blocks)))))
		all = room
	}
	cells = cells[:min(len(cells), all)]
	out := th.Chart.Render(string(cells))
	if at := chosen / max(1, c.perCell); chosen >= 0 && at < len(cells) {
		// Another glyph too: color is not the only sign.
		out = th.Chart.Render(string(cells[:at])) + th.Accent.Render(th.Glyphs.Cursor) + th.Chart.Render(string(cells[at+1:]))
	}
	return out + th.Faint.Render(strings.Repeat(string(g.Unknown), max(0, all-len(cells)))) + note
}

// burnHead names the columns of the burn blocks, and the scale of the chart.
func (s *Screen) burnHead(width int) string {
	line := "  " + s.burns.Kind.Head(s.burns.Kind.Fit(burnColumns))
	if chartRoom(width-2-browser.TimeWidth(s.env.Times)) > 0 {
		line += "   STACKS BLOCKS"
	}
	if c := s.over.scaleFor(chartRoom(width - 2 - browser.TimeWidth(s.env.Times))); c.full > 0 {
		words := fmt.Sprintf(" %s a cell, full %s txs", text.Count(c.perCell), text.Compact(uint64(c.full)))
		if c.capped {
			words += ", " + string(s.Theme.Glyphs.Chart.Capped) + " more"
		}
		if text.Width(line)+text.Width(words)+browser.TimeWidth(s.env.Times) < width {
			line += words
		}
	}
	return browser.Head(s.Theme, s.env.Times, line, width)
}

// blockRows are the Stacks blocks of a burn block.
type blockRows struct{ s *Screen }

// Len returns how many there are.
func (r blockRows) Len() int {
	l, _ := r.s.one.value.Get()
	return len(l.blocks)
}

// ID returns the index block hash.
func (r blockRows) ID(i int) string { return r.s.one.block(i).ID() }

// Tail returns when the block was mined.
func (r blockRows) Tail(i int) string {
	return browser.TimeTail(r.s.Theme, r.s.env, unix(r.s.one.block(i).BlockTime))
}

// Row draws a block without its time.
func (r blockRows) Row(i, width int) string {
	return r.s.blocks.Row(r.s.one.block(i).Listed(), width, r.s.Theme)
}
