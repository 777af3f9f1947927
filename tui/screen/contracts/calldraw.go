package contracts

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/widget/field"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	// labelWidth is the column of the names of inputs.
	labelWidth = 18
	// maxDepth is how deep the parts of a value are moved to the right.
	maxDepth = 8
)

// buttons are what the button says.
var buttons = map[targetKind]string{readOnly: "Call", public: "Make a request of the wallet", variable: "Read", constant: "Read", entry: "Read"}

// View draws the form and, below it, the result.
func (p *callPage) View(now time.Time) []string {
	if p.wrong != nil {
		return placeholder.Empty(p.theme, text.Truncate(p.wrong.Error(), max(1, p.width-4)), nil, p.width, p.height)
	}
	out := p.head()
	result := p.result(now)
	room := max(1, p.height-len(out))
	form := min(len(p.slots)+3, max(room/2, room-len(result)-1))
	out = append(out, p.form(form)...)
	return append(out, p.window(result, max(0, p.height-len(out)))...)
}

// head says what is called, with its types.
func (p *callPage) head() []string {
	th := p.theme
	words := p.target.name
	switch p.target.kind {
	case variable:
		words = "variable " + words
	case constant:
		words = "constant " + words
	case entry:
		words = "map " + words
	case public:
		words = "public " + words
	default:
		words = "read-only " + words
	}
	return []string{" " + th.Muted.Render(text.TruncateWith(words+" returns "+p.target.returns.String(), max(1, p.width-2), th.Glyphs.Ellipsis)), ""}
}

// form draws the slots that fit into some lines, the one with the cursor among them.
func (p *callPage) form(room int) []string {
	under := p.under()
	rows := max(1, room-len(under)-1)
	if p.at < p.top {
		p.top = p.at
	}
	p.top = max(0, min(max(p.top, p.at-rows+1), len(p.slots)-rows))
	var out []string
	for i := p.top; i < min(len(p.slots), p.top+rows); i++ {
		out = append(out, p.row(i))
		if i == p.at && !p.onResult {
			out = append(out, under...)
		}
	}
	return append(out, "")
}

func (p *callPage) row(i int) string {
	th, s := p.theme, p.slots[i]
	focused := i == p.at && !p.onResult
	mark := "  "
	if focused {
		mark = th.Accent.Render(th.Glyphs.Cursor) + " "
	}
	indent := strings.Repeat("  ", min(s.depth, maxDepth))
	switch {
	case s.send:
		return mark + field.Button(th, buttons[p.target.kind]+p.withConditions(), focused, p.env.Keys.Form.Send)
	case s.adds && focused:
		return mark + indent + th.Cursor.Render("+ item")
	case s.adds:
		return mark + indent + th.Muted.Render("+ item")
	}
	style := th.Muted
	if focused {
		style = th.Strong
	}
	label := text.Pad(text.TruncateWith(s.in.label, labelWidth, th.Glyphs.Ellipsis), labelWidth)
	lead := mark + indent + style.Render(label) + " "
	return text.Clip(lead+p.value(s.in, focused, max(4, p.width-text.Width(lead)-1)), p.width)
}

// value draws what is filled in of one input.
func (p *callPage) value(in *input, focused bool, space int) string {
	th := p.theme
	if options := in.choices(); options != nil {
		word := in.text
		if in.failed {
			word = "err"
		} else if word == "" {
			word = options[0]
		}
		if word == "" {
			word = "not chosen"
		}
		if focused {
			return field.Choice(th, word)
		}
		return th.Text.Render(word)
	}
	kind := text.TruncateWith(in.of.String(), max(4, space/3), th.Glyphs.Ellipsis)
	if focused && p.ed != nil {
		return p.ed.View(th, max(4, space-text.Width(kind)-2), 1, true)[0] + "  " + th.Muted.Render(kind)
	}
	if in.text == "" {
		words := in.about()
		if words == "" {
			words = kind
		}
		return th.Muted.Render(text.TruncateWith(words, space, th.Glyphs.Ellipsis))
	}
	glyph := th.OK.Render(th.Glyphs.Check)
	if problem, _ := in.look(); problem != "" {
		glyph = th.Bad.Render(th.Glyphs.Cross)
	}
	return text.TruncateWith(in.text, space-3, th.Glyphs.Ellipsis) + "  " + glyph
}

// under returns hints about the input with the cursor.
func (p *callPage) under() []string {
	th, s := p.theme, p.slots[p.at]
	line := func(words string, bad bool) []string {
		style := th.Muted
		if bad {
			style, words = th.Bad, th.Glyphs.Cross+" "+words
		}
		return field.Under(style, words, labelWidth+3+2*min(s.depth, maxDepth), p.width)
	}
	if p.problem != "" {
		return line(p.problem, true)
	}
	if s.send || s.adds || p.onResult {
		return nil
	}
	switch problem, note := s.in.look(); {
	case problem != "":
		return line(problem, true)
	case note != "" && s.in.text != "":
		return line(note, false)
	}
	return line(s.in.about(), false)
}

// asking is what is waited for.
type asking interface {
	Busy() bool
	Since() time.Time
	Err() error
}

// waits says that an answer is waited for, or why there is none.
func (p *callPage) waits(v asking, now time.Time) []string {
	th := p.theme
	switch {
	case v.Busy() && !p.ahead:
		return []string{" " + placeholder.Spinner(th, now.Sub(v.Since())) + th.Muted.Render(" asked "+text.Duration(now.Sub(v.Since()))+" ago")}
	case v.Err() != nil:
		return []string{" " + th.Bad.Render(th.Glyphs.Cross+" "+text.TruncateWith(placeholder.Short(v.Err()), max(1, p.width-4), th.Glyphs.Ellipsis))}
	}
	return nil
}

// result draws the outcome, and earlier ones below it.
func (p *callPage) result(now time.Time) []string {
	th := p.theme
	if p.target.kind == public {
		return p.forecast(now)
	}
	out := p.waits(&p.answer, now)
	if p.last == nil {
		return out
	}
	title := " " + th.Strong.Render("Result") + th.Muted.Render("  "+text.Duration(p.last.took)+", no fee")
	if p.last.asked != "" {
		title += th.Muted.Render("  of " + text.TruncateWith(p.last.asked, max(8, p.width-40), th.Glyphs.Ellipsis))
	}
	out = append(out, text.Cut(title, p.width, th.Glyphs.Ellipsis))
	if p.last.cause != "" {
		for _, l := range text.Block(p.last.cause, max(8, p.width-6)) {
			out = append(out, "   "+th.Bad.Render(th.Glyphs.Cross+" "+l))
		}
	}
	out = append(out, p.last.lines...)
	if len(p.history) > 0 {
		out = append(out, "", " "+th.Strong.Render("Before"))
	}
	for _, a := range p.history {
		words := a.repr
		if a.cause != "" {
			words = a.cause
		}
		out = append(out, "   "+th.Muted.Render(text.TruncateWith(fmt.Sprintf("%.200s", a.asked), max(1, p.width/2), th.Glyphs.Ellipsis)+"  ")+text.TruncateWith(words, max(1, p.width/2-6), th.Glyphs.Ellipsis))
	}
	return out
}

// window draws the lines of the result that are in sight. The lines of the value are raw
// text until here: there may be very many.
func (p *callPage) window(result []string, room int) []string {
	first, last := p.valueLines(result)
	p.scroll = max(0, min(p.scroll, len(result)-room))
	var out []string
	for i := p.scroll; i < min(len(result), p.scroll+room); i++ {
		line := result[i]
		if i >= first && i < last {
			line = "   " + text.TruncateWith(line, max(1, p.width-4), p.theme.Glyphs.Ellipsis)
		}
		if i == p.scroll && p.onResult {
			line = p.theme.Accent.Render(p.theme.Glyphs.Cursor) + strings.TrimPrefix(line, " ")
		}
		out = append(out, text.Clip(line, p.width))
	}
	return out
}

// valueLines is where the lines of the value stand among those of the result.
func (p *callPage) valueLines(result []string) (first, last int) {
	if p.last == nil || len(p.last.lines) == 0 {
		return 0, 0
	}
	first = 1
	if len(p.waits(&p.answer, p.env.Now())) > 0 {
		first++
	}
	return first, min(len(result), first+len(p.last.lines))
}

// resultKey moves in the result.
func (p *callPage) resultKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	d, half := p.env.Keys.Detail, max(1, p.height/3)
	switch {
	case key.Matches(msg, d.Up) && p.scroll == 0, key.Matches(msg, p.env.Keys.Global.PrevPane):
		p.goTo(len(p.slots) - 1)
	case key.Matches(msg, d.Follow), key.Matches(msg, p.env.Keys.Global.NextPane):
		p.goTo(0)
	case key.Matches(msg, d.Up):
		p.scroll--
	case key.Matches(msg, d.Down):
		p.scroll++
	case key.Matches(msg, d.First):
		p.scroll = 0
	case key.Matches(msg, d.Last):
		p.scroll = 1 << 30
	case key.Matches(msg, d.HalfDown):
		p.scroll += half
	case key.Matches(msg, d.HalfUp):
		p.scroll = max(0, p.scroll-half)
	default:
		return nil, false
	}
	return nil, true
}

// Hint names the keys.
func (p *callPage) Hint() string {
	th, k := p.theme, p.env.Keys.Form
	if !p.Typing() && p.target.kind != public {
		return placeholder.Hint(th, p.env.Keys.Global.Refresh, "calls again")
	}
	parts := []string{placeholder.Hint(th, k.Send, strings.ToLower(buttons[p.target.kind]))}
	if p.target.kind == public {
		parts = append(parts, placeholder.Hint(th, k.Foresee, p.foreseeDoes()))
	}
	if len(p.inputs) > 0 {
		parts = append(parts, placeholder.Hint(th, k.Example, "sample"))
	}
	if s := p.slots[p.at]; !s.send && (s.in.grows() || s.within != nil && s.within.grows()) {
		parts = append(parts, placeholder.Hint(th, k.Add, "add"), placeholder.Hint(th, k.Remove, "remove"))
	}
	return strings.Join(append(parts, th.Key.Render("esc")+" "+th.Muted.Render("back")), "  ")
}
