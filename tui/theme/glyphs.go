package theme

import (
	"strings"

	"chainscope/tui/widget/chart"
)

// Glyphs are the decorations of the screen, all one cell wide.
type Glyphs struct {
	Cursor, Ellipsis, Separator      string
	Middle                           string // between words of one line
	Vertical, Horizontal, JoinUp     string // a split and the rule below it
	TopLeft, TopRight                string
	BottomLeft, BottomRight          string
	Dot, Ring                        string // connected, not connected
	Play, Pause, Refresh             string
	Link, Check, Cross, Warning, New string
	Folded, Unfolded                 string
	Up, Down                         string
	Skeleton                         string
	Spinner                          []string
	Chart                            chart.Glyphs

	spelling *strings.Replacer // of what is no glyph of the theme; nil leaves it
}

// Spell writes a frame as the terminal can draw it: the signs that are in words, as in
// the names of keys, in seven bits where the glyphs are.
func (g Glyphs) Spell(frame string) string {
	if g.spelling == nil {
		return frame
	}
	return g.spelling.Replace(frame)
}

// sevenBits writes signs that chainscope has in its own words, each in one cell.
var sevenBits = strings.NewReplacer(
	"…", "~", "←", "<", "→", ">", "↑", "^", "↓", "v", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	"─", "-", "│", "|", "●", "*", "○", "o", "·", "-", "—", "-", "–", "-", "×", "x", "≥", ">", "≤", "<",
)

// unicodeGlyphs returns the glyphs for terminals with box and block characters.
func unicodeGlyphs() Glyphs {
	return Glyphs{
		Cursor: "▸", Ellipsis: "…", Separator: "›", Middle: "·",
		Vertical: "│", Horizontal: "─", JoinUp: "┴",
		TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		Dot: "●", Ring: "○", Play: "▶", Pause: "‖", Refresh: "↻",
		Link: "→", Check: "✓", Cross: "✗", Warning: "!", New: "•",
		Folded: "▸", Unfolded: "▾", Up: "↑", Down: "↓", Skeleton: "░",
		Spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		Chart:   chart.Blocks,
	}
}

// asciiGlyphs returns the same decorations in seven bits.
func asciiGlyphs() Glyphs {
	return Glyphs{
		Cursor: ">", Ellipsis: "~", Separator: ">", Middle: "-",
		Vertical: "|", Horizontal: "-", JoinUp: "+",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		Dot: "*", Ring: "o", Play: ">", Pause: "=", Refresh: "@",
		Link: ">", Check: "+", Cross: "x", Warning: "!", New: "*",
		Folded: "+", Unfolded: "-", Up: "^", Down: "v", Skeleton: ".",
		Spinner: []string{"|", "/", "-", "\\"},
		Chart:   chart.ASCII,

		spelling: sevenBits,
	}
}
