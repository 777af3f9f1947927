package text

import (
	"fmt"
	"strings"
)

// tabStop is the distance of the tab stops of a block, in cells.
const tabStop = 4

// Block makes lines of terminal text, each at most width cells wide, of an
// untrusted string of any number of lines. Line breaks stay, tabs go to the
// next stop of four, lines that are too long are broken between words, words
// that are too long where they must, and a continued line keeps the
// indentation of its begin. Hidden characters are treated as in [Line]. An
// empty string has no lines; a width below one counts as one.
//
// Of more than [MaxBlock] bytes the rest is dropped, and the last line says so.
func Block(s string, width int) []string {
	width = max(1, width)
	left := 0
	if len(s) > MaxBlock {
		cut := cutBytes(s, MaxBlock)
		left = len(s) - len(cut)
		s = cut
	}
	var lines []string
	for s != "" {
		line, rest, more := cutLine(s)
		lines = wrap(lines, cleanLine(line), width)
		if s = rest; more && s == "" {
			break
		}
	}
	if left > 0 {
		lines = wrap(lines, fmt.Sprintf("%s %s more", Ellipsis, Bytes(int64(left))), width)
	}
	return lines
}

// cutLine takes the first line off s. It knows LF, CR LF and the two Unicode
// separators.
func cutLine(s string) (line, rest string, more bool) {
	i := strings.IndexAny(s, "\n\u2028\u2029")
	if i < 0 {
		return s, "", false
	}
	line, rest = s[:i], s[i+1:]
	if s[i] == '\n' {
		line = strings.TrimSuffix(line, "\r")
	} else {
		rest = s[i+len("\u2028"):]
	}
	return line, rest, true
}

// cleanLine returns visible with tabs expanded.
func cleanLine(line string) string {
	if plain(line) {
		return line
	}
	if !strings.Contains(line, "\t") {
		return visible(line)
	}
	var b strings.Builder
	at := 0
	for i, field := range strings.Split(line, "\t") {
		if i > 0 {
			n := tabStop - at%tabStop
			b.WriteString(spaces(n))
			at += n
		}
		field = visible(field)
		b.WriteString(field)
		at += Width(field)
	}
	return b.String()
}

// wrap appends the lines that clean text makes at width.
func wrap(lines []string, s string, width int) []string {
	if Width(s) <= width {
		return append(lines, s)
	}
	indent := len(s) - len(strings.TrimLeft(s, " "))
	if indent > width/2 {
		indent = 0
	}
	lead := spaces(indent)
	s = s[indent:]
	for {
		head, rest := split(s, width-indent)
		if rest == "" {
			return append(lines, lead+head)
		}
		if head == "" {
			// A wide character where only one cell is left for it.
			cluster, _ := character(s)
			head, rest = Ellipsis, s[len(cluster):]
		} else if rest[0] != ' ' {
			if i := strings.LastIndexByte(head, ' '); i > 0 && strings.TrimLeft(head[:i], " ") != "" {
				head, rest = head[:i], s[i:]
			}
		}
		lines = append(lines, lead+strings.TrimRight(head, " "))
		if s = strings.TrimLeft(rest, " "); s == "" {
			return lines
		}
	}
}
