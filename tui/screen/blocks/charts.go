package blocks

import (
	"chainscope/tui/chain"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
)

// charts draws both charts in one line, with their scales.
func charts(c *chain.Chain, from int64, width int, th *theme.Theme) string {
	cells := max(4, min(60, (width-72)/2))
	intervals, txs := c.Series(from, cells)
	i, t := chart.Sparkline(intervals, cells, th.Glyphs.Chart), chart.Sparkline(txs, cells, th.Glyphs.Chart)
	return " " + th.Muted.Render("block interval ") + th.Chart.Render(i.Text) + th.Muted.Render(i.Words(" s")) +
		"   " + th.Muted.Render("txs per block ") + th.Chart.Render(t.Text) + th.Muted.Render(t.Words(""))
}
