package contracts

import (
	"strconv"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/pager"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// sourcePage is the source of a contract.
type sourcePage struct {
	env   *screen.Env
	theme *theme.Theme
	view  *pager.Source
	of    *resource.Contract
	width int
	lines int
}

func newSourcePage(env *screen.Env, th *theme.Theme) *sourcePage {
	return &sourcePage{env: env, theme: th, view: pager.NewSource(th, env.Keys)}
}

// Fill shows the source, at the definition that the place names.
func (p *sourcePage) Fill(of *resource.Contract, at nav.Place, state any) tea.Cmd {
	p.of = of
	p.view.SetText(of.Source)
	place, back := state.(pager.Place)
	switch {
	case back:
		p.view.Restore(place)
	case at.Name != "" && !p.view.GoTo(at.Name):
		if _, err := strconv.Atoi(at.Name); err == nil {
			return screen.Notice("the source has no line " + at.Name)
		}
		return screen.Notice("the source does not define " + at.Name)
	}
	return nil
}

// State returns where the source is.
func (p *sourcePage) State() any { return p.view.Place() }

// SetSize says how many cells View fills.
func (p *sourcePage) SetSize(width, height int) {
	p.width, p.lines = width, height
	p.view.SetSize(width, height)
}

// SetTheme changes the colors.
func (p *sourcePage) SetTheme(th *theme.Theme) {
	p.theme = th
	p.view.SetTheme(th)
}

// Key handles a key: enter goes to where a name is defined.
func (p *sourcePage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if p.view.Typing() {
		return nil, p.view.Key(msg)
	}
	if query, _ := p.view.Searches(); msg.String() == "esc" && query != "" {
		p.view.Stop()
		return nil, true
	}
	if key.Matches(msg, p.env.Keys.Detail.Follow) {
		return p.follow(), true
	}
	return nil, p.view.Key(msg)
}

func (p *sourcePage) follow() tea.Cmd {
	name, ok := p.view.Name()
	switch {
	case !ok:
		return screen.Notice("this line names nothing that is defined here")
	case name.Line < 0:
		if at := contractAt(name.Text); at != (nav.Place{}) {
			return p.env.Visit(at)
		}
		return screen.Notice(name.Text + " is no contract")
	}
	to := nav.Source(p.of.ID)
	to.Name = name.Text
	return p.env.Visit(to)
}

// Typing reports whether keys go into the search line.
func (p *sourcePage) Typing() bool { return p.view.Typing() }

// View draws the source.
func (p *sourcePage) View(time.Time) []string {
	if p.of.Source == "" {
		return placeholder.Empty(p.theme, "The API does not report the source of this contract", nil, p.width, p.lines)
	}
	return p.view.View()
}

// Subject returns the source.
func (p *sourcePage) Subject() screen.Subject {
	return screen.Subject{Title: "source of " + p.of.ID, Copies: []screen.Copy{
		{Key: "l", Label: "this line", Text: p.view.Current()},
		{Key: "s", Label: "the source", Text: p.of.Source},
	}}
}

// Scopes returns those of a source.
func (p *sourcePage) Scopes() []string { return []string{"detail", "contracts"} }

// Hint names the keys.
func (p *sourcePage) Hint() string {
	k := p.env.Keys
	hint := placeholder.Hint(p.theme, k.Contracts.Search, "search")
	if _, ok := p.view.Name(); ok {
		hint = p.theme.Key.Render(keymap.First(k.Detail.Follow)) + " " + p.theme.Muted.Render("go to the definition") + "  " + hint
	}
	return hint
}
