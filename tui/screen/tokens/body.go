package tokens

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// foldAt is how many lines a value takes at most before it is folded.
const foldAt = 8

// bodyLine is one drawn line and the field it belongs to, -1 for none.
type bodyLine struct {
	field int
	text  string
}

// body is the detail of a token laid out for one width.
type body struct {
	lines  []bodyLine
	fields []field
	first  []int // the first line of each field
	folded []bool
}

// layout draws sections as lines of at most width cells. open are the fields
// whose long values are wanted whole.
func layout(th *theme.Theme, sections []section, width int, open map[int]bool) *body {
	b := &body{}
	width = max(1, width)
	label := labelWidth(sections, width)
	for i, s := range sections {
		if i > 0 {
			b.lines = append(b.lines, bodyLine{field: -1})
		}
		b.lines = append(b.lines, bodyLine{-1, th.Strong.Render(text.TruncateWith(s.Title, width, th.Glyphs.Ellipsis))})
		for _, f := range s.Fields {
			b.add(th, f, label, width, open[len(b.fields)])
		}
	}
	return b
}

// labelWidth is the column of the labels: as wide as the widest, within
// reason, so that values stand below each other.
func labelWidth(sections []section, width int) int {
	widest := 0
	for _, s := range sections {
		for _, f := range s.Fields {
			widest = max(widest, text.Width(text.Truncate(f.Label, 24)))
		}
	}
	return max(1, min(widest, width/3))
}

func (b *body) add(th *theme.Theme, f field, label, width int, open bool) {
	n := len(b.fields)
	b.fields = append(b.fields, f)
	b.first = append(b.first, len(b.lines))
	head := th.Muted.Render(padWith(f.Label, label, th.Glyphs.Ellipsis))
	mark := " "
	if f.Hidden > 0 {
		mark = th.Warn.Render(th.Glyphs.Warning)
	}
	room := max(1, width-label-2)
	values := valueLines(th, f, room)
	folded := len(values) > foldAt
	b.folded = append(b.folded, folded)
	if folded && !open {
		more := len(values) - foldAt + 1
		values = append(values[:foldAt-1:foldAt-1], th.Muted.Render(text.TruncateWith(
			th.Glyphs.Folded+" "+text.Plural(more, "more line")+", enter shows all", room, th.Glyphs.Ellipsis)))
	}
	for i, v := range values {
		if i > 0 {
			head, mark = strings.Repeat(" ", label), " "
		}
		b.lines = append(b.lines, bodyLine{n, text.Clip(head+mark+" "+v, width)})
	}
}

func padWith(s string, width int, mark string) string {
	s = text.TruncateWith(s, width, mark)
	return s + strings.Repeat(" ", max(0, width-text.Width(s)))
}

// valueLines dresses a value in lines of at most width cells, its note behind
// the last one when there is room.
func valueLines(th *theme.Theme, f field, width int) []string {
	value := f.Value
	if f.Look == code && len(value) > width {
		value = indented(value)
	}
	out := text.Block(value, width)
	if len(out) == 0 {
		out = []string{""}
	}
	last := text.Width(out[len(out)-1])
	style := dress(th, f)
	for i := range out {
		out[i] = style.Render(out[i])
	}
	if f.Note == "" {
		return out
	}
	if note := text.Line(f.Note); last+1+text.Width(note) <= width {
		out[len(out)-1] += " " + th.Muted.Render(note)
	} else {
		out = append(out, th.Muted.Render(text.TruncateWith(note, width, th.Glyphs.Ellipsis)))
	}
	return out
}

func dress(th *theme.Theme, f field) theme.Style {
	switch f.Look {
	case number:
		return th.Number
	case missing, remark:
		return th.Muted
	case address:
		if to, _ := openable(f.Value); to != "" {
			return th.Link
		}
	}
	if f.Locale != "" {
		return th.Link
	}
	return th.Text
}
