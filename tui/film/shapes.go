package film

import (
	"fmt"
	"strings"
)

// shape holds what a character of boxes and charts is drawn as: fonts leave gaps between
// the lines. Its numbers are parts of a cell.
type shape struct {
	x, y, w, h float64 // a filled part
	line       string  // or a stroke, in the words of SVG, from a cell of 10 x 10
	faint      bool
}

var shapes = func() map[rune]shape {
	all := map[rune]shape{
		'▀': {w: 1, h: 0.5}, '▐': {x: 0.5, w: 0.5, h: 1}, '░': {w: 1, h: 1, faint: true},
		'─': {line: "M0 5H10"}, '│': {line: "M5 0V10"},
		'╭': {line: "M5 10V8Q5 5 10 5"}, '╮': {line: "M5 10V8Q5 5 0 5"},
		'╰': {line: "M5 0V2Q5 5 10 5"}, '╯': {line: "M5 0V2Q5 5 0 5"},
	}
	for i := 1; i <= 8; i++ {
		part := float64(i) / 8
		all['▁'+rune(i-1)] = shape{y: 1 - part, w: 1, h: part}
	}
	for i := 1; i <= 7; i++ {
		all['▏'-rune(i-1)] = shape{w: float64(i) / 8, h: 1}
	}
	return all
}()

// drawShapes draws the characters of a text that are shapes, and returns the text with
// blanks in their places. The text begins at left and top.
func drawShapes(b *strings.Builder, text string, left, top float64, fore string) string {
	letters := []rune(text)
	var filled, faint, strokes strings.Builder
	for i := 0; i < len(letters); {
		s, is := shapes[letters[i]]
		if !is {
			i++
			continue
		}
		from := i
		for i < len(letters) && letters[i] == letters[from] && (i == from || s.line == "M0 5H10" || s.w == 1) {
			i++
		}
		x := left + float64(from)*cellWidth
		wide := float64(i-from) * cellWidth
		switch to := (&filled); {
		case s.line != "":
			strokes.WriteString(scaledLine(s.line, x, top, wide))
		default:
			if s.faint {
				to = &faint
			}
			fmt.Fprintf(to, "M%.1f %.2fh%.1fv%.2fh-%.1fz", x+s.x*cellWidth, top+s.y*cellHeight, s.w*wide, s.h*cellHeight, s.w*wide)
		}
		for j := from; j < i; j++ {
			letters[j] = ' '
		}
	}
	for _, d := range []struct{ path, look string }{
		{filled.String(), fmt.Sprintf(`fill="%s" shape-rendering="crispEdges"`, fore)}, // no seams between lines
		{faint.String(), fmt.Sprintf(`fill="%s" opacity="0.25"`, fore)},
		{strokes.String(), fmt.Sprintf(`fill="none" stroke="%s"`, fore)},
	} {
		if d.path != "" {
			fmt.Fprintf(b, `<path d="%s" %s/>`+"\n", d.path, d.look)
		}
	}
	return string(letters)
}

// scaledLine puts a stroke of a cell of 10 x 10 where it belongs.
func scaledLine(line string, left, top, wide float64) string {
	var out strings.Builder
	horizontal := true
	for i := 0; i < len(line); {
		c := line[i]
		if c < '0' || c > '9' {
			if c != ' ' {
				out.WriteByte(c)
				horizontal = c != 'V'
			} else {
				out.WriteByte(' ')
			}
			i++
			continue
		}
		n := 0
		for ; i < len(line) && line[i] >= '0' && line[i] <= '9'; i++ {
			n = 10*n + int(line[i]-'0')
		}
		part := float64(n) / 10
		if horizontal {
			fmt.Fprintf(&out, "%.1f", left+part*wide)
		} else {
			fmt.Fprintf(&out, "%.1f", top+part*cellHeight)
		}
		horizontal = !horizontal
	}
	return out.String()
}
