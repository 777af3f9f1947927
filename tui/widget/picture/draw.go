package picture

import (
	"image"
	"image/color"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// ramp is brightness in letters, from dark to bright.
const ramp = " .:-=+*#%@"

// upperHalf shows the upper pixel as its foreground, the lower as its background.
const upperHalf = "▀"

// Draw returns the picture scaled to fit into width x height cells with its
// proportions kept, one string a line, each line closing its own colors. The
// backdrop shows through transparent pixels. Where there are no colors,
// letters show the brightness.
func Draw(img image.Image, width, height int, colors colorprofile.Profile, backdrop color.Color) []string {
	w, h := fit(img.Bounds(), width, 2*height)
	if w == 0 || h == 0 {
		return nil
	}
	if h%2 == 1 {
		h++ // a cell holds two pixels
	}
	canvas := scaled(img, w, h, backdrop)
	lines := make([]string, 0, h/2)
	for y := 0; y < h; y += 2 {
		if colors < colorprofile.ANSI {
			lines = append(lines, letters(canvas, y))
		} else {
			lines = append(lines, halves(canvas, y, colors))
		}
	}
	return lines
}

// fit scales the bounds into width x height pixels and never enlarges beyond
// four times, so that a tiny picture stays recognizable.
func fit(b image.Rectangle, width, height int) (w, h int) {
	if b.Empty() || width <= 0 || height <= 0 {
		return 0, 0
	}
	w, h = width, max(1, b.Dy()*width/b.Dx())
	if h > height {
		w, h = max(1, b.Dx()*height/b.Dy()), height
	}
	if limit := 4 * b.Dx(); w > limit {
		w, h = limit, max(1, 4*b.Dy())
	}
	return w, min(h, height)
}

func letters(img *image.RGBA, y int) string {
	var line strings.Builder
	for x := range img.Bounds().Dx() {
		upper, lower := luminance(img.RGBAAt(x, y)), luminance(img.RGBAAt(x, y+1))
		line.WriteByte(ramp[(upper+lower)*(len(ramp)-1)/510])
	}
	return line.String()
}

// luminance returns the brightness by ITU-R BT.601, 0 to 255.
func luminance(c color.RGBA) int {
	return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000
}

func halves(img *image.RGBA, y int, colors colorprofile.Profile) string {
	var line strings.Builder
	var upper, lower color.RGBA
	for x := range img.Bounds().Dx() {
		u, l := img.RGBAAt(x, y), img.RGBAAt(x, y+1)
		if x == 0 || u != upper || l != lower {
			upper, lower = u, l
			line.WriteString(ansi.Style{}.ForegroundColor(reduce(u, colors)).BackgroundColor(reduce(l, colors)).String())
		}
		line.WriteString(upperHalf)
	}
	line.WriteString(ansi.ResetStyle)
	return line.String()
}

func reduce(c color.RGBA, colors colorprofile.Profile) color.Color {
	switch colors {
	case colorprofile.ANSI256:
		return ansi.Convert256(c)
	case colorprofile.ANSI:
		return ansi.Convert16(c)
	}
	return c
}
