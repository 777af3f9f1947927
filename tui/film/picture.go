package film

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Size of a cell in the picture.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 14
	titleBar   = 30
	headroom   = 8 // between the title bar and the first line
)

// Palette is the terminal that the frame is shown in.
type Palette struct {
	Text, Back, Bar string
	Basic           [16]string
}

// DarkTerminal is a dark terminal.
var DarkTerminal = Palette{
	Text: "#d7dae0", Back: "#14171f", Bar: "#1f2430",
	Basic: [16]string{
		"#14171f", "#ef6b73", "#7fd1a0", "#e5c07b", "#6cb2f7", "#c58af9", "#5cc9d6", "#c5c9d3",
		"#6b7385", "#ff8a90", "#98e0b5", "#f5d491", "#8cc6ff", "#d9a9ff", "#7fe0eb", "#ffffff",
	},
}

// LightTerminal is a light terminal.
var LightTerminal = Palette{
	Text: "#1f2328", Back: "#ffffff", Bar: "#eaeef2",
	Basic: [16]string{
		"#1f2328", "#cf222e", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b7c83", "#57606a",
		"#6e7781", "#a40e26", "#1a7f37", "#633c01", "#0969da", "#a475f9", "#3192aa", "#8c959f",
	},
}

// Picture draws a frame of width x height cells in a window with a title.
func Picture(frame string, width, height int, title string, p Palette) string {
	screen := emulate(frame, width, height)
	var b strings.Builder
	for y := range height {
		row(&b, screen, y, width, p)
	}
	return window(width, height, title, p, "", b.String())
}

// window draws a window of width x height cells with a title, and what was drawn in it.
func window(width, height int, title string, p Palette, style, drawn string) string {
	w := float64(width)*cellWidth + 2*margin
	h := float64(height)*cellHeight + titleBar + headroom + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n", w, h, w, h, html.EscapeString(title))
	b.WriteString(style)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="9" fill="%s"/><path d="M0 %d V9 A9 9 0 0 1 9 0 H%.0f A9 9 0 0 1 %.0f 9 V%d Z" fill="%s"/>`+"\n", w, h, p.Back, titleBar, w-9, w, titleBar, p.Bar)
	// The edge parts a dark window from a dark page.
	fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%.0f" height="%.0f" rx="8.5" fill="none" stroke="%s" stroke-opacity=".6"/>`, w-1, h-1, p.Basic[8])
	for i, c := range []string{p.Basic[1], p.Basic[3], p.Basic[2]} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5.5" fill="%s"/>`, 18+18*i, c)
	}
	fmt.Fprintf(&b, "\n"+`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">`+"\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="20" text-anchor="middle" fill="%s">%s</text>`+"\n", w/2, p.Basic[8], html.EscapeString(title))
	b.WriteString(drawn)
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// emulate lays a frame out in cells. A frame holds text and styles only, so the
// emulator has no query to answer.
func emulate(frame string, width, height int) *vt.Emulator {
	screen := vt.NewEmulator(width, height)
	for y, line := range strings.Split(frame, "\n") {
		fmt.Fprintf(screen, "\x1b[%d;1H%s\x1b[m", y+1, line)
	}
	return screen
}

// row draws the cells of a line in runs of one style. Every run says how wide
// it is, so that the columns hold with any font.
func row(b *strings.Builder, screen *vt.Emulator, y, width int, p Palette) {
	for x := 0; x < width; {
		first := screen.CellAt(x, y)
		if first == nil {
			x++
			continue
		}
		style := first.Style
		var text strings.Builder
		from, cells := x, 0
		for x < width {
			c := screen.CellAt(x, y)
			if c == nil || !c.Style.Equal(&style) {
				break
			}
			text.WriteString(c.Content)
			step := max(c.Width, 1)
			x += step
			cells += step
		}
		run(b, text.String(), style, from, y, cells, p)
	}
}

func run(b *strings.Builder, text string, style uv.Style, x, y, cells int, p Palette) {
	text = strings.TrimRight(text, " ")
	fore, back := p.color(style.Fg, p.Text), p.color(style.Bg, "")
	if style.Attrs&uv.AttrReverse != 0 {
		if back == "" {
			back = p.Back
		}
		fore, back = back, fore
	}
	left := margin + float64(x)*cellWidth
	top := titleBar + headroom + float64(y)*cellHeight
	if back != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>`, left, top, float64(cells)*cellWidth, cellHeight, back)
	}
	if text == "" {
		if back != "" {
			b.WriteByte('\n')
		}
		return
	}
	text = drawShapes(b, text, left, top, fore)
	if text = strings.TrimRight(text, " "); text == "" {
		return
	}
	attributes := ""
	if style.Attrs&uv.AttrBold != 0 {
		attributes += ` font-weight="bold"`
	}
	if style.Attrs&uv.AttrItalic != 0 {
		attributes += ` font-style="italic"`
	}
	if style.Attrs&uv.AttrFaint != 0 {
		attributes += ` opacity="0.6"`
	}
	if style.Attrs&uv.AttrStrikethrough != 0 {
		attributes += ` text-decoration="line-through"`
	} else if style.Underline != 0 {
		attributes += ` text-decoration="underline"`
	}
	// Blanks in a row are not kept by every viewer, so each piece between them
	// has a place of its own.
	for at := 0; text != ""; {
		blanks := len(text) - len(strings.TrimLeft(text, " "))
		at, text = at+blanks, text[blanks:]
		piece := text
		if end := strings.Index(text, "  "); end >= 0 {
			piece = text[:end]
		}
		text = text[len(piece):]
		width := ansi.StringWidth(piece)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s>%s</text>`+"\n",
			left+float64(at)*cellWidth, top+13.5, float64(width)*cellWidth, fore, attributes, html.EscapeString(piece))
		at += width
	}
}

func (p Palette) color(c color.Color, otherwise string) string {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return p.Basic[c&15]
	case ansi.IndexedColor:
		if c < 16 {
			return p.Basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
