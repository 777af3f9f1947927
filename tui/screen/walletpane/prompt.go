package walletpane

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/edit"

	tea "github.com/charmbracelet/bubbletea"
)

// prompt requests one line. A secret one shows that something is typed, not
// what and not how much.
type prompt struct {
	screen       *Screen
	title, about string
	secret       bool
	input        *edit.Editor
	submit       submission
	busy         bool
	problem      string
}

// submission returns what takes a text, which may wait, and what follows once it was taken.
type submission func(text string) (take func() error, then func() tea.Cmd)

// takenMsg says how the text of a prompt was taken.
type takenMsg struct {
	by   *prompt
	err  error
	then func() tea.Cmd
}

func newPrompt(s *Screen, title, about string, secret bool, submit submission) *prompt {
	p := &prompt{screen: s, title: title, about: about, secret: secret, input: edit.New(false), submit: submit}
	if !secret {
		p.input.SetValue(s.typed[title])
	}
	return p
}

// settle ends the prompt once what was typed was taken; refused, it stays open with what was
// typed. A prompt that was closed meanwhile leaves what is open now as it is.
func (s *Screen) settle(msg takenMsg) tea.Cmd {
	p, open := msg.by, s.modal == modal(msg.by)
	p.busy = false
	switch {
	case msg.err != nil && open:
		p.problem = msg.err.Error()
		return nil
	case msg.err != nil:
		return notice(msg.err)
	case open:
		s.modal = nil
	}
	delete(s.typed, p.title)
	return msg.then()
}

// save remembers what is typed until the prompt is opened again; a secret is never kept.
func (p *prompt) save() {
	if !p.secret {
		p.screen.typed[p.title] = p.input.Value()
	}
}

// Key handles a key. The prompt stays until the answer is there.
func (p *prompt) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc":
		p.save()
		p.input.SetValue("")
		return nil, true
	case "enter":
		typed := p.input.Value()
		p.save()
		if typed == "" || p.busy {
			return nil, false
		}
		p.busy, p.problem = true, ""
		if p.secret {
			p.input.SetValue("")
		} else {
			typed = strings.TrimSpace(typed)
		}
		take, then := p.submit(typed)
		return func() tea.Msg { return takenMsg{p, take(), then} }, false
	}
	if !p.busy {
		p.input.Key(msg)
		p.problem = ""
	}
	return nil, false
}

// View draws the box.
func (p *prompt) View(width, _ int) []string {
	th := p.screen.theme
	w := min(width-4, 72)
	line := p.input.View(th, max(1, w-6), 1, true)[0]
	if p.secret {
		line = th.Cursor.Render(" ")
		if !p.input.Empty() {
			line = th.Input.Render("(something is typed)") + line
		}
	}
	style, says := th.Muted, p.about
	switch {
	case p.busy:
		style, says = th.Warn, "opening"+th.Glyphs.Ellipsis
	case p.problem != "":
		style, says = th.Bad, p.problem
	}
	lines := []string{th.Key.Render("> ") + line}
	for _, l := range text.Block(says, max(1, w-4)) {
		lines = append(lines, style.Render(l))
	}
	return box.Draw(th, text.Truncate(p.title, w-6), "enter accept  esc close", lines, w, len(lines)+2)
}
