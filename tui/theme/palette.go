package theme

import (
	imagecolor "image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// color is "#rrggbb", a number 0 to 15 of the terminal's own, or "" for the
// terminal's default.
type color string

type attr string

const (
	bold      attr = "1"
	underline attr = "4"
	reverse   attr = "7"
	struck    attr = "9"
)

// palette holds what a theme is made from.
type palette struct {
	dark                        bool
	text, strong, muted, faint  color
	accent, link, number, chart color
	ok, warn, bad, border, mock color
	selectedText, selected      color // the row under the cursor
	restingText, resting        color // the same in a pane without the focus
}

// paletteOf returns the colors of a theme. The signal colors are bluish green,
// orange and vermilion rather than green and red, which many people cannot tell
// apart; no other role has them.
func paletteOf(name string, dark bool) (palette, bool) {
	switch name {
	case "dark":
		return palette{
			dark:  true,
			muted: "#9aa3b0", faint: "#6b7280", accent: "#e9d66b", link: "#7cc4ff", number: "#d7dce4",
			chart: "#5aa9e6", ok: "#56d3b0", warn: "#ffa94d", bad: "#ff8266", border: "#6b7280", mock: "#d7a6ff",
			selectedText: "#ffffff", selected: "#264f78", restingText: "#ffffff", resting: "#30363f",
		}, true
	case "light":
		return palette{
			muted: "#5a6270", faint: "#7d8592", accent: "#6a5a00", link: "#005a9c", number: "#24292f",
			chart: "#2670b0", ok: "#00735a", warn: "#9a4a00", bad: "#b3261e", border: "#7d8592", mock: "#7a2fa8",
			selectedText: "#000000", selected: "#b8d8f8", restingText: "#000000", resting: "#e4e2da",
		}, true
	case "ansi":
		p := palette{dark: dark, accent: "6", link: "4", chart: "6", ok: "6", warn: "3", bad: "1", mock: "5"}
		if dark { // the plain blue and red of many terminals can hardly be read on black
			p.link, p.bad = "12", "9"
		}
		return p, true
	case "mono":
		return palette{dark: dark}, true
	case "high-contrast":
		if dark {
			return palette{
				dark: true,
				text: "#ffffff", strong: "#ffffff", muted: "#e0e0e0", faint: "#b0b0b0", accent: "#ffff00", link: "#8fe3ff",
				number: "#ffffff", chart: "#ffffff", ok: "#8fe3ff", warn: "#ffd000", bad: "#ffb0a0", border: "#ffffff", mock: "#ffc4ff",
				selectedText: "#000000", selected: "#ffff00", restingText: "#ffffff", resting: "#505050",
			}, true
		}
		return palette{
			text: "#000000", strong: "#000000", muted: "#303030", faint: "#505050", accent: "#4a2400", link: "#00306e",
			number: "#000000", chart: "#000000", ok: "#00306e", warn: "#4a2400", bad: "#7a0000", border: "#000000", mock: "#4a006e",
			selectedText: "#ffffff", selected: "#00306e", restingText: "#000000", resting: "#d0d0d0",
		}, true
	default:
		return palette{}, false
	}
}

// sequence returns the SGR sequence of a dress, "" when there is none.
func sequence(fg, bg color, colors colorprofile.Profile, attrs []attr) string {
	var codes []string
	for _, a := range attrs {
		codes = append(codes, string(a))
	}
	codes = append(codes, colorCodes(fg, colors, 38)...)
	codes = append(codes, colorCodes(bg, colors, 48)...)
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// colorCodes returns the parameters that choose a color at the given depth;
// base is 38 for text and 48 for the background.
func colorCodes(c color, colors colorprofile.Profile, base int) []string {
	if c == "" || !hasColors(colors) {
		return nil
	}
	own := base - 8 // 30 or 40: the terminal's own sixteen
	if n, err := strconv.Atoi(string(c)); err == nil {
		if n >= 8 {
			return []string{strconv.Itoa(own + 60 + n - 8)}
		}
		return []string{strconv.Itoa(own + n)}
	}
	rgb, ok := parseHex(c)
	if !ok {
		return nil
	}
	switch colors {
	case colorprofile.TrueColor:
		return []string{strconv.Itoa(base), "2", strconv.Itoa(int(rgb.R)), strconv.Itoa(int(rgb.G)), strconv.Itoa(int(rgb.B))}
	case colorprofile.ANSI256:
		return []string{strconv.Itoa(base), "5", strconv.Itoa(int(ansi.Convert256(rgb)))}
	default:
		n := int(ansi.Convert16(rgb))
		if n >= 8 {
			return []string{strconv.Itoa(own + 60 + n - 8)}
		}
		return []string{strconv.Itoa(own + n)}
	}
}

// parseHex reads "#rrggbb".
func parseHex(c color) (imagecolor.RGBA, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(string(c), "#"), 16, 32)
	if err != nil || len(c) != 7 {
		return imagecolor.RGBA{}, false
	}
	return imagecolor.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}, true
}
