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

// setSize sets how many cells the boxes may have.
func (s *overlays) setSize(width, height int) {
	s.width, s.height = width, height
	for _, o := range s.stack {
		o.SetSize(width, height)
	}
}

// over lays the boxes over the lines of a frame.
func (s *overlays) over(lines []string, now time.Time, width, height int) []string {
	for _, o := range s.stack {
		if b, x, y := locate(o, now, width, height); len(b) > 0 {
			lines = box.Over(lines, b, x, y, width)
		}
	}
	return lines
}

// locate draws a box and returns the cell of its upper left corner.
func locate(o overlay.Overlay, now time.Time, width, height int) (b []string, x, y int) {
	if b = o.View(now); len(b) == 0 {
		return nil, 0, 0
	}
	x, y = box.Centre(text.Width(b[0]), len(b), width, height)
	if fixed, ok := o.(overlay.Anchored); ok {
		y = fixed.Top(height)
	}
	return b, x, max(1, y)
}

// click hands a click to the box on top, if it takes one there: its frame takes none.
func (s *overlays) click(x, y int, now time.Time, width, height int) tea.Cmd {
	top := len(s.stack) - 1
	o, ok := s.stack[top].(overlay.Clicker)
	b, left, above := locate(s.stack[top], now, width, height)
	if !ok || !box.Inside(b, x-left, y-above) {
		return nil
	}
	cmd, done := o.Click(x-left, y-above)
	if done {
		s.stack = s.stack[:top]
	}
	return cmd
}
