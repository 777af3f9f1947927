package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// reset ends every style. It is the short form of SGR 0.
const reset = "\x1b[m"

// Style dresses text in escape sequences that were computed when the theme was
// made, so that rendering is one concatenation. The zero value adds nothing.
type Style struct {
	open string
	// flat styles take away the styles that the text has: on a colored background
	// only their own color is sure to be readable.
	flat bool
}

// Render styles one line of text. Text that is already styled keeps its own
// styles and gets this one wherever they end, but for a style with a background
// of its own, which dresses all of it.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	if strings.Contains(text, reset) {
		if s.flat {
			text = ansi.Strip(text)
		} else {
			text = strings.ReplaceAll(text, reset, reset+s.open)
		}
	}
	return s.open + text + reset
}

// RenderAll styles lines, each by itself.
func (s Style) RenderAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = s.Render(line)
	}
	return out
}

// Over returns a style with both dresses, s on top of below.
func (s Style) Over(below Style) Style {
	return Style{open: below.open + s.open, flat: s.flat || below.flat}
}

// Plain reports whether the style adds nothing.
func (s Style) Plain() bool { return s.open == "" }
