package picture

import "image"

// keptSide is the longest side of a kept picture in pixels: more than the cells
// of a large window can show.
const keptSide = 512

// Picture is a picture that was read: small enough to be kept in memory and
// drawn again whenever the window changes.
type Picture struct {
	// Width and Height are those of the file, in pixels.
	Width, Height int
	// Format is the file's format: png, jpeg, gif or webp.
	Format string
	// Bytes is the size of the file.
	Bytes int

	img image.Image
}

// Image returns the picture, scaled down where the file's was large.
func (p *Picture) Image() image.Image { return p.img }

// read decodes a picture within the limits of decode and scales it down to
// what is worth keeping. Every error is an *UnreadableError.
func read(data []byte) (*Picture, error) {
	img, format, err := decode(data)
	if err != nil {
		return nil, err
	}
	size := img.Bounds()
	p := &Picture{Width: size.Dx(), Height: size.Dy(), Format: format, Bytes: len(data), img: img}
	if longest := max(p.Width, p.Height); longest > keptSide {
		w, h := max(1, p.Width*keptSide/longest), max(1, p.Height*keptSide/longest)
		p.img = scaled(img, w, h, nil)
	}
	return p, nil
}
