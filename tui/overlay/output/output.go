// Package output is the box that shows what a program printed.
package output

import (
	"time"

	"chainscope/tui/overlay"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
)

// Box is the overlay.
type Box struct {
	overlay.NoMessages

	theme         *theme.Theme
	title, text   string   // untrusted
	lines         []string // the text for the width
	top           int
	width, height int
}

// New returns the box of a text.
func New(th *theme.Theme, title, text string) *Box { return &Box{theme: th, title: title, text: text} }

// Key scrolls.
func (b *Box) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc", "q", "enter":
		return nil, true
	case "down", "j":
		b.scroll(1)
	case "up", "k":
		b.scroll(-1)
	case "pgdown", "ctrl+d":
		b.scroll(b.room())
	case "pgup", "ctrl+u":
		b.scroll(-b.room())
	case "g", "home":
		b.top = 0
	case "G", "end":
		b.scroll(len(b.lines))
	}
	return nil, false
}

func (b *Box) scroll(by int) { b.top = max(0, min(b.top+by, len(b.lines)-b.room())) }
func (b *Box) room() int     { return max(1, b.height-4) }

// SetTheme changes the colors.
func (b *Box) SetTheme(th *theme.Theme) { b.theme = th }

// SetSize says how many cells the box may have.
func (b *Box) SetSize(width, height int) {
	b.width, b.height = width, height
	b.lines = text.Block(b.text, max(1, width-8))
}

// View draws the text.
func (b *Box) View(time.Time) []string {
	if b.width < 16 || b.height < 5 {
		return nil
	}
	lines := b.lines
	if b.text == "" {
		lines = []string{b.theme.Muted.Render("It printed nothing.")}
	}
	top := max(0, min(b.top, len(lines)-b.room()))
	shown := lines[top:min(len(lines), top+b.room())]
	return box.Draw(b.theme, b.title, "j k scroll  esc close", shown, b.width-4, min(b.height-2, len(shown)+2))
}
