package contracts

import "strings"

// maxNesting bounds the nesting of a source; the real analysis allows 64.
const maxNesting = 128

// node is an expression of a source: a list, or an atom with its text. A tuple
// in braces is a list that begins with "{".
type node struct {
	atom string
	list []node
	text string // as written, without what stands before and after
}

func (n *node) isList() bool { return n.list != nil }

// head returns the first atom of a list, "" for anything else.
func (n *node) head() string {
	if len(n.list) == 0 {
		return ""
	}
	return n.list[0].atom
}

// args returns what follows the head of a list.
func (n *node) args() []node {
	if len(n.list) == 0 {
		return nil
	}
	return n.list[1:]
}

// sourceReader reads the expressions of a source. It never fails: what cannot be
// read ends the expression, since a source that is broadcast may hold anything.
type sourceReader struct {
	text string
	at   int
}

func readSource(text string) []node {
	r := &sourceReader{text: text}
	var all []node
	for r.space(); r.at < len(r.text); r.space() {
		all = append(all, r.node(0))
	}
	return all
}

// space skips what separates expressions. Commas and colons separate the parts
// of a tuple in braces and stand nowhere else.
func (r *sourceReader) space() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case strings.IndexByte(" \t\r\n,:", c) >= 0:
			r.at++
		case strings.HasPrefix(r.text[r.at:], ";;"):
			end := strings.IndexByte(r.text[r.at:], '\n')
			if end < 0 {
				end = len(r.text) - r.at
			}
			r.at += end
		default:
			return
		}
	}
}

func (r *sourceReader) node(depth int) node {
	begin := r.at
	var n node
	switch c := r.text[r.at]; c {
	case '(', '{':
		r.at++
		n.list = []node{}
		closing := byte(')')
		if c == '{' {
			closing = '}'
			n.list = append(n.list, node{atom: "{"})
		}
		if depth >= maxNesting {
			r.at = len(r.text)
			break
		}
		for r.space(); r.at < len(r.text) && r.text[r.at] != closing; r.space() {
			n.list = append(n.list, r.node(depth+1))
		}
		r.at = min(r.at+1, len(r.text))
	case ')', '}':
		r.at++
	default:
		r.word()
		n.atom = r.text[begin:r.at]
	}
	n.text = r.text[begin:r.at]
	return n
}

// word skips an atom: a string with its quotes, or all up to a separator.
func (r *sourceReader) word() {
	start := r.at
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"' && (r.at == start || r.text[start:r.at] == "u"):
			for r.at++; r.at < len(r.text) && r.text[r.at] != '"'; r.at++ {
				if r.text[r.at] == '\\' {
					r.at++
				}
			}
			r.at = min(r.at+1, len(r.text))
			return
		case strings.IndexByte(" \t\r\n,:(){};\"", c) >= 0:
			if r.at == start {
				r.at++
			}
			return
		}
		r.at++
	}
}
