package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Truncate makes one line of an untrusted string (see [Line]) that is at most
// width cells wide; what is cut off at the end is replaced by an ellipsis.
func Truncate(s string, width int) string { return TruncateWith(s, width, Ellipsis) }

// TruncateWith is [Truncate] with another mark than the ellipsis, for
// terminals that show ASCII only.
func TruncateWith(s string, width int, mark string) string {
	if width <= 0 {
		return ""
	}
	// A cell takes few bytes, so most of a very long string need not be cleaned.
	return shorten(Line(cutBytes(s, max(256, width*64))), width, mark)
}

// shorten cuts terminal text without escape sequences to width cells.
func shorten(s string, width int, mark string) string {
	if plain(s) && plain(mark) || len(s) <= width {
		if len(s) <= width {
			return s
		}
		if len(mark) > width {
			return s[:max(0, width)]
		}
		return strings.TrimSuffix(s[:width-len(mark)], mark) + mark // of what was cut before, too
	}
	if Width(s) <= width {
		return s
	}
	room := width - Width(mark)
	if room < 0 {
		mark, room = "", width
	}
	head, _ := split(s, room)
	return strings.TrimSuffix(head, mark) + mark
}

// Clip cuts styled terminal text, one line that may hold SGR sequences, to at
// most width cells. It is for text that this package or a style has made, not
// for untrusted strings.
func Clip(styled string, width int) string {
	if width <= 0 {
		return ""
	}
	if cells, ok := frameWidth(styled); ok && cells <= width {
		return styled
	}
	return ansi.Truncate(styled, width, "")
}

// Cut returns Clip for a line of words: it ends in a mark where more than blanks was left
// out.
func Cut(styled string, width int, mark string) string {
	cut := Clip(styled, width)
	if len(cut) == len(styled) || Width(strings.TrimRight(ansi.Strip(styled), " ")) <= width {
		return cut
	}
	return ansi.Truncate(styled, width, mark)
}

// Middle makes one line of an untrusted string, at most width cells wide; what
// is too much is taken out of its middle, so that the start and the end of a
// hash, an address or a contract can be compared. A leading 0x is kept on top
// of the start.
func Middle(s string, width int) string { return MiddleWith(s, width, Ellipsis) }

// MiddleWith is [Middle] with another mark than the ellipsis.
func MiddleWith(s string, width int, mark string) string {
	if width <= 0 {
		return ""
	}
	s = Line(s)
	if Width(s) <= width {
		return s
	}
	room := width - Width(mark)
	if room < 2 {
		return shorten(s, width, "")
	}
	prefix := 0
	if strings.HasPrefix(s, "0x") && room >= 4 {
		prefix = 2
	}
	// The begin gets the odd cell: it is read first.
	tail := (room - prefix) / 2
	head, _ := split(s, room-tail)
	return head + mark + lastCells(s, tail)
}

// Pad makes one line of an untrusted string that is exactly width cells wide:
// shortened when too long, filled with spaces on the right when too short.
func Pad(s string, width int) string {
	s = Truncate(s, width)
	return s + spaces(width-Width(s))
}

// PadLeft is [Pad] with the spaces on the left, for columns of numbers.
func PadLeft(s string, width int) string {
	s = Truncate(s, width)
	return spaces(width-Width(s)) + s
}

// Fill makes styled terminal text, one line, exactly width cells wide.
func Fill(styled string, width int) string {
	w := Width(styled)
	if w > width {
		styled = Clip(styled, width)
		w = Width(styled)
	}
	return styled + spaces(width-w)
}

// Spread puts two styled texts to the ends of a line of width cells. Where both do not
// fit the left one is cut, with a blank between them.
func Spread(left, right string, width int) string {
	r := Width(right)
	if r == 0 || r >= width {
		return Fill(left, width)
	}
	return Fill(Clip(left, width-r-1), width-r) + right
}

// blank is cut for short runs of spaces instead of making a new string.
const blank = "                                                                                                                                "

func spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blank):
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// split cuts clean text into a head of at most width cells and the rest.
func split(s string, width int) (head, rest string) {
	at, used := 0, 0
	for at < len(s) {
		cluster, w := character(s[at:])
		if used+w > width {
			break
		}
		at += len(cluster)
		used += w
	}
	return s[:at], s[at:]
}

// lastCells gives the end of clean text that fits into width cells.
func lastCells(s string, width int) string {
	skip := Width(s) - width
	at, used := 0, 0
	for at < len(s) && used < skip {
		cluster, w := character(s[at:])
		at += len(cluster)
		used += w
	}
	return s[at:]
}
