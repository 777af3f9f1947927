package home

import (
	"fmt"
	"math"

	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
)

// chartTiles returns the four charts.
func (s *Screen) chartTiles() []tile {
	p, blocks := s.pace, s.visits(nav.Blocks())
	of := func(id, title, label, unit string, values []float64) tile {
		return tile{id: id, action: "open the blocks", open: blocks, draw: func(width, height int, marked bool) []string {
			if height == 1 {
				return []string{s.chartLine(label, unit, values, width, marked)}
			}
			return s.chart(title, unit, values, width, height, marked)
		}}
	}
	latency := of("latency", "Latency of requests", "latency", " ms", s.server.times)
	latency.action, latency.open = "list the requests", s.uses(&s.env.Keys.Global.Inspector)
	return []tile{
		of("intervals", "Seconds between blocks", "s between blocks", "", p.intervals),
		of("transactions", "Transactions per block", "txs per block", "", p.txs),
		of("cost", "Cost per block, of the limit", "cost, % of limit", "%", p.shares),
		latency,
	}
}

// chart draws a heading with the scale, and the chart below it.
func (s *Screen) chart(title, unit string, values []float64, width, height int, marked bool) []string {
	th, cells := s.Theme, width-2
	values = values[max(0, len(values)-cells):]
	glyphs := th.Glyphs.Chart
	glyphs.Unknown = ' '
	head, spark := s.label(title, marked), chart.Sparkline(values, cells, glyphs)
	out := []string{text.Spread(head, th.Muted.Render(scale(spark, unit, width-text.Width(head)-3)), width-1)}
	for _, row := range chart.Rows(values, height-1, spark.Top, glyphs) {
		out = append(out, " "+th.Chart.Render(fmt.Sprintf("%*s", cells, string(row))))
	}
	return out
}

// chartLine draws a chart in one line, with its scale.
func (s *Screen) chartLine(label, unit string, values []float64, width int, marked bool) string {
	th := s.Theme
	const labelWidth, scaleWidth = 19, 32
	spark := chart.Sparkline(values, max(4, width-labelWidth-scaleWidth-2), th.Glyphs.Chart)
	return text.Fill(s.label(label, marked), labelWidth) + th.Chart.Render(spark.Text) + "  " + th.Muted.Render(scale(spark, unit, scaleWidth))
}

// scale returns what a full column means, with the mean where both fit.
func scale(s chart.Spark, unit string, width int) string {
	if s.Known == 0 {
		return ""
	}
	words := "max " + figure(s.Top) + unit
	if s.Capped > 0 {
		words = "full " + figure(s.Top) + unit + ", " + text.Count(s.Capped) + " higher"
	}
	if mean := ", mean " + figure(s.Mean) + unit; len(words)+len(mean) <= width {
		words += mean
	}
	return words
}

// figure writes a number with one digit after the point where that says something.
func figure(v float64) string {
	if v >= 100 || v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}
