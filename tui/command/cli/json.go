package cli

import (
	"bytes"
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"

	"chainscope/tui/text"
)

// PlainJSON replaces every character of a JSON text that a terminal would obey or
// not show by a \u escape. The value stays the same: only strings can contain such
// characters.
func PlainJSON(raw []byte) []byte {
	const hex = "0123456789abcdef"
	out := make([]byte, 0, len(raw))
	escape := func(unit uint16) {
		out = append(out, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
	}
	for i := 0; i < len(raw); {
		c, size := utf8.DecodeRune(raw[i:])
		blank := c == '\n' || c == '\r' || c == '\t' // between values
		switch {
		case c < utf8.RuneSelf && c >= ' ' && c != 0x7f, blank:
			out = append(out, raw[i])
		case c == utf8.RuneError && size == 1:
			escape(0xfffd)
		case c == 0x7f || len(text.Hidden(string(c))) > 0:
			if high, low := utf16.EncodeRune(c); high != utf8.RuneError {
				escape(uint16(high))
				escape(uint16(low))
			} else {
				escape(uint16(c))
			}
		default:
			out = append(out, raw[i:i+size]...)
		}
		i += size
	}
	return out
}

// DecodeJSON decodes a value; numbers keep all their digits.
func DecodeJSON(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}
