package resource

import (
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

func TestTheGreatestShareCounts(t *testing.T) {
	for name, c := range map[string]struct {
		cost apiclient.ExecutionCost
		want string
	}{
		"nothing":           {apiclient.ExecutionCost{}, "0%"},
		"runtime":           {apiclient.ExecutionCost{Runtime: 2_500_000_000, ReadCount: 1500}, "50%"},
		"reads":             {apiclient.ExecutionCost{ReadCount: 7_500}, "25%"},
		"read bytes":        {apiclient.ExecutionCost{ReadLength: 20_000_000}, "10%"},
		"writes":            {apiclient.ExecutionCost{WriteCount: 7_500}, "50%"},
		"more than allowed": {apiclient.ExecutionCost{WriteLength: 30_000_000}, "200%"},
		"a negative cost":   {apiclient.ExecutionCost{ReadLength: -5}, "0%"},
	} {
		if got := text.Percent(GreatestCost(c.cost)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if (CostDimension{Used: 5}).Share() != 0 {
		t.Error("a share of no limit")
	}
}

func TestAGaugeFitsItsWidth(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for width := range 80 {
		for _, d := range CostDimensions(apiclient.ExecutionCost{Runtime: 1 << 40, ReadCount: 7}) {
			if got := text.Width(CostGauge(d, width, th)); got > width {
				t.Fatalf("%d cells in %d", got, width)
			}
		}
	}
	if got, want := CostGauge(CostDimension{"runtime", 50, 100}, 60, th), "  runtime      ██████████░░░░░░░░░░   50%  50"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
