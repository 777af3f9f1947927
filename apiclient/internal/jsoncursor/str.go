package jsoncursor

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain reports the bytes that need no further look in a string: printable ASCII
// but the quote and the backslash.
var plain = func() (t [256]bool) {
	for b := 0x20; b < 0x80; b++ {
		t[b] = b != '"' && b != '\\'
	}
	return t
}()

// str reads a string whose quote is next. Text without escapes is a part of the
// document; broken UTF-8 and lone surrogates become U+FFFD.
func (c *Cursor) str() (string, bool) {
	s, start := c.s, c.pos+1
	i := start
	for i < len(s) && plain[s[i]] {
		i++
	}
	if i < len(s) && s[i] == '"' {
		c.pos = i + 1
		return s[start:i], true
	}
	return c.oddString(start, i)
}

func (c *Cursor) oddString(start, i int) (string, bool) {
	s := c.s
	var out []byte
	from := start
	for i < len(s) {
		switch b := s[i]; {
		case b == '"':
			c.pos = i + 1
			text := s[from:i]
			if out != nil {
				text = string(append(out, text...))
			}
			return strings.ToValidUTF8(text, "\uFFFD"), true
		case b < 0x20:
			c.pos = i
			c.fail("the control character %#02x stands bare in a string", b)
			return "", false
		case b != '\\':
			i++
		default:
			out = append(out, s[from:i]...)
			r, size := unescape(s[i:])
			if size == 0 {
				c.pos = i
				if len(s)-i < 6 && strings.IndexByte(s[i:], '"') < 0 {
					c.pos = len(s)
				}
				c.fail("a broken escape in a string")
				return "", false
			}
			out = utf8.AppendRune(out, r)
			i += size
			from = i
		}
	}
	c.pos = len(s)
	c.fail("")
	return "", false
}

// unescape reads the escape at the beginning of s; size is 0 when it is none.
func unescape(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return 0, 0
	}
	r, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unit(s[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// unit reads one escaped UTF-16 unit: a backslash, u and four hex digits.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		switch b := s[i]; {
		case b >= '0' && b <= '9':
			r = r<<4 | rune(b-'0')
		case b >= 'a' && b <= 'f':
			r = r<<4 | rune(b-'a'+10)
		case b >= 'A' && b <= 'F':
			r = r<<4 | rune(b-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
