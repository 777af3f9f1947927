package burnblocks

import (
	"fmt"
	"strconv"
	"strings"

	"chainscope/tui/remote"
	"chainscope/tui/resource"
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
type burnRows struct {
	*browser.Rows[resource.BurnBlock]
	s *Screen
}

// Len returns how many there are.
func (r *burnRows) Len() int { return r.s.over.depth }

// ID returns the height: a burn block that is read meanwhile is the same row.
func (r *burnRows) ID(i int) string { return strconv.FormatInt(r.s.over.height(i), 10) }

// Item returns the burn block of a row. Of one that is not read only the height is known.
func (r *burnRows) Item(i int) (resource.BurnBlock, bool) {
	if l, ok := r.s.over.at(r.s.over.height(i)); ok {
		return l.burnBlock(), true
	}
	return resource.BurnBlock{Height: r.s.over.height(i)}, false
}

// RowWords returns how many there are.
func (r *burnRows) RowWords() string { return text.Plural(r.Len(), "burn block") }

// Row draws a burn block as a group of its Stacks blocks.
func (r *burnRows) Row(i, width int) string {
	th, h := r.Theme, r.s.over.height(i)
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
	room := chartWidth(width)
	line = r.Draw(l.burnBlock(), burnColumns, th) + "   "
	if l.empty {
		return line + th.Muted.Render(text.Truncate("no Stacks block", max(0, room)))
	}
	return line + chartOf(l, room, r.s.over.scaleFor(room), -1, th)
}

// chartWidth returns how many cells of a row the chart has; none where it would have
// too few to say anything.
func chartWidth(width int) int {
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

// Columns names the columns of the burn blocks, and the scale of the chart.
func (r *burnRows) Columns(width int) string {
	line, room := "  "+r.Kind.Head(r.Kind.Fit(burnColumns)), r.HeadWidth(width)
	if chartWidth(room) > 0 {
		line += "   STACKS BLOCKS"
	}
	if c := r.s.over.scaleFor(chartWidth(room)); c.full > 0 {
		words := fmt.Sprintf(" %s a cell, full %s txs", text.Count(c.perCell), text.Compact(uint64(c.full)))
		if c.capped {
			words += ", " + string(r.Theme.Glyphs.Chart.Capped) + " more"
		}
		if text.Width(line)+text.Width(words) < room+2 {
			line += words
		}
	}
	return r.Head(line, width)
}

// blockRows are the Stacks blocks of a burn block.
type blockRows struct {
	*browser.Rows[resource.Block]
	s *Screen
}

// Len returns how many there are.
func (r *blockRows) Len() int {
	l, _ := r.s.one.value.Get()
	return len(l.blocks)
}

// ID returns the index block hash.
func (r *blockRows) ID(i int) string { return r.s.one.block(i).ID() }

// Item returns the block of a row.
func (r *blockRows) Item(i int) (resource.Block, bool) { return r.s.one.block(i).Listed(), true }
