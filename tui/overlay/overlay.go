// Package overlay says what a box over the screen is to the frame around it.
//
// An overlay is a plain struct, as a screen is. The root model keeps a stack of
// them: the one on top gets every key, all of them get messages. To add one:
// implement Overlay, here or, if it is large, in a package of its own below this one, do
// I/O only in commands, and open it from an action of the root model. A box that lets
// choose from a list is a Menu.
//
// It must not import the root model or any screen; the packages below it must
// not import each other.
package overlay

import (
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Overlay is a box over the screen.
type Overlay interface {
	// Key handles a key; done closes the overlay.
	Key(msg tea.KeyMsg) (cmd tea.Cmd, done bool)
	// Update takes every message that is not the root's own; an overlay drops
	// those that it did not request.
	Update(msg tea.Msg) tea.Cmd
	// SetSize sets the cells a box may have. It is called before the first
	// View and whenever the window changes.
	SetSize(width, height int)
	SetTheme(th *theme.Theme)
	// View draws the box; no line when there is no room. It changes nothing.
	View(now time.Time) []string
}

// Anchored is an overlay whose upper edge stays at one line of the frame,
// however high it becomes. Others are centered.
type Anchored interface {
	// Top returns the line of the upper edge in a frame of that height.
	Top(height int) int
}

// Clicker is an overlay that takes clicks of the mouse, at a cell of its box.
type Clicker interface {
	Click(x, y int) (cmd tea.Cmd, done bool)
}

// NoMessages is embedded by overlays that request nothing.
type NoMessages struct{}

// Update drops every message.
func (NoMessages) Update(tea.Msg) tea.Cmd { return nil }

// farthest is more lines than any box has.
const farthest = 1 << 30

// linesBy returns by how many lines a key moves in a box with pages of page lines, 0 for a key
// that does not move.
func linesBy(msg tea.KeyMsg, page int) int {
	switch msg.String() {
	case "down", "j":
		return 1
	case "up", "k":
		return -1
	case "pgdown", "ctrl+d":
		return page
	case "pgup", "ctrl+u":
		return -page
	case "g", "home":
		return -farthest
	case "G", "end":
		return farthest
	}
	return 0
}

// Fail returns the command that shows what went wrong in the status line.
func Fail(text string) tea.Cmd {
	return func() tea.Msg { return screen.NoticeMsg{Text: text, Bad: true} }
}
