package tokens

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
)

// Sizes of the pictures in pixels.
const (
	pictureSide   = 96
	thumbnailSide = 24
)

// Picture is one of the pictures under /pictures/.
type Picture struct {
	ContentType string
	Body        []byte
	// Location is set where the answer is a redirect.
	Location string
}

// Picture draws the picture of a file name such as "full.png" or
// "full-thumb.png": a symmetric pattern derived from the name. It
// returns false if no token has that picture.
func (c *Catalogue) Picture(file string) (Picture, bool) {
	name, ok := strings.CutSuffix(file, ".png")
	if !ok || !c.shows(file) {
		return Picture{}, false
	}
	base, thumbnail := strings.CutSuffix(name, "-thumb")
	side := pictureSide
	if thumbnail {
		side = thumbnailSide
	}
	whole := Picture{ContentType: "image/png", Body: drawPattern(base, side)}
	switch base {
	case "bomb":
		whole.Body = hugePNG()
	case "not-an-image":
		whole.Body = []byte("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>\x1b[2J")
	case "cut":
		whole.Body = whole.Body[:len(whole.Body)/2]
	case "redirect":
		return Picture{Location: "http://127.0.0.1:1/private.png"}, true
	}
	return whole, true
}

// shows reports whether a token's record names the picture.
func (c *Catalogue) shows(file string) bool {
	uri := ownScheme + "/pictures/" + file
	for _, of := range c.contracts {
		for _, tok := range of.tokens {
			if tok.meta.names(uri) {
				return true
			}
			for _, l := range tok.locales {
				if l.meta.names(uri) {
					return true
				}
			}
		}
	}
	return false
}

func (m *Metadata) names(uri string) bool {
	return m != nil && (m.CachedImage == uri || m.CachedThumbnailImage == uri)
}

// drawPattern draws a mirrored pattern of 8 by 8 fields over a gradient.
func drawPattern(name string, side int) []byte {
	sum := sha256.Sum256([]byte("picture " + name))
	ground := [3]int{int(sum[0]) / 3, int(sum[1]) / 3, int(sum[2]) / 3}
	ink := color.NRGBA{160 + sum[3]%96, 120 + sum[4]%136, 90 + sum[5]%166, 255}
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			column, row := x*8/side, y*8/side
			if column > 3 {
				column = 7 - column
			}
			bit := row*4 + column
			if sum[8+bit/8]>>(bit%8)&1 == 1 {
				picture.SetNRGBA(x, y, ink)
				continue
			}
			light := 70 * (side - y) / side
			picture.SetNRGBA(x, y, color.NRGBA{uint8(ground[0] + light), uint8(ground[1] + light), uint8(ground[2] + light), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		panic("tokens: draw a picture: " + err.Error()) // writing to memory does not fail
	}
	return b.Bytes()
}

// hugePNG returns a header that claims 60,000 by 60,000 pixels, and no pixels: a
// decoder that trusts it reserves 14 GB.
func hugePNG() []byte {
	header := binary.BigEndian.AppendUint32(nil, 60_000)
	header = binary.BigEndian.AppendUint32(header, 60_000)
	header = append(header, 8, 6, 0, 0, 0) // 8 bits, RGBA
	out := []byte("\x89PNG\r\n\x1a\n")
	out = appendChunk(out, "IHDR", header)
	return appendChunk(out, "IEND", nil)
}

func appendChunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	body := append([]byte(kind), data...)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}
