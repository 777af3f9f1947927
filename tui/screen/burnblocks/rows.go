package burnblocks

import (
	"strconv"
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/placeholder"
)

// The widths of columns, their gaps included.
const (
	burnColumn   = 11
	blocksColumn = 8
	txsColumn    = 8
	hashColumn   = 15
	costColumn   = 13
	heightColumn = 11
	hashMost     = 26
	tilesMost    = 90
)

// timeWidth is the width of the column of times.
func (s *Screen) timeWidth() int {
	if s.env.Times.Mode == screen.Ages {
		return 6
	}
	return 10
}

func (s *Screen) timeHead() string {
	if s.env.Times.Mode == screen.Ages {
		return text.PadLeft("AGE", s.timeWidth())
	}
	return text.PadLeft("TIME", s.timeWidth())
}

func (s *Screen) tail(at time.Time) string {
	if at.IsZero() {
		return strings.Repeat(" ", s.timeWidth())
	}
	return s.theme.Muted.Render(text.PadLeft(s.env.Times.Short(s.env.Now(), at), s.timeWidth()))
}

// burnRows are the newest burn blocks.
type burnRows struct{ s *Screen }

// Len is how many there are.
func (r burnRows) Len() int { return r.s.over.depth }

func (r burnRows) height(i int) int64 {
	tip, _ := r.s.over.newest()
	return tip - int64(i)
}

// ID is the height: a burn block that is read meanwhile is the same row.
func (r burnRows) ID(i int) string { return strconv.FormatInt(r.height(i), 10) }

// Tail is when the burn block was mined.
func (r burnRows) Tail(i int) string {
	if l, ok := r.s.over.at(r.height(i)); ok {
		return r.s.tail(l.time)
	}
	return r.s.tail(time.Time{})
}

// Row draws a burn block as a group of its Stacks blocks.
func (r burnRows) Row(i, width int) string {
	th, h := r.s.theme, r.height(i)
	line := th.Number.Render(text.PadLeft(text.Count(h), burnColumn-1)) + " "
	rest := max(0, width-burnColumn)
	v := r.s.over.known[h]
	if v == nil || v.State() == remote.Idle || v.State() == remote.Loading {
		return line + "  " + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, max(0, min(rest-4, 24))))
	}
	l, ok := v.Get()
	if !ok {
		return line + "  " + th.Bad.Render(text.TruncateWith(placeholder.Short(v.Err()), max(0, rest-2), th.Glyphs.Ellipsis))
	}
	if l.empty {
		return line + "  " + th.Muted.Render(text.Truncate("no Stacks block in this burn block", max(0, rest-2)))
	}
	line += th.Text.Render(text.PadLeft(text.Count(l.total), blocksColumn-1)) + " " +
		th.Text.Render(text.PadLeft(txWords(l), txsColumn-1)) + " "
	room := min(tilesMost, rest-blocksColumn-txsColumn-2)
	return line + "  " + tiles(l, room, -1, th)
}

// txWords is the number of transactions; a plus says that not all are counted.
func txWords(l listing) string {
	words := text.Compact(uint64(l.transactions()))
	if l.more() {
		words += "+"
	}
	return words
}

// tiles draws the Stacks blocks of a burn block, the newest left, each as wide
// as its share of the transactions. Where that would leave most of them one
// cell, each is a column instead, as high as its share. chosen is the block to
// point out, -1 for none.
func tiles(l listing, width, chosen int, th *theme.Theme) string {
	if width <= 0 {
		return ""
	}
	weights := l.weights()
	missing := int(max(0, l.total-int64(len(weights))))
	shown, note := weights, ""
	if crowded := len(weights)*3 > width; crowded || missing > 0 {
		each := 2
		if crowded {
			each = 1
		}
		room := max(1, width-len(" +")-len(text.Count(l.total)))
		shown = weights[:min(len(weights), max(1, room/each))]
		if left := len(weights) - len(shown) + missing; left > 0 {
			note = th.Muted.Render(" +" + text.Count(left))
			width = room
		}
		if crowded {
			return columnTiles(shown, chosen, th) + note
		}
	}
	all, _ := chart.Tiles(shown, width)
	full := string(th.Glyphs.Chart.Bar[len(th.Glyphs.Chart.Bar)-1])
	var b strings.Builder
	for i, t := range all {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.Index == chosen {
			// Another glyph too: colour is not the only sign.
			b.WriteString(th.Accent.Render(strings.Repeat(th.Glyphs.Cursor, t.Width)))
			continue
		}
		b.WriteString(th.Chart.Render(strings.Repeat(full, t.Width)))
	}
	return b.String() + note
}

// columnTiles draws each block as one column.
func columnTiles(weights []float64, chosen int, th *theme.Theme) string {
	columns := []rune(chart.Sparkline(weights, len(weights), th.Glyphs.Chart).Text)
	if chosen < 0 || chosen >= len(columns) {
		return th.Chart.Render(string(columns))
	}
	return th.Chart.Render(string(columns[:chosen])) + th.Accent.Render(th.Glyphs.Cursor) + th.Chart.Render(string(columns[chosen+1:]))
}

// burnHead names the columns of the burn blocks.
func (s *Screen) burnHead(width int) string {
	line := "  " + text.PadLeft("BURN BLOCK", burnColumn-1) + " " + text.PadLeft("BLOCKS", blocksColumn-1) + " " +
		text.PadLeft("TXS", txsColumn-1) + "   STACKS BLOCKS"
	if width >= 110 {
		line += ", as wide as their transactions"
	}
	return text.Clip(s.theme.Muted.Render(text.Fill(line, max(0, width-s.timeWidth()))+s.timeHead()), width)
}

// blockRows are the Stacks blocks of a burn block.
type blockRows struct{ s *Screen }

// Len is how many there are.
func (r blockRows) Len() int { return len(r.s.one.shown) }

// ID is the index block hash.
func (r blockRows) ID(i int) string { return r.s.one.block(i).id() }

// Tail is when the block was mined.
func (r blockRows) Tail(i int) string { return r.s.tail(unix(r.s.one.block(i).BlockTime)) }

// columns are what a row has room for.
type columns struct{ hash, txs, cost int }

func fit(width int) columns {
	c := columns{txs: txsColumn, cost: costColumn}
	room := func() int { return width - heightColumn - c.txs - c.cost }
	if room() < hashColumn {
		c.cost = 0
	}
	if room() < hashColumn {
		c.txs = 0
	}
	c.hash = max(0, min(hashMost, room()))
	return c
}

// Row draws a block without its time.
func (r blockRows) Row(i, width int) string {
	b, th, c := r.s.one.block(i), r.s.theme, fit(width)
	hash := text.Pad(text.MiddleWith(b.Hash, max(0, c.hash-2), th.Glyphs.Ellipsis), c.hash)
	line := th.Number.Render(text.PadLeft(text.Count(b.Height), heightColumn-1)) + " "
	if !b.Canonical {
		return line + th.Struck.Render(hash) + th.Bad.Render(th.Glyphs.Cross+" orphaned")
	}
	line += th.Text.Render(hash)
	if c.txs > 0 {
		line += th.Text.Render(text.PadLeft(text.Count(b.TxCount), c.txs))
	}
	if c.cost > 0 {
		share := r.s.limits.Greatest(b.ExecutionCost)
		line += "  " + cost.Bar(share, c.cost-8, th) + th.Text.Render(text.PadLeft(text.Percent(share), 6))
	}
	return line
}

// blockHead names the columns of the blocks.
func (s *Screen) blockHead(width int) string {
	c := fit(max(0, width-2-s.timeWidth()))
	line := "  " + text.PadLeft("HEIGHT", heightColumn-1) + " " + text.Pad("BLOCK HASH", c.hash)
	if c.txs > 0 {
		line += text.PadLeft("TXS", c.txs)
	}
	if c.cost > 0 {
		line += "  " + text.Pad("COST", c.cost-2)
	}
	return text.Clip(s.theme.Muted.Render(text.Fill(line, max(0, width-s.timeWidth()))+s.timeHead()), width)
}
