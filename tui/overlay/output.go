package overlay

import (
	"time"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
)

// Output is the box that shows what a program printed.
type Output struct {
	NoMessages

	theme         *theme.Theme
	title, text   string   // untrusted
	lines         []string // the text for the width
	top           int
	width, height int
}

// NewOutput returns the box of a text.
func NewOutput(th *theme.Theme, title, text string) *Output {
	return &Output{theme: th, title: title, text: text}
}

// Key scrolls.
func (b *Output) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc", "q", "enter":
		return nil, true
	}
	b.top = text.Scrolled(b.top+linesBy(msg, b.room()), b.room(), len(b.lines))
	return nil, false
}

func (b *Output) room() int { return max(1, b.height-4) }

// SetTheme changes the colors.
func (b *Output) SetTheme(th *theme.Theme) { b.theme = th }

// SetSize sets the cells the box may have.
func (b *Output) SetSize(width, height int) {
	b.width, b.height = width, height
	b.lines = text.Block(b.text, max(1, width-8))
}

// View draws the text.
func (b *Output) View(time.Time) []string {
	if b.width < 16 || b.height < 5 {
		return nil
	}
	lines := b.lines
	if b.text == "" {
		lines = []string{b.theme.Muted.Render("It printed nothing.")}
	}
	top := text.Scrolled(b.top, b.room(), len(lines))
	shown := lines[top:min(len(lines), top+b.room())]
	return box.Draw(b.theme, b.title, "j k scroll  esc close", shown, b.width-4, min(b.height-2, len(shown)+2))
}
