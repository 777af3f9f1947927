package theme

import (
	imagecolor "image/color"
	"math"
)

// The least contrast of text, and of what is no text: lines and bars (WCAG 2.2, 1.4.3
// and 1.4.11).
const (
	leastText  = 4.5
	leastGlyph = 3.0
)

// pair are two colors that are drawn on each other.
type pair struct {
	role    string
	ink, on color
	least   float64
}

// pairs returns the colors of a palette that are drawn on each other, where the terminal's
// background is back.
func (p palette) pairs(back color) []pair {
	all := []pair{
		{"selected-text", p.selectedText, p.selected, leastText},
		{"resting-text", p.restingText, p.resting, leastText},
	}
	for _, text := range []struct {
		role string
		ink  color
	}{
		{"text", p.text},
		{"strong", p.strong},
		{"muted", p.muted},
		{"accent", p.accent},
		{"link", p.link},
		{"number", p.number},
		{"ok", p.ok},
		{"warn", p.warn},
		{"bad", p.bad},
		{"mock", p.mock},
	} {
		all = append(all, pair{text.role, text.ink, back, leastText})
	}
	return append(
		all,
		pair{"faint", p.faint, back, leastGlyph},
		pair{"border", p.border, back, leastGlyph},
		pair{"chart", p.chart, back, leastGlyph},
	)
}

// contrastOf returns the contrast ratio of WCAG 2.2, from 1 to 21; false where a color is
// the terminal's own.
func contrastOf(a, b color) (float64, bool) {
	first, ok := parseHex(a)
	second, also := parseHex(b)
	if !ok || !also {
		return 0, false
	}
	x, y := luminanceOf(first), luminanceOf(second)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05), true
}

// luminanceOf returns the relative luminance of WCAG 2.2, from 0 to 1.
func luminanceOf(c imagecolor.RGBA) float64 {
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
