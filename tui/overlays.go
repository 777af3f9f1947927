package tui

import (
	"time"

	"chainscope/tui/overlay"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
)

// overlays are the boxes over the screen. The last one is on top and has the
// keys.
type overlays struct {
	stack         []overlay.Overlay
	width, height int
}

func (s *overlays) open() bool { return len(s.stack) > 0 }

func (s *overlays) push(o overlay.Overlay) {
	o.SetSize(s.width, s.height)
	s.stack = append(s.stack, o)
}

// key hands a key to the box on top and removes the box when it is done.
func (s *overlays) key(msg tea.KeyMsg) tea.Cmd {
	top := len(s.stack) - 1
	cmd, done := s.stack[top].Key(msg)
	if done {
		s.stack = s.stack[:top]
	}
	return cmd
}

// broadcast hands a message to every box.
func (s *overlays) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range s.stack {
		cmds = append(cmds, o.Update(msg))
	}
	return tea.Batch(cmds...)
}

func (s *overlays) setTheme(th *theme.Theme) {
	for _, o := range s.stack {
		o.SetTheme(th)
	}
}

// setSize says how many cells the boxes may have.
func (s *overlays) setSize(width, height int) {
	s.width, s.height = width, height
	for _, o := range s.stack {
		o.SetSize(width, height)
	}
}

// over lays the boxes over the lines of a frame.
func (s *overlays) over(lines []string, now time.Time, width, height int) []string {
	for _, o := range s.stack {
		b := o.View(now)
		if len(b) == 0 {
			continue
		}
		x, y := box.Centre(text.Width(b[0]), len(b), width, height)
		if fixed, ok := o.(overlay.Anchored); ok {
			y = fixed.Top(height)
		}
		lines = box.Over(lines, b, x, max(1, y), width)
	}
	return lines
}
