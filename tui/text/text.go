// Package text is the only place that turns untrusted strings into terminal
// text: names, symbols, descriptions, server messages, contract sources, and
// whatever else a chain, a server or a web page sent. What it returns can be
// written to a terminal, a log or standard error as it is: it holds no
// control, escape, bidirectional, zero-width or otherwise invisible character,
// and it is as wide as [Width] says.
//
// It also writes the values the screens show: ages and times, amounts with
// decimals, counts, sizes, durations, shortened hashes.
//
// Everything here is pure: no I/O, no clock (callers pass now), no colors. It
// must not import bubbletea, lipgloss or anything of the project but
// wallet/hidden.
package text

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"chainscope/wallet/hidden"
)

const (
	// MaxLine limits how many bytes of a string [Line] looks at. What is beyond is
	// dropped and an ellipsis replaces it.
	MaxLine = 16 << 10
	// MaxBlock is the same for [Block].
	MaxBlock = 1 << 20
	// maxMarks limits how many combining marks a character keeps: enough for every
	// living script, too few to draw over the lines above and below.
	maxMarks = 3
)

// Ellipsis replaces what was left out. It is one cell wide.
const Ellipsis = "…"

// Line makes one line of terminal text of an untrusted string.
//
// Line breaks and tabs are shown as \n, \r and \t, the line breaks of Unicode as
// \u0085, \u2028 and \u2029; the many Unicode spaces become one plain space each.
// Variation selectors and the joiners inside emoji are dropped, since
// terminals do not agree on their width. Every other hidden character, those for
// private use, of which each font makes another picture, and every byte that is no
// UTF-8 are shown as escapes such as \x1b, \u202e, \uf023 or \xff, so that two names that differ never look the same. The result is in
// normal form C.
func Line(s string) string {
	if plain(s) && len(s) <= MaxLine {
		return s
	}
	cut := false
	if len(s) > MaxLine {
		s, cut = cutBytes(s, MaxLine), true
	}
	s = visible(s)
	if cut {
		s += Ellipsis
	}
	return s
}

// OrHex returns bytes that are text as they are, and the hex of others. Hidden characters do
// not make text of bytes something else; controls other than white space do.
func OrHex(s string) string {
	control := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, control) {
		return s
	}
	return "0x" + hex.EncodeToString([]byte(s))
}

// Hidden lists the hidden characters of a string, for a warning beside the
// text that [Line] or [Block] makes of it. Tabs, line feeds and what emoji are
// made of are not listed.
func Hidden(s string) []hidden.Finding { return hidden.FindText(s) }

// Width returns how many cells terminal text takes. Escape sequences, as styled
// text has them, take none; in text with line feeds the widest line counts.
func Width(s string) int {
	if cells, ok := frameWidth(s); ok {
		return cells
	}
	if !strings.Contains(s, "\n") {
		return ansi.StringWidth(s)
	}
	widest := 0
	for line := range strings.SplitSeq(s, "\n") {
		widest = max(widest, ansi.StringWidth(line))
	}
	return widest
}

// frameWidth returns the width of what frames are mostly made of: ASCII, the colors
// of styles, and the characters that draw lines, bars and marks. It is false for
// anything else, which has to be measured character by character.
func frameWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f:
			cells++
			i++
		case c == 0x1b:
			n := styleLength(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
		case c >= 0xe2:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !drawsFrames(r) {
				return 0, false
			}
			cells++
			i += size
		default:
			return 0, false
		}
	}
	return cells, true
}

// styleLength returns the length of the SGR sequence that s begins with, 0 for none.
func styleLength(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if c := s[i]; c == 'm' {
			return i + 1
		} else if c < '0' || c > ';' { // digits, a colon or a semicolon
			return 0
		}
	}
	return 0
}

// drawsFrames reports whether a character is one of those, all one cell wide, that
// the explorer draws with: boxes and blocks, and some marks. No mark that could
// join them is among them, so each stands alone.
func drawsFrames(r rune) bool {
	return r >= '\u2500' && r <= '\u259f' || strings.ContainsRune("…›●○▶▸▾‖↻→←↑↓✓✗•", r)
}

// plain reports whether s is only printable ASCII.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// cutBytes gives the first n bytes of s at most, cut between runes.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && n > len(s[:n])-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// visible returns Line without the bound on length.
func visible(s string) string {
	return settle(norm.NFC.String(unhide(s)))
}

// unhide replaces, drops or escapes the hidden characters, rune by rune.
func unhide(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			escapeByte(&b, s[i])
			i++
			continue
		}
		switch kind := hidden.Classify(r); {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\u2028', r == '\u2029', r == '\u0085':
			escapeRune(&b, r)
		case r == '\ufe0e', r == '\ufe0f', hidden.JoinsEmoji(s, i):
		case kind != hidden.None, unicode.Is(unicode.Co, r):
			escapeRune(&b, r)
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// settle looks at the text as a terminal does, character by character with its
// marks: one without a width is escaped, since it would stand on its
// neighbour, and marks beyond maxMarks are dropped.
func settle(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		cluster, width := character(s)
		s = s[len(cluster):]
		switch {
		case width == 0:
			for _, r := range cluster {
				escapeRune(&b, r)
			}
		case utf8.RuneCountInString(cluster) > maxMarks+1:
			b.WriteString(fewerMarks(cluster))
		default:
			b.WriteString(cluster)
		}
	}
	return b.String()
}

// character gives the first character of clean text with its marks, and how
// many cells it takes. It divides text as x/ansi measures it, which is how
// styles and the screen do too: an ASCII character never begins a cluster, its
// marks come after it.
func character(s string) (cluster string, width int) {
	if s[0] >= utf8.RuneSelf {
		return ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	}
	// A space is no base for a mark: lines are broken and trimmed at spaces.
	if len(s) > 1 && s[0] != ' ' && s[1] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(s[1:]); unicode.Is(unicode.M, r) {
			if marks, w := ansi.FirstGraphemeCluster(s[1:], ansi.GraphemeWidth); w == 0 {
				return s[:1+len(marks)], 1
			}
		}
	}
	return s[:1], 1
}

// fewerMarks drops the combining marks of a cluster beyond maxMarks.
func fewerMarks(cluster string) string {
	var b strings.Builder
	marks := 0
	for _, r := range cluster {
		if unicode.Is(unicode.M, r) {
			if marks++; marks > maxMarks {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// escapeByte writes a byte that is no UTF-8 as \xNN.
func escapeByte(b *strings.Builder, c byte) {
	const digits = "0123456789abcdef"
	b.WriteString(`\x`)
	b.WriteByte(digits[c>>4])
	b.WriteByte(digits[c&15])
}

// escapeRune writes a character as \xNN, \uNNNN or \UNNNNNNNN.
func escapeRune(b *strings.Builder, r rune) {
	if r < 0x80 {
		escapeByte(b, byte(r))
		return
	}
	prefix, width := `\u`, 4
	if r > 0xffff {
		prefix, width = `\U`, 8
	}
	hex := strconv.FormatInt(int64(r), 16)
	b.WriteString(prefix)
	b.WriteString(strings.Repeat("0", max(0, width-len(hex))))
	b.WriteString(hex)
}
