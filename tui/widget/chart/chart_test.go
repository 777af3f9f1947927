package chart

import (
	"math"
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSparkline(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		width  int
		want   string
	}{
		"nothing known is blank":                     {nil, 4, "    "},
		"the newest value stands right":              {[]float64{1, 2, 4, 8}, 6, "  ▂▃▅█"},
		"only the last values fit":                   {[]float64{9, 9, 0, 8}, 2, "▁█"},
		"an unknown value is a gap":                  {[]float64{8, Gap(), 8}, 3, "█ █"},
		"zero is the lowest column":                  {[]float64{0, 0}, 2, "▁▁"},
		"an outlier is capped and marked":            {[]float64{1, 1, 1, 100}, 4, "▃▃▃^"},
		"infinite and negative values count as gaps": {[]float64{math.Inf(1), -1, 1}, 3, "  █"},
		"no room draws nothing":                      {[]float64{1}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sparkline(c.values, c.width, Blocks).Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSparklineShowsItsScale(t *testing.T) {
	s := Sparkline([]float64{2, 4, Gap(), 6}, 10, Blocks)
	if s.Top != 6 || s.Mean != 4 || s.Known != 3 || s.Capped != 0 {
		t.Errorf("got %+v", s)
	}
}

func TestBar(t *testing.T) {
	for name, c := range map[string]struct {
		share float64
		want  string
	}{
		"empty":                         {0, "░░░░"},
		"the least share is seen":       {0.0001, "▏░░░"},
		"half":                          {0.5, "██░░"},
		"eighths of a cell":             {0.40625, "█▋░░"},
		"nearly full is not full":       {0.9999, "███▉"},
		"full":                          {1, "████"},
		"beyond the limit stays inside": {7, "████"},
		"not a number is empty":         {math.NaN(), "░░░░"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Bar(c.share, 4, Blocks); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestChartsFillExactlyTheirCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]Glyphs{Blocks, ASCII}).Draw(t, "glyphs")
		width := rapid.IntRange(0, 200).Draw(t, "width")
		values := rapid.SliceOf(rapid.Float64()).Draw(t, "values")
		if n := utf8.RuneCountInString(Sparkline(values, width, g).Text); n != width {
			t.Fatalf("a sparkline of %d cells has %d", width, n)
		}
		share := rapid.Float64().Draw(t, "share")
		if n := utf8.RuneCountInString(Bar(share, width, g)); n != width {
			t.Fatalf("a bar of %d cells has %d", width, n)
		}
	})
}

// ink returns how much a drawing of cells shows.
func ink(drawn string, g Glyphs) int {
	sum := 0
	for _, r := range drawn {
		sum += 1 + slices.Index(append(slices.Clone(g.Column), g.Capped), r)
	}
	return sum
}

func TestMoreBlocksOrTransactionsNeverDrawLessInk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom([]Glyphs{Blocks, ASCII}).Draw(t, "glyphs")
		perCell := rapid.IntRange(1, 9).Draw(t, "values a cell")
		full := float64(rapid.IntRange(1, 500).Draw(t, "full"))
		less := rapid.SliceOf(rapid.Float64Range(0, 300)).Draw(t, "less")
		more := slices.Clone(less)
		for i := range more {
			more[i] += rapid.Float64Range(0, 50).Draw(t, "added")
		}
		more = append(more, rapid.SliceOf(rapid.Float64Range(0, 300)).Draw(t, "further")...)
		a, b := Cells(less, perCell, full, g), Cells(more, perCell, full, g)
		if ink(a, g) > ink(b, g) || utf8.RuneCountInString(a) > utf8.RuneCountInString(b) {
			t.Fatalf("%v draws %q, %v draws %q", less, a, more, b)
		}
		if len(less) > 0 && ink(a, g) == 0 {
			t.Fatalf("%v draws nothing", less)
		}
	})
}
