// Package chart draws numbers as text cells: sparklines, share bars and the
// columns of a burn block. It returns plain text; its caller chooses the colors.
// It must not import bubbletea, apiclient or any screen.
package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Glyphs are the cells that a chart is made of, from nearly empty to full.
type Glyphs struct {
	Column []rune // heights of a sparkline's column, lowest first
	Bar    []rune // fillings of a bar's last cell, least first, the last one full
	Empty  rune   // an empty cell of a bar
	Capped rune   // a column that is higher than the scale
	// Unknown is a cell of what is counted and not loaded.
	Unknown rune
}

// Blocks are the block elements that most terminals can show.
var Blocks = Glyphs{Column: []rune("▁▂▃▄▅▆▇█"), Bar: []rune("▏▎▍▌▋▊▉█"), Empty: '░', Capped: '^', Unknown: '·'}

// ASCII is the same in seven bits.
var ASCII = Glyphs{Column: []rune("_.-=+*#"), Bar: []rune("-=#"), Empty: '.', Capped: '^', Unknown: ':'}

// Gap is a value that is not known; it is drawn as a blank.
func Gap() float64 { return math.NaN() }

// Spark is a drawn sparkline and the scale that it was drawn to.
type Spark struct {
	Text   string  // exactly as many cells as were requested
	Top    float64 // the value of a full column
	Mean   float64 // mean of the known values that are drawn, capped ones included
	Known  int     // how many values are drawn
	Capped int     // how many of them are higher than Top
}

// Words say what a full column means, in a unit, and the mean.
func (s Spark) Words(unit string) string {
	if s.Known == 0 {
		return ""
	}
	if s.Capped > 0 {
		return fmt.Sprintf(" full %.0f%s, %d higher, mean %.1f%s", s.Top, unit, s.Capped, s.Mean, unit)
	}
	return fmt.Sprintf(" max %.0f%s mean %.1f%s", s.Top, unit, s.Mean, unit)
}

// Sparkline draws the last width values, the newest right. Its scale starts at
// zero; an outlier beyond four times the median is capped and marked, so that
// one slow block does not flatten all others.
func Sparkline(values []float64, width int, g Glyphs) Spark {
	if width <= 0 {
		return Spark{}
	}
	if len(values) > width {
		values = values[len(values)-width:]
	}
	s := Spark{Top: Top(values)}
	var text strings.Builder
	text.WriteString(strings.Repeat(" ", width-len(values)))
	sum := 0.0
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			text.WriteByte(' ')
			continue
		}
		s.Known++
		sum += v
		if v > s.Top {
			s.Capped++
			text.WriteRune(g.Capped)
			continue
		}
		text.WriteRune(g.Column[column(v, s.Top, len(g.Column))])
	}
	if s.Known > 0 {
		s.Mean = sum / float64(s.Known)
	}
	s.Text = text.String()
	return s
}

func column(v, top float64, levels int) int {
	if top <= 0 {
		return 0
	}
	i := int(v / top * float64(levels))
	return min(i, levels-1)
}

// Top returns the scale of values: the largest known one, but at most four
// times the median.
func Top(values []float64) float64 {
	known := make([]float64, 0, len(values))
	top := 0.0
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			continue
		}
		known = append(known, v)
		top = max(top, v)
	}
	if len(known) < 4 {
		return top
	}
	if limit := 4 * median(known); limit > 0 && top > limit {
		return limit
	}
	return top
}

// Bar draws a share between 0 and 1 in width cells. Anything above zero shows
// at least the least filling, and only a full share fills the last cell.
func Bar(share float64, width int, g Glyphs) string {
	if width <= 0 {
		return ""
	}
	if math.IsNaN(share) || share < 0 {
		share = 0
	}
	levels := len(g.Bar)
	steps := int(math.Round(min(share, 1) * float64(width*levels)))
	if share > 0 {
		steps = max(steps, 1)
	}
	if share < 1 {
		steps = min(steps, width*levels-1)
	}
	var text strings.Builder
	full, rest := steps/levels, steps%levels
	text.WriteString(strings.Repeat(string(g.Bar[levels-1]), full))
	if rest > 0 {
		text.WriteRune(g.Bar[rest-1])
		full++
	}
	text.WriteString(strings.Repeat(string(g.Empty), width-full))
	return text.String()
}

// Cells draws values as columns of perCell values each, in their order. The
// height of a column is the sum of its values, full the sum of a full column; a
// greater one is marked as capped. Where anything is, there is ink: more values
// or greater ones never draw less.
func Cells(values []float64, perCell int, full float64, g Glyphs) string {
	var out strings.Builder
	for _, sum := range Sums(values, perCell) {
		level := 0
		if sum > full {
			out.WriteRune(g.Capped)
			continue
		}
		if full > 0 {
			level = int(math.Ceil(min(sum/full, 1)*float64(len(g.Column)))) - 1
		}
		out.WriteRune(g.Column[max(0, level)])
	}
	return out.String()
}

// Sums adds up perCell values at a time, in their order.
func Sums(values []float64, perCell int) []float64 {
	perCell = max(1, perCell)
	sums := make([]float64, 0, (len(values)+perCell-1)/perCell)
	for at, v := range values {
		if at%perCell == 0 {
			sums = append(sums, 0)
		}
		sums[len(sums)-1] += known(v)
	}
	return sums
}

// known returns a value that a sum can take; one that is none counts as zero.
func known(v float64) float64 {
	if math.IsNaN(v) || v < 0 {
		return 0
	}
	return min(v, 1e15)
}

// median orders its argument.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// Rows draws values as columns that are several rows high, one cell a value, the top
// row first. A gap is drawn as unknown in the lowest row, zero is blank, and a value
// greater than full is marked as capped in the top row.
func Rows(values []float64, height int, full float64, g Glyphs) [][]rune {
	rows := make([][]rune, max(0, height))
	for r := range rows {
		rows[r] = []rune(strings.Repeat(" ", len(values)))
	}
	levels := len(g.Column)
	for x, v := range values {
		steps := 0
		if full > 0 && v > 0 {
			steps = int(math.Ceil(min(v/full, 1) * float64(height*levels)))
		}
		for r := range rows {
			below := (height - 1 - r) * levels
			if in := min(steps-below, levels); in > 0 {
				rows[r][x] = g.Column[in-1]
			}
		}
		switch {
		case height <= 0:
		case math.IsNaN(v) || v < 0:
			rows[height-1][x] = g.Unknown
		case v > full:
			rows[0][x] = g.Capped
		}
	}
	return rows
}
