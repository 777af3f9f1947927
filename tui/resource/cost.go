package resource

import (
	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
	"chainscope/wallet/facts"
)

// CostDimension is one of the five that a block's cost has.
type CostDimension struct {
	Name        string
	Used, Limit int64
}

// Share returns the part of the limit that was used; 0 without a limit.
func (d CostDimension) Share() float64 {
	if d.Limit <= 0 || d.Used <= 0 {
		return 0
	}
	return float64(d.Used) / float64(d.Limit)
}

// CostDimensions lists the five dimensions of a cost, beside what a block of mainnet may cost.
// Limits are no part of the API; since Nakamoto the network counts them by tenure, so that a
// block's share reports its weight and not how full it is.
func CostDimensions(c apiclient.ExecutionCost) []CostDimension {
	limit := facts.Current().Limit
	return []CostDimension{
		{"runtime", c.Runtime, int64(limit.Runtime)},
		{"read count", c.ReadCount, int64(limit.ReadCount)},
		{"read length", c.ReadLength, int64(limit.ReadLength)},
		{"write count", c.WriteCount, int64(limit.WriteCount)},
		{"write length", c.WriteLength, int64(limit.WriteLength)},
	}
}

// GreatestCost returns the largest share among the five dimensions.
func GreatestCost(c apiclient.ExecutionCost) float64 {
	most := 0.0
	for _, d := range CostDimensions(c) {
		most = max(most, d.Share())
	}
	return most
}

// crowded is the share from which a block counts as nearly full.
const crowded = 0.8

// CostBar draws a share in width cells, a nearly full one as a warning. The progress bar of
// bubbles is not used: it animates by messages of its own, writes a percentage into the
// bar and mixes colors that a theme cannot name, and it knows no ASCII glyphs. This one
// follows from the share alone and is in every row of a list.
func CostBar(share float64, width int, th *theme.Theme) string {
	style := th.Chart
	if share >= crowded {
		style = th.Warn
	}
	drawn := chart.Bar(min(1, share), width, th.Glyphs.Chart)
	for i, r := range drawn {
		if r == th.Glyphs.Chart.Empty {
			return style.Render(drawn[:i]) + th.Faint.Render(drawn[i:])
		}
	}
	return style.Render(drawn)
}

// CostGauge draws one dimension as a line: name, bar, share, value.
func CostGauge(d CostDimension, width int, th *theme.Theme) string {
	const name, percent = 15, 6
	cells := max(4, min(20, width-name-percent-16))
	line := "  " + th.Muted.Render(text.Pad(d.Name, name-2)) + CostBar(d.Share(), cells, th) +
		th.Text.Render(text.PadLeft(text.Percent(d.Share()), percent)) + "  " + th.Muted.Render(text.Count(d.Used))
	return text.Clip(line, width)
}
