// Package box draws framed boxes and lays them over a screen. It must not
// import bubbletea or any screen.
package box

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Draw frames lines of styled text: exactly width x height cells, the title in
// the upper edge, the hint in the lower. What does not fit is left out, of the hint
// whole keys with what they do. Without
// room for a frame nothing is drawn.
func Draw(th *theme.Theme, title, hint string, lines []string, width, height int) []string {
	if width < 4 || height < 2 {
		return nil
	}
	g := th.Glyphs
	inner, label := width-4, width-5 // of the edge, one cell stays a line
	out := make([]string, 0, height)
	out = append(out, edge(th, g.TopLeft, g.TopRight, th.Strong.Render(text.Cut(title, label, g.Ellipsis)), width))
	side := th.Border.Render(g.Vertical)
	for i := range height - 2 {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, side+" "+text.Fill(text.Cut(line, inner, g.Ellipsis), inner)+" "+side)
	}
	return append(out, edge(th, g.BottomLeft, g.BottomRight, th.Muted.Render(whole(hint, label)), width))
}

// whole leaves out the last hints, two blanks apart, that do not fit: half a hint says
// nothing. How the box is left is said as long as anything is.
func whole(hint string, width int) string {
	rest, last := hint, ""
	if at := strings.LastIndex(hint, "  "); at >= 0 && strings.HasPrefix(hint[at+2:], "esc ") {
		rest, last = strings.TrimRight(hint[:at], " "), hint[at:]
	}
	for text.Width(rest)+text.Width(last) > width {
		at := strings.LastIndex(rest, "  ")
		if at < 0 && last == "" {
			return text.Clip(rest, width)
		} else if at < 0 {
			return text.Clip(strings.TrimLeft(last, " "), width)
		}
		rest = strings.TrimRight(rest[:at], " ")
	}
	return rest + last
}

func edge(th *theme.Theme, left, right, label string, width int) string {
	rest := width - 2
	if label != "" {
		label = " " + label + " "
		if rest < ansi.StringWidth(label)+1 {
			label = ""
		}
	}
	before := 0
	if label != "" {
		before = 1
	}
	after := rest - before - ansi.StringWidth(label)
	h := th.Glyphs.Horizontal
	return th.Border.Render(left+strings.Repeat(h, before)) + label + th.Border.Render(strings.Repeat(h, after)+right)
}

// Over lays a box over the lines of a frame, its upper left corner at a cell.
// What reaches beyond the frame is cut.
func Over(frame, box []string, x, y, width int) []string {
	out := append([]string(nil), frame...)
	for i, line := range box {
		at := y + i
		if at < 0 || at >= len(out) {
			continue
		}
		w := min(ansi.StringWidth(line), width-x)
		left := ansi.Truncate(out[at], x, "")
		left += "\x1b[m" + strings.Repeat(" ", max(0, x-ansi.StringWidth(left)))
		right := ansi.TruncateLeft(out[at], x+w, "")
		cut := ansi.Truncate(line, w, "")
		cut += strings.Repeat(" ", max(0, w-ansi.StringWidth(cut))) // half of a wide character was cut
		out[at] = left + cut + "\x1b[m" + right
	}
	return out
}

// Inside reports whether a cell of a drawn box is one that its frame goes around.
func Inside(box []string, x, y int) bool {
	return y > 0 && y < len(box)-1 && x > 0 && x < ansi.StringWidth(box[0])-1
}

// Centre returns where a box of a size is in the middle of a frame.
func Centre(boxWidth, boxHeight, width, height int) (x, y int) {
	return max(0, (width-boxWidth)/2), max(0, (height-boxHeight)/3)
}
