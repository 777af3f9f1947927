package uitest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Obeyed returns the first character of a text that a terminal would obey or not show, -1
// for none. It knows nothing of package text.
func Obeyed(text []byte) rune {
	for _, line := range strings.Split(string(text), "\n") {
		for _, r := range line {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == 0x115f || r == 0x3164 {
				return r
			}
		}
		if !utf8.ValidString(line) {
			return utf8.RuneError
		}
	}
	return -1
}
