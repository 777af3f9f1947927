package home

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
)

// The picture of the burn blocks: each is a box, its columns are its Stacks blocks.

// Cells of a box: its frame, and the least that is inside.
const (
	boxFrame  = 4
	leastCell = 18
)

// spot is the box of a group, and the number of its columns.
type spot struct {
	group
	width   int // of the box
	columns int // loaded blocks that are drawn
	unknown int // blocks that are counted and not loaded
	cells   int // of a column, with the gap after it
}

// spots shares a width among the groups, the newest first. Each but the last has
// as many columns as it has blocks, as long as the next one has room, too.
func spots(groups []group, width int) []spot {
	var out []spot
	cells := cellsFor(groups, width)
	for i, g := range groups {
		room := width
		if i+1 < len(groups) && room >= 2*(leastCell+boxFrame)+1 {
			room -= leastCell + boxFrame + 1
		}
		if room < leastCell+boxFrame {
			break
		}
		fit := (room - boxFrame) / cells
		p := spot{group: g, columns: min(len(g.blocks), fit), cells: cells}
		if !g.whole && g.total > 0 {
			p.unknown = int(max(0, min(g.total-int64(g.count), int64(fit-p.columns))))
		}
		p.width = min(room, max(leastCell, cells*(p.columns+p.unknown))+boxFrame)
		out = append(out, p)
		width -= p.width + 1
	}
	return out
}

// mostCells is the greatest width of a column in cells.
const mostCells = 3

// cellsFor returns how many cells a column may have for all blocks to be drawn.
func cellsFor(groups []group, width int) int {
	blocks, boxes := 0, 0
	for _, g := range groups {
		blocks += len(g.blocks)
		if !g.whole {
			blocks += int(max(0, min(g.total-int64(g.count), maxBlocks)))
		}
		boxes += boxFrame + 1
	}
	return max(1, min(mostCells, (width-boxes)/max(1, blocks)))
}

// full returns how many transactions a full column means, and whether some column
// is higher: one scale for all groups.
func full(blocks []block) (top float64, capped bool) {
	var all []float64
	for _, b := range blocks {
		all = append(all, b.txs)
	}
	top = chart.Top(all)
	return top, slices.ContainsFunc(all, func(v float64) bool { return v > top })
}

// burnTiles returns the burn blocks beside each other, each a link, and one that leads to
// their list while none is loaded.
func (s *Screen) burnTiles(now time.Time) []tile {
	groups, width := s.chain.groups, max(0, s.Width-2)
	top, _ := full(s.chain.blocks)
	var out []tile
	for _, p := range spots(groups, width) {
		out = append(out, tile{
			id: fmt.Sprint("burn ", p.height), title: s.burnTitle(p), foot: s.burnFoot(p), width: p.width,
			action: "open the burn block", open: s.visits(nav.BurnBlockAtHeight(p.height)),
			lines: func(_, height int) []string { return s.columns(p, height, top) },
			short: func(width int) []string {
				label := text.Count(p.height) + "  "
				p.columns, p.unknown, p.cells = min(len(p.blocks), max(0, width-1-len(label)-8)), 0, 1
				return []string{label + s.columns(p, 1, top)[0] + s.Theme.Muted.Render("  "+p.blocksInWords())}
			},
		})
	}
	if len(out) == 0 {
		out = []tile{{
			id: "burn", width: width, action: "open the burn blocks", open: s.visits(nav.BurnBlocks()),
			draw:  func(width, height int, _ bool) []string { return s.waiting(now, width, height) },
			short: func(int) []string { return []string{""} }, // the line of the tip says it
		}}
	}
	return out
}

// burnHeading returns what the picture means, or why it is old.
func (s *Screen) burnHeading(width int, now time.Time) string {
	th := s.Theme
	if len(s.chain.blocks) > 0 && s.tip.State() == remote.Failed {
		return " " + s.Banner(&s.tip, now)
	}
	left := " " + th.Strong.Render("Burn blocks") + th.Muted.Render(", newest first; each bar is a Stacks block")
	top, capped := full(s.chain.blocks)
	if top > 0 {
		words := ", a full bar is " + text.Plural(int(top), "transaction")
		if s.size() < wide {
			words = ", a full bar is " + text.Compact(uint64(top)) + " txs"
		}
		if capped {
			words += ", " + string(th.Glyphs.Chart.Capped) + " more"
		}
		left += th.Muted.Render(words)
	}
	if slices.ContainsFunc(s.chain.blocks, func(b block) bool { return b.call != "" }) {
		left += "  " + th.Accent.Render(th.Glyphs.Dot+" yours")
	}
	if len(s.chain.Orphans) > 0 {
		left += "  " + th.Bad.Render(th.Glyphs.Cross+" orphaned")
	}
	return text.Clip(left, width)
}

func (s *Screen) burnTitle(p spot) string {
	title := text.Count(p.height)
	if p.time > 0 {
		title += "  " + s.env.Times.Short(s.env.ChainNow(), time.Unix(p.time, 0))
	}
	return title
}

// burnFoot returns how much of the burn block is drawn.
func (s *Screen) burnFoot(p spot) string {
	n := p.count
	words := text.Plural(n, "block")
	if txs, known := p.transactions(); known {
		words += ", " + text.Compact(uint64(txs)) + " tx"
		if txs != 1 {
			words += "s"
		}
	}
	switch {
	case !p.whole && p.total > 0:
		words = fmt.Sprintf("%s of %s blocks loaded", text.Count(n), text.Count(p.total))
	case !p.whole:
		words = text.Plural(n, "block") + " loaded"
	}
	if hidden := len(p.blocks) - p.columns; hidden > 0 {
		words += " (+" + text.Count(hidden) + ")"
	}
	if text.Width(words) > p.width-boxFrame-1 {
		words = text.Plural(n, "block")
		if !p.whole {
			words = p.blocksInWords() + " blocks"
		}
	}
	return words
}

// columns draws the Stacks blocks of a group.
func (s *Screen) columns(p spot, height int, top float64) []string {
	th := s.Theme
	values := make([]float64, 0, p.columns+p.unknown)
	for _, b := range p.blocks[:p.columns] {
		values = append(values, b.txs)
	}
	for range p.unknown {
		values = append(values, chart.Gap())
	}
	out := make([]string, 0, height)
	for y, row := range chart.Rows(values, height, top, th.Glyphs.Chart) {
		var line strings.Builder
		var run []byte // cells of one style
		var style theme.Style
		for x, drawn := range row {
			next, mark := s.cell(p, x, y == height-1, drawn)
			if next != style {
				line.WriteString(style.Render(string(run)))
				style, run = next, run[:0]
			}
			for range max(1, p.cells-1) {
				run = utf8.AppendRune(run, mark)
			}
			if p.cells > 1 {
				run = append(run, ' ')
			}
		}
		line.WriteString(style.Render(string(run)))
		out = append(out, line.String())
	}
	return out
}

// cell returns how a column is styled, and what is in a row of it: in the lowest a
// sign, where it is an orphan or has a transaction of ours. Color is never the only
// sign.
func (s *Screen) cell(p spot, x int, lowest bool, drawn rune) (style theme.Style, mark rune) {
	th := s.Theme
	style, mark = th.Chart, drawn
	switch {
	case x >= p.columns:
		style = th.Faint
	case p.blocks[x].orphaned:
		style = th.Bad
		if lowest {
			mark = []rune(th.Glyphs.Cross)[0]
		}
	case p.blocks[x].call != "":
		style = th.Accent
		if lowest {
			mark = []rune(th.Glyphs.Dot)[0]
		}
	}
	return style, mark
}
