package form

import (
	"cmp"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// maxIndent is the largest indent of the parts of a value, in cells.
const maxIndent = 16

// buttonLines are those of the button: the note above it, and the button.
const buttonLines = 2

// maxUnder limits how many lines of words are drawn below a field.
const maxUnder = 2

// layout holds the positions of the stops among the lines of a form: each has one, the one with the cursor
// those that are drawn of it, the button two.
type layout struct {
	focused []string // the lines of the stop with the cursor
	total   int
	top     int // the first line in sight
}

func (f *Form) layout(th *theme.Theme, width, room int) layout {
	l := layout{focused: f.stop(th, f.at, width, room), total: len(f.slots)}
	if f.Button != "" {
		l.total += buttonLines
	}
	one := 1
	if f.OnButton() {
		one = buttonLines
	}
	l.total += len(l.focused) - one
	l.top = text.Scrolled(f.at+(len(l.focused)-room)/2, room, l.total)
	return l
}

// stopAt returns the stop in a line of the form, and the first line of that stop.
func (f *Form) stopAt(l layout, line int) (stop, first int) {
	switch {
	case line < f.at:
		return line, line
	case line < f.at+len(l.focused):
		return f.at, f.at
	}
	first = line
	if stop = line - len(l.focused) + 1; stop > f.last() {
		stop, first = f.last(), line-1 // the second line of the button
	}
	return stop, first
}

// Height returns how many lines the whole form has.
func (f *Form) Height(th *theme.Theme, width, room int) int { return f.layout(th, width, room).total }

// View draws room lines of the form. Where they do not hold all of it, the stop with the
// cursor is in the middle.
func (f *Form) View(th *theme.Theme, width, room int) []string {
	l := f.layout(th, width, room)
	out := make([]string, 0, room)
	for line := l.top; line < min(l.total, l.top+room); {
		stop, first := f.stopAt(l, line)
		drawn := l.focused
		if stop != f.at {
			drawn = f.stop(th, stop, width, room)
		}
		for _, one := range drawn[line-first:] {
			out = append(out, text.Clip(one, width))
		}
		line = first + len(drawn)
	}
	out = out[:min(len(out), room)]
	for len(out) < room {
		out = append(out, "")
	}
	return out
}

// Click puts the cursor on the stop in a line of what View drew. Another click on what is no
// text is enter.
func (f *Form) Click(th *theme.Theme, y, width, room int) (cmd tea.Cmd, there bool) {
	l := f.layout(th, width, room)
	if y += l.top; y < 0 || y >= l.total {
		return nil, false
	}
	at, first := f.stopAt(l, y)
	if f.onButton(at) && y == first {
		return nil, false // between the stops and the button
	}
	if at == f.at && f.ed == nil && !f.Away {
		cmd, _ = f.Key(tea.KeyMsg{Type: tea.KeyEnter})
		return cmd, true
	}
	f.problem = ""
	return f.leave(f.current(), at), true
}

// stop draws one stop, and the words below the one with the cursor.
func (f *Form) stop(th *theme.Theme, i, width, room int) []string {
	focused := i == f.at && !f.Away
	if f.onButton(i) {
		note := ""
		if f.Note != "" {
			note = "   " + th.Warn.Render(text.Truncate(f.Note, width-4))
		}
		out := []string{note, "   " + Button(th, f.Button, focused, f.keys)}
		if focused && f.problem != "" {
			out = append(out, under(th.Bad, th.Glyphs.Cross+" "+f.problem, f.Label+3, width)...)
		}
		return out
	}
	s := f.slots[i]
	v := f.owner.Check(s.Key)
	mark, style := "  ", th.Muted
	if focused {
		mark, style = th.Accent.Render(th.Glyphs.Cursor)+" ", th.Strong
	}
	indent := min(s.Indent, maxIndent)
	lead := mark + strings.Repeat(" ", indent) + style.Render(text.Pad(text.TruncateWith(s.Label, f.Label, th.Glyphs.Ellipsis), f.Label)) + " "
	column := f.Label + 3 + indent
	space := max(4, width-column-1)
	if !focused {
		return []string{text.Clip(lead+value(th, s, v, space), width)}
	}
	out, pointer := f.focused(th, s, v, space, room)
	for n := range out {
		out[n] = text.Clip(lead+out[n], width)
		lead = strings.Repeat(" ", column)
	}
	below := f.below(th, s, v, column, pointer, width)
	for len(below) < f.Under {
		below = append(below, "")
	}
	return append(out, below...)
}

// focused draws what the cursor is on, and returns the cell of what is wrong in it, -1 for none.
func (f *Form) focused(th *theme.Theme, s Slot, v Verdict, space, room int) (lines []string, pointer int) {
	kind := ""
	if s.Type != "" {
		kind = text.TruncateWith(s.Type, max(4, space/3), th.Glyphs.Ellipsis)
		space = max(4, space-text.Width(kind)-2)
		kind = "  " + th.Muted.Render(kind)
	}
	switch {
	case s.Adds != "":
		return []string{th.Cursor.Render("+ "+s.Adds) + "  " + th.Muted.Render("enter adds one")}, -1
	case s.Options != nil:
		return []string{th.Cursor.Render("< "+word(s)+" >") + "  " + th.Muted.Render("space or arrows choose")}, -1
	case s.Lines:
		return f.ed.View(th, space, max(1, min(f.ed.Lines(), room-4)), true), -1
	}
	drawn, at := f.ed.Line(th, space, v.Offset)
	return []string{drawn + kind}, at
}

// below returns the words below the field with the cursor, and a pointer at what is wrong.
func (f *Form) below(th *theme.Theme, s Slot, v Verdict, column, pointer, width int) []string {
	style, words := th.Muted, s.About
	switch {
	case f.problem != "":
		return under(th.Bad, th.Glyphs.Cross+" "+f.problem, column, width)
	case s.Adds != "" || s.Options != nil && v.Problem == "":
	case v.Missing && words == "":
		words = v.Problem
	case v.Missing:
	case v.Problem != "":
		style, words = th.Bad, th.Glyphs.Cross+" "+v.Problem
	case v.Note != "" && s.Text != "":
		style, words = th.OK, th.Glyphs.Check+" "+v.Note
	case v.Note != "":
		words = v.Note
	}
	if words == "" {
		return nil
	}
	var out []string
	if v.Problem != "" && !v.Missing && pointer >= 0 {
		out = append(out, strings.Repeat(" ", column+pointer)+th.Bad.Render("^"))
	}
	out = append(out, under(style, words, column, width)...)
	if v.Fix != "" {
		fix := text.MiddleWith(v.Fix, max(1, width-column-5), th.Glyphs.Ellipsis)
		out = append(out, strings.Repeat(" ", column)+th.Muted.Render("tab: ")+th.OK.Render(fix))
	}
	return out
}

// under draws words below a field, after some cells.
func under(style theme.Style, words string, indent, width int) []string {
	pad := strings.Repeat(" ", indent)
	lines := text.Block(words, max(8, width-indent-1))
	out := make([]string, min(len(lines), maxUnder))
	for i := range out {
		out[i] = text.Clip(pad+style.Render(lines[i]), width)
	}
	return out
}

// word returns what is chosen, or that nothing is.
func word(s Slot) string { return cmp.Or(s.Text, s.Empty) }

// value draws a text without the cursor in it, and what is said of it.
func value(th *theme.Theme, s Slot, v Verdict, space int) string {
	switch {
	case s.Adds != "":
		return th.Muted.Render("+ " + s.Adds)
	case s.Options != nil && s.Text != "":
		return th.Text.Render(s.Text)
	case s.Text == "" && s.Empty == "" && s.Options == nil:
		return th.Muted.Render(text.TruncateWith(s.About, space, th.Glyphs.Ellipsis))
	case s.Text == "":
		return th.Muted.Render(text.TruncateWith(s.Empty, space, th.Glyphs.Ellipsis))
	}
	note, most := "", space-min(text.Width(text.Line(s.Text)), space/2)-4
	switch {
	case v.Problem != "" && v.Missing:
	case v.Problem != "":
		note = th.Bad.Render(th.Glyphs.Cross + " " + text.TruncateWith(v.Problem, most, th.Glyphs.Ellipsis))
	case v.Note != "":
		note = th.OK.Render(th.Glyphs.Check) + " " + th.Muted.Render(text.TruncateWith(v.Note, most, th.Glyphs.Ellipsis))
	}
	if note != "" {
		space = max(1, space-text.Width(note)-2)
		note = "  " + note
	}
	shown := s.Text[:min(len(s.Text), 4*max(1, space))]
	if len(s.Text) > len(shown) || text.Width(text.Line(s.Text)) > space {
		return text.MiddleWith(headAndTail(s.Text, 4*space), max(1, space), th.Glyphs.Ellipsis) + note
	}
	return text.Line(s.Text) + note
}

// headAndTail keeps what can be in sight of a long text.
func headAndTail(s string, most int) string {
	if len(s) <= 2*most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + strings.ToValidUTF8(s[len(s)-most:], "")
}

// Hint names the keys of the items of lists, where there are any.
func (f *Form) Hint(th *theme.Theme) []string {
	for _, s := range f.slots {
		if s.Adds != "" {
			return []string{placeholder.Hint(th, f.keys.Form.Add, "add"), placeholder.Hint(th, f.keys.Form.Remove, "remove")}
		}
	}
	return nil
}

// Button draws the button of a form, which a key sends from anywhere.
func Button(th *theme.Theme, label string, focused bool, keys *keymap.Map) string {
	label = "[ " + label + " ]"
	if focused {
		return th.Cursor.Render(label) + "  " + th.Muted.Render("enter")
	}
	return th.Strong.Render(label) + "  " + placeholder.Hint(th, keys.Form.Send, "from anywhere")
}
