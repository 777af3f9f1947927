package bridge

import (
	"bytes"
	"cmp"
	"html"
	"strings"
)

// head reads the head of a page, bit by bit, for the policies in its <meta> elements. They
// hold only for what follows them, so the script before them acts; what it connects to
// they would forbid.
type head struct {
	xml    bool   // where a tag may close itself
	within string // the element whose content is passed over
	over   bool   // what follows is the body, where such a policy counts for nothing
}

// empty are the elements of a head that have no content of their own, and passed those
// whose content is no part of the page for a browser that runs scripts.
const (
	empty  = " base basefont bgsound head html link meta "
	passed = " noframes noscript script style template title "
)

// next settles the first n bytes of what follows, 0 when more are needed or the head is
// over. They are replaced where instead is not "".
func (h *head) next(text []byte) (n int, instead string) {
	if h.within != "" {
		return h.passOver(text), ""
	}
	if space := len(text) - len(bytes.TrimLeft(text, " \t\r\n\f")); space > 0 {
		return space, ""
	}
	name := tagName(text)
	switch {
	case text[0] == '<' && len(text) < len("<!--"):
		return 0, ""
	case bytes.HasPrefix(text, []byte("<!--")):
		return max(0, commentEnd(text)), ""
	case text[0] == '<' && (text[1] == '!' || text[1] == '?' || text[1] == '/' && name == "/"):
		return bytes.IndexByte(text, '>') + 1, ""
	}
	all, end := attributes(text)
	switch {
	case name != "" && end < 0:
		return 0, ""
	case name == "meta":
		return end, widenMeta(text[:end], all)
	case strings.Contains(passed, " "+name+" "):
		if !h.xml || text[end-2] != '/' {
			h.within = name
		}
	case strings.Contains(empty, " "+name+" "):
	case name != "/body" && name != "/html" && name != "/br" && strings.HasPrefix(name, "/"):
	default:
		h.over = true
		return 0, ""
	}
	return end, ""
}

// passOver settles what belongs to an element, with its end.
func (h *head) passOver(text []byte) int {
	end := []byte("</" + h.within)
	for at := range text {
		rest := text[at:]
		if len(rest) <= len(end) {
			return at
		}
		if rest[0] == '<' && bytes.EqualFold(rest[:len(end)], end) && !letter(rest[len(end)]) {
			closed := bytes.IndexByte(rest, '>')
			if closed < 0 {
				return at
			}
			h.within = ""
			return at + closed + 1
		}
	}
	return 0
}

// tagName returns the name of the tag that begins a text in lower case, with the slash of
// one that ends an element; "" where none begins.
func tagName(text []byte) string {
	end := 1
	for end < len(text) && (letter(text[end]) || text[end] == '-' || text[end] == '/' && end == 1) {
		end++
	}
	if text[0] != '<' {
		return ""
	}
	return strings.ToLower(string(text[1:end]))
}

// widenMeta returns a <meta> element whose policy lets the script connect, "" for one
// that stays as it is. Of an attribute that occurs twice the first counts.
func widenMeta(tag []byte, all []attribute) string {
	values := map[string]attribute{}
	for _, a := range all {
		values[a.name] = cmp.Or(values[a.name], a)
	}
	value := func(name string) string {
		text := string(tag[values[name].from:values[name].to])
		if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "'") {
			text = text[1 : len(text)-1]
		}
		return html.UnescapeString(text)
	}
	if !strings.EqualFold(value("http-equiv"), policies[0]) {
		return ""
	}
	policy, _ := allowInPolicy(value("content"), "")
	a := values["content"]
	if policy == "" || a.to == a.from {
		return ""
	}
	return string(tag[:a.from]) + `"` + html.EscapeString(policy) + `"` + string(tag[a.to:])
}
