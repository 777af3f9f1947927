package bridge

import (
	"bytes"
	"strings"
)

// headAt finds where the script goes in the first bytes of a page that begins at a
// place: after the start of <head>, else of <html>, else after the doctype; -1 when more
// bytes are needed to tell. The first thing that is none of them, no comment and no space ends the search:
// for a browser the head has begun there, whatever a later text contains.
func headAt(page []byte, at int, whole bool) int {
	here := at
	for {
		here += len(page[here:]) - len(bytes.TrimLeft(page[here:], " \t\r\n\f"))
		tag, end := nextTag(page[here:])
		switch {
		case end < 0 && !whole:
			return -1
		case end < 0, tag == "":
			return at
		}
		here += end
		if tag != "!--" {
			at = here
		}
		if tag == "head" {
			return at
		}
	}
}

// nextTag returns which of the tags before the content of a page stands at the start of
// text, "" for another thing, and where it ends, -1 for beyond the text.
func nextTag(text []byte) (tag string, end int) {
	for _, tag := range []string{"!--", "!doctype", "?xml", "html", "head"} {
		open := "<" + tag
		start := string(text[:min(len(text), len(open)+1)])
		switch short := len(start) <= len(open); {
		case short && strings.HasPrefix(open, strings.ToLower(start)):
			return tag, -1
		case short || !strings.EqualFold(start[:len(open)], open):
		case tag == "!--":
			return tag, after(text, len("<!"), "-->")
		case !letter(start[len(open)]):
			return tag, tagEnd(text, 0)
		}
	}
	return "", 0
}

// after returns the place behind the first end that stands at a place or later, -1 for
// none.
func after(text []byte, from int, end string) int {
	at := bytes.Index(text[from:], []byte(end))
	if at < 0 {
		return -1
	}
	return from + at + len(end)
}

// tagEnd returns the place after the tag's closing bracket, which may stand in a
// quoted attribute too.
func tagEnd(page []byte, start int) int {
	var quote byte
	for i := start; i < len(page); i++ {
		switch c := page[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

func letter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
