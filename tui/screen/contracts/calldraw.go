package contracts

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// labelWidth is the column of the names of inputs.
const labelWidth = 18

// buttons hold what the button says.
var buttons = map[targetKind]string{readOnly: "Call", public: "Make a request of the wallet", variable: "Read", constant: "Read", entry: "Read"}

// View draws the form and, below it, the result.
func (p *callPage) View(now time.Time) []string {
	if p.wrong != nil {
		return placeholder.Empty(p.theme, text.Truncate(p.wrong.Error(), max(1, p.width-4)), nil, p.width, p.height)
	}
	out := p.head()
	result := p.result(now)
	out = append(out, p.fields.View(p.theme, p.width, p.room(len(result)))...)
	return append(append(out, ""), p.window(result, max(0, p.height-len(out)-1))...)
}

// headLines is the number of lines that are above the form.
const headLines = 2

// room returns how many lines the form has above a result of some lines.
func (p *callPage) room(result int) int {
	room := max(1, p.height-headLines-1)
	return min(p.fields.Height(p.theme, p.width, room), max(room/2, room-result))
}

// click puts the cursor on the stop in a line of what is drawn.
func (p *callPage) click(y int) tea.Cmd {
	room := p.room(len(p.result(p.env.Now())))
	if y -= headLines; p.wrong != nil || y < 0 || y >= room {
		return nil
	}
	cmd, _ := p.fields.Click(p.theme, y, p.width, room)
	p.forget()
	return cmd
}

// words returns those of the button.
func (p *callPage) words() string { return buttons[p.target.kind] + p.withConditions() }

// head returns what is called, with its types.
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

// loading holds what is loading.
type loading interface {
	Busy() bool
	Since() time.Time
	Err() error
}

// waits says that an answer is waited for, or why there is none.
func (p *callPage) waits(v loading, now time.Time) []string {
	th := p.theme
	switch {
	case v.Busy() && !p.ahead:
		return []string{" " + placeholder.Spinner(th, now.Sub(v.Since())) + th.Muted.Render(" requested "+text.Duration(now.Sub(v.Since()))+" ago")}
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
	title := " " + th.Strong.Render("Result") + th.Muted.Render("  "+text.Duration(p.last.duration)+", no fee")
	if p.last.arguments != "" {
		title += th.Muted.Render("  of " + text.TruncateWith(p.last.arguments, max(8, p.width-40), th.Glyphs.Ellipsis))
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
		out = append(out, "   "+th.Muted.Render(text.TruncateWith(fmt.Sprintf("%.200s", a.arguments), max(1, p.width/2), th.Glyphs.Ellipsis)+"  ")+text.TruncateWith(words, max(1, p.width/2-6), th.Glyphs.Ellipsis))
	}
	return out
}

// window draws the lines of the result that are in sight. The lines of the value are raw
// text until here: there may be very many.
func (p *callPage) window(result []string, room int) []string {
	first, last := p.valueLines(result)
	top := text.Scrolled(p.scroll, room, len(result))
	var out []string
	for i := top; i < min(len(result), top+room); i++ {
		line := result[i]
		if i >= first && i < last {
			line = "   " + text.TruncateWith(line, max(1, p.width-4), p.theme.Glyphs.Ellipsis)
		}
		if i == top && p.fields.Away {
			line = p.theme.Accent.Render(p.theme.Glyphs.Cursor) + strings.TrimPrefix(line, " ")
		}
		out = append(out, text.Clip(line, p.width))
	}
	return out
}

// valueLines returns where the lines of the value are among those of the result.
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
	d, half, lines := p.env.Keys.Detail, max(1, p.height/3), len(p.result(p.env.Now()))
	room := p.height - headLines - p.room(lines) - 1
	switch p.scroll = text.Scrolled(p.scroll, room, lines); {
	case key.Matches(msg, d.Up) && p.scroll == 0, key.Matches(msg, p.env.Keys.Global.PrevPane):
		p.fields.Last()
	case key.Matches(msg, d.Follow), key.Matches(msg, p.env.Keys.Global.NextPane):
		p.fields.First()
	case key.Matches(msg, d.Up):
		p.scroll--
	case key.Matches(msg, d.Down):
		p.scroll++
	case key.Matches(msg, d.First):
		p.scroll = 0
	case key.Matches(msg, d.Last):
		p.scroll = lines
	case key.Matches(msg, d.HalfDown):
		p.scroll += half
	case key.Matches(msg, d.HalfUp):
		p.scroll -= half
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
		parts = append(parts, placeholder.Hint(th, k.Foresee, p.forecastLabel()))
	}
	if len(p.inputs) > 0 {
		parts = append(parts, placeholder.Hint(th, k.Example, "sample"))
	}
	parts = append(parts, p.fields.Hint(th)...)
	return strings.Join(append(parts, th.Key.Render("esc")+" "+th.Muted.Render("back")), "  ")
}
