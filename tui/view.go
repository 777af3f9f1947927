package tui

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/text"
)

// View draws the frame: exactly as many lines as the window has, none wider.
func (m *Model) View() string {
	if m.quitting || m.width <= 0 || m.height <= 0 {
		return ""
	}
	now := m.options.Now()
	if m.tooSmall() {
		return strings.Join(m.smallView(now), "\n")
	}
	lines := m.frame(now)
	lines = m.overlays.over(lines, now, m.width, m.height)
	lines = m.prompt.over(lines, now, m.window)
	for i := range lines {
		lines[i] = text.Clip(lines[i], m.width)
	}
	return m.theme.Glyphs.Spell(strings.Join(lines[:min(len(lines), m.height)], "\n"))
}

// frame draws the screen between header and footer.
func (m *Model) frame(now time.Time) []string {
	s := m.currentScreen()
	body, status, top := s.View(now), s.Status(), m.header()
	lines := append(make([]string, 0, m.height), top.tabLine(), top.crumbLine(status, m.options.Keys))
	lines = append(lines, body...)
	bottom := m.footer()
	// A dialog waits for the user, and a box names its keys in its own edge.
	hints := ""
	status.Busy = status.Busy && !m.prompt.dialog.Open()
	if !m.prompt.dialog.Open() && !m.overlays.open() {
		hints = bottom.hintLine(status, s.Subject(), s.Typing(), m.options.Keys)
	}
	if long := bottom.longNotice(); long != nil {
		return append(lines, long...)
	}
	return append(lines, bottom.statusLine(status, m.options.Client.Log(), now), hints)
}

// footer returns the two lines at the bottom.
func (m *Model) footer() footer {
	f := footer{theme: m.theme, width: m.width, notice: m.notice, wallet: m.prompt.status(m.theme), server: serverWords(m.theme, m.options.Client), low: m.options.Client.Gate().Budget().Low(), keys: m.options.Keys, offline: m.connection.offline}
	f.since = m.env.Tip.Since(m.currentScreen().Status().FetchedAt)
	if m.marked != nil && m.marked.kind == m.tabs[m.current].kind {
		f.marked = m.marked.side.Title
	}
	return f
}

// header returns the two lines at the top.
func (m *Model) header() header {
	return header{
		theme: m.theme, tabs: m.tabs, current: m.current, width: m.width,
		badges: badges(m.theme, m.options.Network, m.options.Client.About(), m.options.Mock != nil, m.connection, &m.live, m.currentScreen().Status(), m.options.Now()),
	}
}

// smallView fills a window in which nothing can be read.
func (m *Model) smallView(now time.Time) []string {
	lines := make([]string, m.height)
	if m.prompt.dialog.Open() {
		return m.prompt.over(lines, now, m.window)
	}
	words := fmt.Sprintf("window too small: need %dx%d, have %dx%d", minWidth, minHeight, m.width, m.height)
	for i, l := range text.Block(words, m.width) {
		if i < len(lines) {
			lines[i] = m.theme.Warn.Render(l)
		}
	}
	return lines
}
