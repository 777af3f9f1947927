package resource

import (
	"strings"
	"unicode/utf8"

	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Name is a name of a namespace in a list.
type Name struct {
	Name     string
	Position int // among all names, from 1
	// Found returns what of the drawn name was searched for; nil is nothing.
	Found func(drawn string) (from, to int)
}

// Names describes names.
func Names() Kind[Name] {
	return Kind[Name]{Name: "name", Columns: []Column[Name]{
		{Name: "name", Field: "name", Head: "NAME", Least: 10, Most: 10_000, Keep: 9, Value: func(n Name) Value { return TextOf(n.Name) }, Draw: drawName},
		{Name: "length", Type: Number, Value: func(n Name) Value {
			label, _, _ := strings.Cut(n.Name, ".")
			return NumberOf(int64(utf8.RuneCountInString(label)))
		}},
		{Name: "position", Head: "POSITION", Type: Number, Least: 8, Most: 8, Keep: 5, Style: Muted, Value: func(n Name) Value { return NumberOf(int64(n.Position)) }},
	}}
}

// drawName marks what was searched for. It is searched for in what is drawn: cleaning may
// have moved it.
func drawName(n Name, width int, th *theme.Theme) string {
	drawn := text.TruncateWith(n.Name, width, th.Glyphs.Ellipsis)
	if n.Found != nil {
		if from, to := n.Found(drawn); from < to && to <= len(drawn) {
			drawn = drawn[:from] + th.Match.Render(drawn[from:to]) + drawn[to:]
		}
	}
	if meant := nav.Pictured(n.Name); meant != "" {
		drawn += "  " + th.Muted.Render(text.TruncateWith(meant, max(0, width-text.Width(drawn)-2), th.Glyphs.Ellipsis))
	}
	return text.Fill(text.Cut(drawn, width, th.Glyphs.Ellipsis), width)
}
