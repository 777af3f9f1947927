package wire

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// checkHeader returns why h cannot be sent. Its errors show no value.
func checkHeader(h http.Header) error {
	for name, values := range h {
		if name == "" || strings.Trim(name, tokenChars) != "" {
			return fmt.Errorf("invalid header name %q (want letters, digits and -)", Short(name))
		}
		for _, v := range values {
			for i := range len(v) {
				if v[i] < 0x20 && v[i] != '\t' || v[i] == 0x7f {
					return fmt.Errorf("the value of header %s has a control character at position %d", name, i+1)
				}
			}
		}
	}
	return nil
}

// tokenChars are the characters of a header's name (RFC 9110, section 5.6.2).
const tokenChars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Short returns the start of an input that an error quotes.
func Short(s string) string { return Cut(s, 96) }

// Cut returns the start of a text of more than most bytes, up to the end of a character.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
