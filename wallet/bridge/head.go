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

// nextTag returns which of the tags before the content of a page is at the start of
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
			return tag, commentEnd(text)
		case !letter(start[len(open)]):
			_, end := attributes(text)
			return tag, end
		}
	}
	return "", 0
}

// commentEnd returns the place behind the comment that begins a text, -1 for none.
func commentEnd(text []byte) int {
	end := -1
	for _, mark := range []string{"-->", "--!>"} {
		at := bytes.Index(text[len("<!"):], []byte(mark))
		if at += len("<!") + len(mark); at >= len("<!")+len(mark) && (end < 0 || at < end) {
			end = at
		}
	}
	return end
}

// attribute is one of a tag, with where its value is, quotes included. One without a
// value has an empty place.
type attribute struct {
	name     string // in lower case
	from, to int
}

// attributes reads the tag that begins a text up to its closing bracket, which may be
// in a quoted value too; end is behind it, -1 for a tag that does not end.
func attributes(text []byte) (all []attribute, end int) {
	const space = " \t\r\n\f"
	skip := func(i int, any string) int {
		for i < len(text) && strings.IndexByte(any, text[i]) >= 0 {
			i++
		}
		return i
	}
	until := func(i int, any string) int {
		for i < len(text) && strings.IndexByte(any, text[i]) < 0 {
			i++
		}
		return i
	}
	i := until(min(1, len(text)), space+"/>")
	for i = skip(i, space+"/"); i < len(text) && text[i] != '>'; i = skip(i, space+"/") {
		named := until(i+1, space+"/>=")
		a := attribute{name: strings.ToLower(string(text[i:named])), from: named, to: named}
		if i = skip(named, space); i < len(text) && text[i] == '=' {
			a.from = skip(i+1, space)
			a.to = until(a.from, space+">")
			if a.from < len(text) && (text[a.from] == '"' || text[a.from] == '\'') {
				a.to = until(a.from+1, string(text[a.from])) + 1
			}
			i = a.to
		}
		all = append(all, a)
	}
	if i >= len(text) {
		return nil, -1
	}
	return all, i + 1
}

func letter(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
