package walletpane

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"chainscope/tui/screen/walletpane/form"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/field"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// labelWidth is the column of the names of fields.
const labelWidth = 17

// View draws the form; the slot with the cursor is in sight.
func (p *formPage) View(time.Time) []string {
	width := p.width
	head := []string{p.title(width), ""}[:p.headLines()]
	foot, room := p.foot(width), p.room()
	var body []string
	if p.asJSON {
		body = p.jsonBody(width, room)
	} else {
		body = p.fields(width, room)
	}
	return append(append(head, body...), foot...)
}

// headLines is how many lines stand above the fields, and room how many the fields have
// above the line at the foot.
func (p *formPage) headLines() int {
	if p.height < 12 {
		return 1
	}
	return 2
}

func (p *formPage) room() int { return max(1, p.height-p.headLines()-1) }

// Click puts the cursor on the field, or on the button, in a line of what is drawn.
// Another click on what is no text is enter. In JSON there is only the button.
func (p *formPage) Click(_, y int) tea.Cmd {
	y -= p.headLines()
	if y < 0 || y >= p.room() {
		return nil
	}
	if p.asJSON {
		if p.onButton = y == len(p.jsonBody(p.width, p.room()))-1; p.onButton {
			p.askWallet()
		}
		return nil
	}
	_, starts, top := p.lines(p.width, p.room())
	at := sort.SearchInts(starts, top+y+1) - 1
	if y += top; at < 0 || y >= starts[len(starts)-1]+2 || p.slots[at].send && y == starts[at] {
		return nil // below the fields, or between them and the button
	}
	if at == p.at && p.ed == nil {
		cmd, _ := p.Key(tea.KeyMsg{Type: tea.KeyEnter})
		return cmd
	}
	p.problem = ""
	cmd := p.leave(p.slots[p.at], at)
	p.askWallet()
	return cmd
}

func (p *formPage) title(width int) string {
	th := p.screen.theme
	left, about := " "+th.Strong.Render(p.Crumb()), ""
	if p.form.Method != "" {
		about = "  " + th.Muted.Render(p.form.Title)
	}
	if !p.request {
		return left + about
	}
	st := p.screen.state
	network := st.Network
	if !p.asJSON {
		network = p.screen.networkOf(p.form.Method, p.draft)
	}
	right := th.Muted.Render(fmt.Sprintf("account %d on ", st.Account)) + p.screen.networkWord(network)
	if o := p.screen.optionsInForce(); o != "" {
		right = th.Warn.Render(o) + "  " + right
	}
	if text.Width(left+about+right)+2 <= width {
		left += about
	}
	return text.Spread(left, right+" ", width)
}

// foot says what is wrong, or what the wallet would say.
func (p *formPage) foot(width int) []string {
	th := p.screen.theme
	switch {
	case p.problem != "":
		return []string{" " + th.Bad.Render(th.Glyphs.Cross+" "+text.Truncate(p.problem, width-4))}
	case p.refusal != "":
		return []string{" " + th.Warn.Render(th.Glyphs.Warning+" "+text.Truncate(p.refusal, width-4))}
	}
	return []string{""}
}

func (p *formPage) jsonBody(width, room int) []string {
	th := p.screen.theme
	lines := p.ed.View(th, max(1, width-4), max(1, room-2), !p.onButton)
	out := make([]string, 0, room)
	for _, l := range lines {
		out = append(out, "   "+l)
	}
	return append(out, "", p.buttonLine(p.onButton))
}

func (p *formPage) buttonLine(focused bool) string {
	return "   " + field.Button(p.screen.theme, p.button, focused, p.screen.env.Keys.Form.Send)
}

// lines draws all slots; starts are their first lines, and top is the first line in
// sight. Where they do not all fit, the one with the cursor is in the middle.
func (p *formPage) lines(width, room int) (lines []string, starts []int, top int) {
	from, to := 0, 0 // lines of the slot with the cursor
	for i, s := range p.slots {
		starts = append(starts, len(lines))
		lines = append(lines, p.slot(i, s, width, room)...)
		if i == p.at {
			from, to = starts[i], len(lines)
		}
	}
	return lines, starts, max(0, min((from+to-room)/2, len(lines)-room))
}

// fields draws the slots that fit.
func (p *formPage) fields(width, room int) []string {
	lines, _, top := p.lines(width, room)
	out := lines[top:min(len(lines), top+room)]
	for len(out) < room {
		out = append(out, "")
	}
	return out
}

func (p *formPage) slot(i int, s slot, width, room int) []string {
	th := p.screen.theme
	focused := i == p.at
	if s.send {
		return []string{p.extra(width), p.buttonLine(focused)}
	}
	mark := "  "
	if focused {
		mark = th.Accent.Render(th.Glyphs.Cursor) + " "
	}
	label := th.Muted.Render(text.Pad(p.label(s), labelWidth))
	if focused {
		label = th.Strong.Render(text.Pad(p.label(s), labelWidth))
	}
	lead := mark + label + " "
	space := max(4, width-labelWidth-4)
	v := p.verdict(s)
	switch {
	case s.adds:
		word := "+ " + s.field.Word
		if focused {
			return append([]string{lead + th.Cursor.Render(word) + "  " + th.Muted.Render("enter adds one")}, p.under(s, v, width)...)
		}
		return []string{lead + th.Muted.Render(word)}
	case focused && p.ed != nil:
		return append(p.typed(lead, s, space, room), p.under(s, v, width)...)
	}
	out := []string{lead + p.value(s, v, focused, space)}
	if focused {
		out = append(out, p.under(s, v, width)...)
	}
	return out
}

// extra names the params that no field shows and that are sent all the same.
func (p *formPage) extra(width int) string {
	names := make([]string, len(p.draft.Extra))
	for i, param := range p.draft.Extra {
		names[i] = text.Line(param.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return "   " + p.screen.theme.Warn.Render(text.Truncate("sent too, as JSON only: "+strings.Join(names, ", "), width-4))
}

// label is the name of a field; one that has to be there has a mark.
func (p *formPage) label(s slot) string {
	label := s.field.Called()
	if s.at.Item >= 0 && s.first {
		label = fmt.Sprintf("%s %d", label, s.at.Item+1)
	}
	if s.at.Item >= 0 {
		label = " " + label
	}
	if s.adds {
		if len(p.draft.Items[s.at.Name]) > 0 {
			return ""
		}
		return label
	}
	if !s.field.Optional && s.at.Item < 0 {
		label += " *"
	}
	return label
}

// typed draws the text under the cursor.
func (p *formPage) typed(lead string, s slot, space, room int) []string {
	th := p.screen.theme
	if !manyLines(s.field) {
		return []string{lead + p.ed.View(th, space, 1, true)[0]}
	}
	height := max(1, min(p.ed.Lines(), room-4))
	out := make([]string, height)
	for i, l := range p.ed.View(th, space, height, true) {
		out[i] = lead + l
		lead = strings.Repeat(" ", labelWidth+3)
	}
	return out
}

// value draws a text without the cursor in it.
func (p *formPage) value(s slot, v form.Verdict, focused bool, space int) string {
	th := p.screen.theme
	value := p.draft.Get(s.at)
	if s.field.Chosen() {
		word := value
		if word == "" {
			word = "not given"
		}
		if focused {
			return field.Choice(th, word)
		}
		if value == "" {
			return th.Muted.Render(word)
		}
		return th.Text.Render(word)
	}
	if value == "" {
		if s.field.Optional {
			return th.Muted.Render("not given")
		}
		return th.Muted.Render(text.TruncateWith(s.field.About, space, th.Glyphs.Ellipsis))
	}
	note, most := "", space-min(text.Width(text.Line(value)), space/2)-4
	switch {
	case v.Problem != "":
		note = th.Bad.Render(th.Glyphs.Cross + " " + text.TruncateWith(v.Problem, most, th.Glyphs.Ellipsis))
	case v.Note != "":
		note = th.OK.Render(th.Glyphs.Check) + " " + th.Muted.Render(text.TruncateWith(v.Note, most, th.Glyphs.Ellipsis))
	}
	if note != "" {
		space = max(1, space-text.Width(note)-2)
		note = "  " + note
	}
	shown := value[:min(len(value), 4*max(1, space))]
	if len(value) > len(shown) || text.Width(text.Line(value)) > space {
		return text.MiddleWith(headAndTail(value, 4*space), max(1, space), th.Glyphs.Ellipsis) + note
	}
	return text.Line(value) + note
}

// headAndTail keeps what can be in sight of a long text.
func headAndTail(s string, most int) string {
	if len(s) <= 2*most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + strings.ToValidUTF8(s[len(s)-most:], "")
}

// under is what there is to say about the field with the cursor.
func (p *formPage) under(s slot, v form.Verdict, width int) []string {
	th := p.screen.theme
	line := func(style theme.Style, words string) []string { return field.Under(style, words, labelWidth+3, width) }
	switch {
	case v.Missing || v.Problem == "" && v.Note == "":
		if s.field.About == "" {
			return nil
		}
		return line(th.Muted, s.field.About)
	case v.Problem != "":
		var out []string
		if at := p.pointer(s, v); at != "" {
			out = append(out, strings.Repeat(" ", labelWidth+3)+at)
		}
		return append(out, line(th.Bad, th.Glyphs.Cross+" "+v.Problem)...)
	}
	return line(th.OK, th.Glyphs.Check+" "+v.Note)
}

// pointer marks where a literal is wrong, when that is in sight.
func (p *formPage) pointer(s slot, v form.Verdict) string {
	value := p.draft.Get(s.at)
	if v.Offset < 0 || v.Offset > len(value) || !s.field.Kind.Clarity() {
		return ""
	}
	before := text.Width(text.Line(value[:v.Offset]))
	if text.Width(text.Line(value)) > 50 || strings.Contains(value, "\n") {
		return ""
	}
	return strings.Repeat(" ", before) + p.screen.theme.Bad.Render("^")
}

// Hint names the keys of a form.
func (p *formPage) Hint() string {
	th, k := p.screen.theme, p.screen.env.Keys.Form
	var parts []string
	if p.example != nil {
		parts = append(parts, placeholder.Hint(th, k.Example, "example"))
	}
	if p.request {
		side := "JSON"
		if p.asJSON {
			side = "fields"
		}
		parts = append(parts, placeholder.Hint(th, k.AsJSON, side), placeholder.Hint(th, k.Options, "options"))
	}
	for _, f := range p.form.Fields {
		if f.Lists() && !p.asJSON {
			parts = append(parts, placeholder.Hint(th, k.Add, "add"), placeholder.Hint(th, k.Remove, "remove"))
			break
		}
	}
	return strings.Join(append(parts, th.Key.Render("esc")+" "+th.Muted.Render("back")), "  ")
}
