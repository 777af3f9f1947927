// Package picture shows small pictures in terminal cells: it fetches them with
// care, decodes them within limits and draws two pixels in every cell. It must
// not import bubbletea, apiclient or any screen.
package picture

import (
	"bytes"
	"fmt"
	"image"

	// The formats that token metadata names in practice.
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/webp"
)

// maxPixels bounds what is decoded: a file of a few bytes may claim billions.
const maxPixels = 16 << 20

// UnreadableError reports why bytes are not shown as a picture.
type UnreadableError struct{ Reason string }

func (e *UnreadableError) Error() string { return "the picture cannot be shown: " + e.Reason }

// decode reads a PNG, JPEG, GIF (its first frame) or WebP picture and returns its
// format too. The size that the file claims is checked before anything is decoded.
// Every error is an *UnreadableError.
func decode(data []byte) (img image.Image, format string, err error) {
	defer func() {
		// The decoders read hostile bytes; one that breaks must not end the program.
		if r := recover(); r != nil {
			img, err = nil, &UnreadableError{Reason: "its data is damaged"}
		}
	}()
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, "", &UnreadableError{Reason: "it is not a PNG, JPEG, GIF or WebP file"}
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil, "", &UnreadableError{Reason: fmt.Sprintf("it claims %d x %d pixels; at most %d are shown", config.Width, config.Height, maxPixels)}
	}
	img, format, err = image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, "", &UnreadableError{Reason: "its data is damaged"}
	}
	return img, format, nil
}
