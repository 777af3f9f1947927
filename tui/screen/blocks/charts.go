package blocks

import (
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
)

// series returns the two charts' values from the block at a height down, the
// newest last; a gap where a block is not loaded.
func (c *chainView) series(from int64, n int) (intervals, txs []float64) {
	for i := range n {
		h := from - int64(n-1-i)
		r, before := c.at[h], c.at[h-1]
		interval, count := chart.Gap(), chart.Gap()
		if r != nil {
			if n, known := r.Transactions(); known {
				count = float64(n)
			}
			if before != nil && r.BlockTime >= before.BlockTime {
				interval = float64(r.BlockTime - before.BlockTime)
			}
		}
		intervals, txs = append(intervals, interval), append(txs, count)
	}
	return intervals, txs
}

// chart draws both charts in one line, with their scales.
func (c *chainView) chart(from int64, width int, th *theme.Theme) string {
	cells := max(4, min(60, (width-72)/2))
	intervals, txs := c.series(from, cells)
	i, t := chart.Sparkline(intervals, cells, th.Glyphs.Chart), chart.Sparkline(txs, cells, th.Glyphs.Chart)
	return " " + th.Muted.Render("block interval ") + th.Chart.Render(i.Text) + th.Muted.Render(i.Words(" s")) +
		"   " + th.Muted.Render("txs per block ") + th.Chart.Render(t.Text) + th.Muted.Render(t.Words(""))
}
