package blocks

import (
	"fmt"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
)

// series are the two charts' values from the block at a height down, the
// newest last; a gap where a block is not loaded.
func (k *known) series(from int64, n int) (intervals, txs []float64) {
	for h := from - int64(n) + 1; h <= from; h++ {
		r, before := k.at[h], k.at[h-1]
		interval, count := chart.Gap(), chart.Gap()
		if r != nil {
			count = float64(len(r.Txs))
			if before != nil && r.BlockTime >= before.BlockTime {
				interval = float64(r.BlockTime - before.BlockTime)
			}
		}
		intervals, txs = append(intervals, interval), append(txs, count)
	}
	return intervals, txs
}

// short draws both charts in one line.
func (k *known) short(from int64, width int, th *theme.Theme) string {
	cells := max(4, min(24, (width-44)/2))
	intervals, txs := k.series(from, cells)
	i, t := chart.Sparkline(intervals, cells, th.Glyphs.Chart), chart.Sparkline(txs, cells, th.Glyphs.Chart)
	line := "  " + th.Muted.Render("block time ") + th.Chart.Render(i.Text) + th.Muted.Render(mean(i, " avg %.0fs  "))
	return text.Clip(line+th.Muted.Render("txs ")+th.Chart.Render(t.Text)+th.Muted.Render(mean(t, " avg %.0f")), width)
}

// long draws each chart in two lines: what it is and its scale, then itself.
func (k *known) long(from int64, width int, th *theme.Theme) []string {
	cells := max(4, min(80, width-4))
	intervals, txs := k.series(from, cells)
	i, t := chart.Sparkline(intervals, cells, th.Glyphs.Chart), chart.Sparkline(txs, cells, th.Glyphs.Chart)
	return []string{
		text.Clip("  "+th.Muted.Render("seconds between blocks"+scaleWords(i)), width),
		text.Clip("  "+th.Chart.Render(i.Text), width),
		text.Clip("  "+th.Muted.Render("transactions a block"+scaleWords(t)), width),
		text.Clip("  "+th.Chart.Render(t.Text), width),
	}
}

func mean(s chart.Spark, format string) string {
	if s.Known == 0 {
		return ""
	}
	return fmt.Sprintf(format, s.Mean)
}

// scaleWords say what a full column stands for.
func scaleWords(s chart.Spark) string {
	if s.Known == 0 {
		return ""
	}
	words := fmt.Sprintf(", last %d: avg %.1f, full column %.0f", s.Known, s.Mean, s.Top)
	if s.Capped > 0 {
		words += fmt.Sprintf(", %d higher", s.Capped)
	}
	return words
}
