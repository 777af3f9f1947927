package tui

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/theme"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"
)

// Every cell that is drawn on a background of its own can be read, in every theme
// and at every place: rows under the cursor above all.
func TestEveryColoredRowCanBeRead(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for _, name := range []string{"dark", "light", "high-contrast"} {
		for _, dark := range []bool{true, false} {
			p := start(t, theme.Options{Dark: dark, Colors: colorprofile.TrueColor}, name, 120, 40)
			for _, place := range everyPlace[:5] {
				p.run(p.m.visit(place))
				for _, key := range []string{"", "j", "tab"} {
					if key != "" {
						p.send(keyNamed(t, key))
					}
					if low := lowContrast(p.m.View(), 120, 40); low != "" {
						t.Errorf("%s (dark %v) at %s: %s", name, dark, place, low)
					}
				}
			}
		}
	}
}

// lowContrast returns the first cell of a frame whose text cannot be read on the
// background that the cell has, "" for none.
func lowContrast(frame string, width, height int) string {
	screen := vt.NewEmulator(width, height)
	for y, line := range strings.Split(frame, "\n") {
		fmt.Fprintf(screen, "\x1b[%d;1H%s\x1b[m", y+1, line)
	}
	for y := range height {
		for x := range width {
			c := screen.CellAt(x, y)
			if c == nil || c.Style.Bg == nil || strings.TrimSpace(c.Content) == "" || c.Content == "▀" { // a picture's pixels

				continue
			}
			if c.Style.Fg == nil {
				return fmt.Sprintf("%q in line %d has the terminal's own color on a background", c.Content, y+1)
			}
			if r := contrastOf(c.Style.Fg, c.Style.Bg); r < 4.5 {
				return fmt.Sprintf("%q in line %d has contrast %.2f, needs 4.5", c.Content, y+1, r)
			}
		}
	}
	return ""
}

// contrastOf returns the contrast ratio of WCAG 2.2.
func contrastOf(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		f := float64(v>>8) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
