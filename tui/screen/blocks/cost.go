package blocks

import (
	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
)

// Limits bound what a block may cost in each dimension. They are no part of
// the API; since Nakamoto the network counts them by tenure, so that a block's
// share tells its weight and not how full it is.
type Limits struct {
	Name                                                    string
	Runtime, ReadCount, ReadLength, WriteCount, WriteLength int64
}

// MainnetLimits are the block limits of Stacks 2.1 on mainnet.
func MainnetLimits() Limits {
	return Limits{
		Name: "mainnet limit", Runtime: 5_000_000_000, ReadCount: 15_000, ReadLength: 100_000_000,
		WriteCount: 15_000, WriteLength: 15_000_000,
	}
}

// cost is one dimension of what a block cost.
type cost struct {
	name        string
	used, limit int64
}

// share is the part of the limit that was used; 0 without a limit.
func (c cost) share() float64 {
	if c.limit <= 0 || c.used <= 0 {
		return 0
	}
	return float64(c.used) / float64(c.limit)
}

// costs lists the five dimensions.
func (l Limits) costs(c apiclient.ExecutionCost) []cost {
	return []cost{
		{"runtime", c.Runtime, l.Runtime},
		{"read count", c.ReadCount, l.ReadCount},
		{"read length", c.ReadLength, l.ReadLength},
		{"write count", c.WriteCount, l.WriteCount},
		{"write length", c.WriteLength, l.WriteLength},
	}
}

// greatest is the largest share among the five dimensions.
func (l Limits) greatest(c apiclient.ExecutionCost) float64 {
	most := 0.0
	for _, d := range l.costs(c) {
		most = max(most, d.share())
	}
	return most
}

// crowded is the share from which a block counts as nearly full.
const crowded = 0.8

// bar draws a share as a bar with its filled cells coloured.
func bar(share float64, width int, th *theme.Theme) string {
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

// gauge draws one dimension as a line: name, bar, share, value.
func gauge(c cost, width int, th *theme.Theme) string {
	const name, percent = 15, 6
	cells := max(4, min(20, width-name-percent-16))
	line := "  " + th.Muted.Render(text.Pad(c.name, name-2)) + bar(c.share(), cells, th) +
		th.Text.Render(text.PadLeft(text.Percent(c.share()), percent)) + "  " + th.Muted.Render(text.Count(c.used))
	return text.Clip(line, width)
}
