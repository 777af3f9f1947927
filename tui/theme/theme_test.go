package theme

import (
	"fmt"
	imagecolor "image/color"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// luminance and contrast are WCAG 2.2's relative luminance and contrast ratio.
func luminance(c color) float64 {
	rgb, ok := parseHex(c)
	if !ok {
		panic("no such colour: " + string(c))
	}
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(rgb.R) + 0.7152*linear(rgb.G) + 0.0722*linear(rgb.B)
}

func contrast(a, b color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestEveryRoleCanBeReadOnTheBackgroundsItIsMadeFor(t *testing.T) {
	backgrounds := map[bool][]color{true: {"#000000", "#1e1e1e"}, false: {"#ffffff", "#fdf6e3"}}
	for _, name := range []string{"dark", "light", "high-contrast"} {
		for _, dark := range []bool{true, false} {
			p, ok := paletteOf(name, dark)
			if !ok {
				t.Fatalf("no palette %q", name)
			}
			text := map[string]color{
				"muted": p.muted, "accent": p.accent, "link": p.link, "number": p.number,
				"ok": p.ok, "warn": p.warn, "bad": p.bad, "mock": p.mock,
			}
			glyphs := map[string]color{"faint": p.faint, "border": p.border, "chart": p.chart}
			for _, back := range backgrounds[p.dark] {
				for role, c := range text {
					if r := contrast(c, back); r < 4.5 {
						t.Errorf("%s: %s %s on %s has contrast %.2f, needs 4.5", name, role, c, back, r)
					}
				}
				for role, c := range glyphs {
					if r := contrast(c, back); r < 3 {
						t.Errorf("%s: %s %s on %s has contrast %.2f, needs 3", name, role, c, back, r)
					}
				}
			}
		}
	}
}

// roles returns the styles that a row can be made of.
func roles(th *Theme) map[string]Style {
	return map[string]Style{
		"text": th.Text, "strong": th.Strong, "muted": th.Muted, "faint": th.Faint, "accent": th.Accent, "link": th.Link,
		"number": th.Number, "ok": th.OK, "warn": th.Warn, "bad": th.Bad, "border": th.Border, "match": th.Match, "key": th.Key,
		"badge": th.Badge, "mock": th.Mock, "struck": th.Struck, "chart": th.Chart, "input": th.Input,
	}
}

// Every cell of a row that is under the cursor can be read, whatever it was made
// of and however many colors the terminal has.
func TestEveryRoleCanBeReadOnARowUnderTheCursor(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast"} {
		for _, dark := range []bool{true, false} {
			for _, colors := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
				th, err := New(name, Options{Dark: dark, Colors: colors})
				if err != nil {
					t.Fatal(err)
				}
				for row, under := range map[string]Style{"selected": th.Cursor, "resting": th.Resting} {
					for role, style := range roles(th) {
						drawn := under.Render("a " + style.Render("b") + " c" + style.Render("d"))
						for i, r := range cellContrasts(t, drawn) {
							if r < 4.5 {
								t.Errorf("%s (dark %v, %v): cell %d of a %s row with %s has contrast %.2f, needs 4.5", name, dark, colors, i, row, role, r)
							}
						}
					}
				}
			}
		}
	}
}

// cellContrasts lays a line out in cells and returns the contrast of each. Every
// cell has to have colors of its own.
func cellContrasts(t *testing.T, line string) []float64 {
	t.Helper()
	width := ansi.StringWidth(line)
	screen := vt.NewEmulator(width, 1)
	if _, err := screen.WriteString(line); err != nil {
		t.Fatal(err)
	}
	hex := func(c imagecolor.Color) color {
		if c == nil {
			t.Fatalf("a cell of %q has the terminal's own color", line)
		}
		r, g, b, _ := c.RGBA()
		return color(fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8))
	}
	var out []float64
	for x := range width {
		style := screen.CellAt(x, 0).Style
		out = append(out, contrast(hex(style.Fg), hex(style.Bg)))
	}
	return out
}

func TestARoleHasAColorOfItsOwn(t *testing.T) {
	for _, name := range []string{"dark", "light"} {
		p, _ := paletteOf(name, false)
		seen := map[color]string{}
		for role, c := range map[string]color{"accent": p.accent, "link": p.link, "ok": p.ok, "warn": p.warn, "bad": p.bad, "mock": p.mock} {
			if other, taken := seen[c]; taken {
				t.Errorf("%s: %s and %s are both %s", name, role, other, c)
			}
			seen[c] = role
		}
	}
}

func TestTheAnsiThemeNamesOnlyTheTerminalsOwnColours(t *testing.T) {
	p, _ := paletteOf("ansi", true)
	for role, c := range map[string]color{"text": p.text, "muted": p.muted, "strong": p.strong, "selected": p.selected} {
		if c != "" {
			t.Errorf("%s is %q, but reading text must be the terminal's default", role, c)
		}
	}
	th, err := New("ansi", Options{Colors: colorprofile.TrueColor, Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Style{th.Accent, th.Link, th.OK, th.Warn, th.Bad, th.Mock} {
		if strings.Contains(s.open, ";2;") || strings.Contains(s.open, ";5;") {
			t.Errorf("%q is no colour of the terminal's sixteen", s.open)
		}
	}
}

// The sixteen colours are the terminal's own; with those of a VGA console, which are the
// darkest in use, every role can be told from a black background.
func TestTheAnsiThemeCanBeReadOnBlackWithTheDarkestColours(t *testing.T) {
	vga := map[color]color{
		"1": "#aa0000", "3": "#aa5500", "4": "#0000aa", "5": "#aa00aa", "6": "#00aaaa", "9": "#ff5555", "12": "#5555ff",
	}
	p, _ := paletteOf("ansi", true)
	for role, c := range map[string]color{"accent": p.accent, "link": p.link, "chart": p.chart, "ok": p.ok, "warn": p.warn, "bad": p.bad, "mock": p.mock} {
		if got, ok := contrastOf(vga[c], "#000000"); !ok || got < leastGlyph {
			t.Errorf("%s (%s): contrast %.1f", role, c, got)
		}
	}
}

func TestColoursFollowTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		opts Options
		want string
	}{
		"true colour":              {Options{Colors: colorprofile.TrueColor, Dark: true}, "38;2;"},
		"256 colours":              {Options{Colors: colorprofile.ANSI256, Dark: true}, "38;5;"},
		"no colour keeps its bold": {Options{Colors: colorprofile.ASCII, Dark: true}, "\x1b[1m"},
	} {
		t.Run(name, func(t *testing.T) {
			th, err := New("dark", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := th.Accent.Render("x"); !strings.Contains(got, c.want) || ansi.Strip(got) != "x" {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
}

func TestPlainHasNoEscapeSequence(t *testing.T) {
	th, err := New("dark", Options{Plain: true, ASCII: true, Colors: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Style{th.Text, th.Strong, th.Cursor, th.Badge, th.Struck} {
		if got := s.Render("x"); got != "x" {
			t.Errorf("got %q", got)
		}
	}
}

func TestAStyleGoesOnAfterATextThatIsDressedInside(t *testing.T) {
	inner, outer := Style{open: "\x1b[1m"}, Style{open: "\x1b[7m"}
	if got, want := outer.Render("a"+inner.Render("b")+"c"), "\x1b[7ma\x1b[1mb\x1b[m\x1b[7mc\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnUnknownThemeNamesThoseThatAreThere(t *testing.T) {
	if _, err := New("solar", Options{}); err == nil || !strings.Contains(err.Error(), "high-contrast") {
		t.Errorf("an unknown theme gives %v", err)
	}
}

func TestGlyphsAreOneCellWide(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": unicodeGlyphs(), "ascii": asciiGlyphs()} {
		all := append([]string{
			g.Cursor, g.Ellipsis, g.Separator, g.Vertical, g.Horizontal, g.JoinUp, g.TopLeft, g.TopRight,
			g.BottomLeft, g.BottomRight, g.Dot, g.Ring, g.Play, g.Pause, g.Refresh, g.Link, g.Check, g.Cross, g.Warning,
			g.New, g.Folded, g.Unfolded, g.Up, g.Down, g.Skeleton,
		}, g.Spinner...)
		for _, s := range all {
			if ansi.StringWidth(s) != 1 {
				t.Errorf("%s: %q is %d cells wide", name, s, ansi.StringWidth(s))
			}
			if name == "ascii" && (len(s) != 1 || s[0] > 0x7e) {
				t.Errorf("%q is not ASCII", s)
			}
		}
	}
}
