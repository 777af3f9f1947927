package bridge

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// coding is how the characters of a text stand in its bytes, as far as it matters for
// finding a place between ASCII characters.
type coding struct {
	wide binary.ByteOrder // of a text in UTF-16, nil for one in which ASCII is one byte
	mark int              // bytes of the byte order mark
}

// codingOf returns the coding of a text that begins with some bytes, at least three if
// it has as many. A byte order mark counts before the charset that was declared.
func codingOf(text []byte, charset string) coding {
	switch {
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return coding{binary.BigEndian, 2}
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return coding{binary.LittleEndian, 2}
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return coding{mark: 3}
	}
	switch strings.ToLower(charset) {
	case "utf-16", "utf-16le":
		return coding{wide: binary.LittleEndian}
	case "utf-16be":
		return coding{wide: binary.BigEndian}
	}
	return coding{}
}

// narrow returns a text with a byte for each unit, and the bytes of a unit. Of UTF-16 that
// is the character, or 0xff for any that is not ASCII.
func (c coding) narrow(page []byte) (ascii []byte, unit int) {
	if c.wide == nil {
		return page, 1
	}
	ascii = make([]byte, len(page)/2)
	for i := range ascii {
		ascii[i] = 0xff
		if u := c.wide.Uint16(page[2*i:]); u < 0x80 {
			ascii[i] = byte(u)
		}
	}
	return ascii, 2
}

// widen returns ASCII text in the coding.
func (c coding) widen(text string) string {
	if c.wide == nil {
		return text
	}
	out := make([]byte, 2*len(text))
	for i := range len(text) {
		c.wide.PutUint16(out[2*i:], uint16(text[i]))
	}
	return string(out)
}
