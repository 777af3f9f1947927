package picture

import (
	"image"
	"image/color"
)

// scaled returns an image as w x h pixels, each the mean of those that it covers, over a
// backdrop, or as transparent as they are where that is nil.
func scaled(img image.Image, w, h int, backdrop color.Color) *image.RGBA {
	out, b := image.NewRGBA(image.Rect(0, 0, w, h)), img.Bounds()
	pixel := pixels(img)
	var back color.RGBA64
	if backdrop != nil {
		back = color.RGBA64Model.Convert(backdrop).(color.RGBA64)
	}
	for y := range h {
		top, bottom := b.Min.Y+y*b.Dy()/h, b.Min.Y+(y+1)*b.Dy()/h
		for x := range w {
			left, right := b.Min.X+x*b.Dx()/w, b.Min.X+(x+1)*b.Dx()/w
			out.Set(x, y, over(mean(pixel, image.Rect(left, top, max(left+1, right), max(top+1, bottom))), back))
		}
	}
	return out
}

// pixels returns what reads a pixel of an image, without making a value of each for
// the formats that can.
func pixels(img image.Image) func(x, y int) color.RGBA64 {
	if img, ok := img.(image.RGBA64Image); ok {
		return img.RGBA64At
	}
	return func(x, y int) color.RGBA64 { return color.RGBA64Model.Convert(img.At(x, y)).(color.RGBA64) }
}

func mean(pixel func(x, y int) color.RGBA64, of image.Rectangle) color.RGBA64 {
	var r, g, b, a uint64
	for y := of.Min.Y; y < of.Max.Y; y++ {
		for x := of.Min.X; x < of.Max.X; x++ {
			c := pixel(x, y)
			r, g, b, a = r+uint64(c.R), g+uint64(c.G), b+uint64(c.B), a+uint64(c.A)
		}
	}
	n := uint64(of.Dx() * of.Dy())
	return color.RGBA64{R: uint16(r / n), G: uint16(g / n), B: uint16(b / n), A: uint16(a / n)}
}

// over lays a color over another one, either of which may be transparent.
func over(c, back color.RGBA64) color.RGBA64 {
	through := 0xffff - uint32(c.A)
	blend := func(c, back uint16) uint16 { return c + uint16(uint32(back)*through/0xffff) }
	return color.RGBA64{R: blend(c.R, back.R), G: blend(c.G, back.G), B: blend(c.B, back.B), A: blend(c.A, back.A)}
}
