package walletpane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/form"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// View draws the form; the stop with the cursor is in sight.
func (p *formPage) View(time.Time) []string {
	head := []string{p.title(p.width), ""}[:p.headLines()]
	body := p.fields.View
	if p.asJSON {
		body = p.jsonBody
	}
	return slices.Concat(head, body(p.screen.theme, p.width, p.room()), p.foot())
}

// headLines returns how many lines are above the fields, and room how many the fields have
// above the foot.
func (p *formPage) headLines() int {
	if p.height < 12 {
		return 1
	}
	return 2
}

func (p *formPage) room() int { return max(1, p.height-p.headLines()-len(p.foot())) }

// Click puts the cursor on the field, or on the button, in a line of what is drawn. In JSON
// there is only the button.
func (p *formPage) Click(_, y int) tea.Cmd {
	y -= p.headLines()
	if y < 0 || y >= p.room() {
		return nil
	}
	defer p.checkWithWallet()
	if p.asJSON {
		p.onButton = y == len(p.jsonBody(p.screen.theme, p.width, p.room()))-1
		return nil
	}
	cmd, _ := p.fields.Click(p.screen.theme, y, p.width, p.room())
	return cmd
}

func (p *formPage) title(width int) string {
	th := p.screen.theme
	left, about := " "+th.Strong.Render(p.Crumb()), ""
	if p.of.Method != "" {
		about = "  " + th.Muted.Render(p.of.Title)
	}
	if !p.request {
		return left + about
	}
	by := p.by()
	network := by.Network
	if !p.asJSON {
		network = networkOf(by, p.of.Method, p.draft)
	}
	right := th.Muted.Render(fmt.Sprintf("account %d on ", by.Account)) + p.screen.networkWord(network)
	if o := p.screen.inForce(p.options); o != "" {
		right = th.Warn.Render(o) + "  " + right
	}
	if text.Width(left+about+right)+2 <= width {
		left += about
	}
	return text.Spread(left, right+" ", width)
}

// foot returns what is wrong with the JSON, or what the wallet would say: a line at least,
// and four at most.
func (p *formPage) foot() []string {
	th := p.screen.theme
	style, says := th.Bad, th.Glyphs.Cross+" "+p.problem
	switch {
	case p.problem != "":
	case p.refusal != "":
		style, says = th.Warn, th.Glyphs.Warning+" "+p.refusal
	default:
		return []string{""}
	}
	lines := text.Block(says, max(1, p.width-2))
	lines = lines[:min(len(lines), 4)]
	for i, l := range lines {
		lines[i] = " " + style.Render(l)
	}
	return lines
}

func (p *formPage) jsonBody(th *theme.Theme, width, room int) []string {
	lines := p.ed.View(th, max(1, width-4), max(1, room-2), !p.onButton)
	out := make([]string, 0, room)
	for _, l := range lines {
		out = append(out, "   "+l)
	}
	return append(out, "", "   "+form.Button(th, p.fields.Button, p.onButton, p.screen.env.Keys))
}

// extra names the params that no field shows and that are sent all the same.
func (p *formPage) extra() string {
	names := make([]string, len(p.draft.Extra))
	for i, param := range p.draft.Extra {
		names[i] = text.Line(param.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return "sent too, as JSON only: " + strings.Join(names, ", ")
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
	if !p.asJSON {
		parts = append(parts, p.fields.Hint(th)...)
	}
	return strings.Join(append(parts, th.Key.Render("esc")+" "+th.Muted.Render("back")), "  ")
}
