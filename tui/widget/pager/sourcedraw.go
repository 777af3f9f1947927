package pager

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// gutter returns how many cells the numbers of lines take, with the mark of the cursor and the
// gap behind them.
func (v *Source) gutter() int { return len(strconv.Itoa(len(v.lines))) + 4 }

// row draws a line.
func (v *Source) row(i int) string {
	th := v.theme
	number, lead := th.Muted.Render(text.PadLeft(strconv.Itoa(i+1), v.gutter()-4)), "  "
	if i == v.cursor {
		number, lead = th.Strong.Render(text.PadLeft(strconv.Itoa(i+1), v.gutter()-4)), th.Accent.Render(th.Glyphs.Cursor)+" "
	}
	room := v.width - v.gutter()
	if room <= 0 {
		return text.Cut(lead+number, v.width, "")
	}
	return lead + number + "  " + v.content(i, room)
}

// content draws what is in sight of a line.
func (v *Source) content(i, room int) string {
	th, of := v.theme, v.lines[i]
	names := []Name(nil)
	if i == v.cursor {
		names = v.names(i)
	}
	_, hit := slices.BinarySearch(v.hits, i)
	var b strings.Builder
	skip, used := v.left, 0
	for at := 0; at < len(of) && used < room; {
		t := next(of, at)
		at = t.to
		style := v.style(t, of[t.from:t.to])
		for n, name := range names {
			if name.from == t.from && n == min(v.name, len(names)-1) {
				style = th.Cursor
			}
		}
		words := of[t.from:min(t.to, t.from+4*(skip+room-used)+8)]
		words = strings.ReplaceAll(strings.TrimSuffix(words, "\r"), "\t", "  ")
		cells, width := cut(words, &skip, room-used)
		used += width
		if hit && t.kind != blank {
			b.WriteString(v.found(cells, style))
			continue
		}
		b.WriteString(style.Render(cells))
	}
	if used >= room && len(of) > v.left+room || v.left > 0 && len(of) > 0 && used == 0 {
		return text.Cut(b.String(), room-1, "") + th.Muted.Render(th.Glyphs.Ellipsis)
	}
	return b.String()
}

// cut leaves out the first skip cells of a text, and what does not fit; what it leaves is
// harmless.
func cut(words string, skip *int, room int) (cells string, width int) {
	safe := text.Line(words)
	for *skip > 0 && safe != "" {
		_, size := utf8.DecodeRuneInString(safe)
		*skip -= max(1, text.Width(safe[:size]))
		safe = safe[size:]
	}
	*skip = max(0, *skip)
	if text.Width(safe) > room {
		safe = text.TruncateWith(safe, room, "")
	}
	return safe, text.Width(safe)
}

// found draws a text with the places in it that the search found.
func (v *Source) found(cells string, style theme.Style) string {
	query := strings.ToLower(v.query.Value())
	lower := strings.ToLower(cells)
	if query == "" || len(lower) != len(cells) {
		return style.Render(cells)
	}
	var b strings.Builder
	for {
		at := strings.Index(lower, query)
		if at < 0 {
			break
		}
		b.WriteString(style.Render(cells[:at]) + v.theme.Match.Render(cells[at:at+len(query)]))
		cells, lower = cells[at+len(query):], lower[at+len(query):]
	}
	return b.String() + style.Render(cells)
}

func (v *Source) style(t token, words string) theme.Style {
	th := v.theme
	switch t.kind {
	case comment, punctuation:
		return th.Muted
	case quotation, numeral:
		return th.Number
	case principal:
		return th.Link
	case definition:
		return th.Accent
	case plainWord:
		if _, known := v.defined[words]; known {
			return th.Strong
		}
	}
	return th.Text
}
