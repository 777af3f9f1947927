package tui

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/placeholder"

	"chainscope/apiclient"
)

// View draws the frame: exactly as many lines as the window has, none wider.
func (m *Model) View() string {
	if m.quitting || m.width <= 0 || m.height <= 0 {
		return ""
	}
	now := m.options.Now()
	if m.tooSmall() {
		return m.smallView(now)
	}
	lines := make([]string, 0, m.height)
	body := m.here().View(now) // first: it may take in what has just come
	status := m.here().Status()
	lines = append(lines, m.tabLine(status), m.crumbLine(status))
	lines = append(lines, body...)
	lines = append(lines, m.statusLine(status), m.hintLine(status))
	for _, o := range m.overlays {
		b := o.View(m.width, m.height-headLines)
		if len(b) == 0 {
			continue
		}
		x, y := box.Centre(text.Width(b[0]), len(b), m.width, m.height)
		lines = box.Over(lines, b, x, max(1, y), m.width)
	}
	lines = m.overDialog(lines, now)
	for i := range lines {
		lines[i] = text.Clip(lines[i], m.width)
	}
	return strings.Join(lines[:min(len(lines), m.height)], "\n")
}

// overDialog lays the approval dialog over everything.
func (m *Model) overDialog(lines []string, now time.Time) []string {
	b := m.desk.dialog.View(now)
	if len(b) == 0 {
		return lines
	}
	x, _ := box.Centre(text.Width(b[0]), len(b), m.width, m.height)
	y := 1
	if len(b) >= m.height-1 {
		x, y = 0, 0
	}
	return box.Over(lines, b, x, y, m.width)
}

func (m *Model) smallView(now time.Time) string {
	lines := make([]string, m.height)
	if m.desk.dialog.Open() {
		return strings.Join(m.overDialog(lines, now), "\n")
	}
	for i, l := range text.Block(fmt.Sprintf("window too small: need %dx%d, have %dx%d", minWidth, minHeight, m.width, m.height), m.width) {
		if i < len(lines) {
			lines[i] = m.theme.Warn.Render(l)
		}
	}
	return strings.Join(lines, "\n")
}

// tabLine is the brand, the tabs, and at the right what one is connected to.
func (m *Model) tabLine(s screen.Status) string {
	right := m.connection(s)
	room := m.width - text.Width(right) - 1
	if left, _, ok := m.tabRow(room); ok {
		return text.Fill(left, room) + right + " "
	}
	return text.Fill(" "+m.tabTitle(m.current, m.tabs[m.current], true), max(0, room)) + right + " "
}

// tabRow draws the tabs into a room and tells where each begins: with the brand
// and long titles, else short ones, else without the brand; false when none
// fits.
func (m *Model) tabRow(room int) (row string, starts []int, ok bool) {
	for _, v := range []struct{ brand, short bool }{{true, false}, {true, true}, {false, true}} {
		row, starts = " ", nil
		if v.brand {
			row += m.theme.Accent.Render("chainscope") + "  "
		}
		for i, t := range m.tabs {
			starts = append(starts, text.Width(row))
			row += m.tabTitle(i, t, v.short) + " "
		}
		if text.Width(row) <= room {
			return row, starts, true
		}
	}
	return "", nil, false
}

func (m *Model) tabTitle(i int, t tab, short bool) string {
	title := t.title
	if short {
		title = t.short
	}
	label := fmt.Sprintf("%d %s", i+1, title)
	if i == m.current {
		return m.theme.Strong.Render("[" + label + "]")
	}
	return m.theme.Muted.Render(" " + label + " ")
}

// tabAt finds the tab at a column of the tab line.
func (m *Model) tabAt(x int) (int, bool) {
	right := m.connection(m.here().Status())
	row, starts, ok := m.tabRow(m.width - text.Width(right) - 1)
	if !ok {
		return 0, false
	}
	for i := len(starts) - 1; i >= 0; i-- {
		if x >= starts[i] && x < text.Width(row) {
			return i, true
		}
	}
	return 0, false
}

// connection is the badge of the network, the state of the connection and of
// live tail.
func (m *Model) connection(s screen.Status) string {
	th := m.theme
	g := th.Glyphs
	badge := th.Badge.Render(" " + text.Line(m.options.Network) + " ")
	if m.options.Mock != nil {
		badge = th.Mock.Render(" " + text.Line(m.options.Network) + " ")
	}
	state := th.OK.Render(g.Dot)
	switch apiclient.KindOf(s.Err) {
	case apiclient.Offline, apiclient.Timeout:
		state = th.Bad.Render(g.Ring + " OFFLINE")
	default:
		if e, ok := m.options.Client.Log().Get(s.ExchangeID); ok && e.Done {
			state += " " + th.Muted.Render(text.Duration(e.Duration))
		}
	}
	live := th.Muted.Render("paused " + g.Pause)
	switch {
	case m.live && m.livePaused():
		live = th.Warn.Render("live stopped: " + text.Plural(s.Failures, "failure"))
	case m.live:
		live = th.OK.Render("live " + g.Play)
	}
	return badge + " " + state + "  " + live
}

// crumbLine is where one is, and at the right what has come in the meantime.
func (m *Model) crumbLine(s screen.Status) string {
	th := m.theme
	t := m.tabs[m.current]
	left := " " + th.Muted.Render(t.title)
	if s.Crumb != "" {
		left += th.Muted.Render(" "+th.Glyphs.Separator+" ") + th.Strong.Render(text.Line(s.Crumb))
	}
	right := ""
	if s.NewRows > 0 {
		right = th.Accent.Render(fmt.Sprintf("%s %s", th.Glyphs.New, text.Plural(s.NewRows, "new block"))) + " " + placeholder.Hint(th, m.options.Keys.Blocks.ShowNew, "shows them") + " "
	} else if s.Position != "" {
		right = th.Muted.Render(text.Line(s.Position)) + " "
	}
	return spread(left, right, m.width)
}

// spread puts two texts to the ends of a line; the left one is cut.
func spread(left, right string, width int) string {
	r := text.Width(right)
	if r >= width {
		return text.Clip(left, width)
	}
	return text.Fill(left, width-r) + right
}

// statusLine is a notice, or the request behind what is shown and its age.
func (m *Model) statusLine(s screen.Status) string {
	th := m.theme
	if m.toasts.text != "" {
		style := th.OK
		if m.toasts.bad {
			style = th.Bad
		}
		wallet := m.walletStatus()
		return spread(" "+style.Render(text.Truncate(m.toasts.text, max(0, m.width-3-text.Width(wallet)))), wallet+" ", m.width)
	}
	now := m.options.Now()
	right := ""
	switch {
	case s.Busy && now.Sub(s.Since) >= 150*1e6:
		right = th.Accent.Render(placeholder.Spinner(th, now.Sub(s.Since))) + " " + th.Muted.Render("asking "+text.Duration(now.Sub(s.Since)))
	case s.Err != nil && !s.FetchedAt.IsZero():
		right = th.Warn.Render("stale " + text.AgeShort(now, s.FetchedAt))
	case !s.FetchedAt.IsZero():
		right = th.Muted.Render("fetched " + text.Age(now, s.FetchedAt))
	}
	right = join(right, m.walletStatus())
	left := ""
	if e, ok := m.options.Client.Log().Get(s.ExchangeID); ok {
		left = e.Method + " " + pathOf(e.URL)
		if e.Done && e.Status > 0 {
			left += fmt.Sprintf("  %d  %s  %s", e.Status, text.Duration(e.Duration), text.Bytes(e.ResponseSize))
		}
	}
	room := m.width - text.Width(right) - 3
	return spread(" "+th.Muted.Render(text.Middle(left, max(0, room))), right+" ", m.width)
}

// join puts a gap between what is there.
func join(left, right string) string {
	if left == "" || right == "" {
		return left + right
	}
	return left + "  " + right
}

func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
	}
	return url
}

// hintLine names the keys that matter here.
func (m *Model) hintLine(s screen.Status) string {
	th := m.theme
	if m.desk.dialog.Open() {
		return " " + th.Muted.Render(text.Truncate(m.desk.dialog.Hint(), m.width-2))
	}
	if n := len(m.overlays); n > 0 {
		return " " + th.Muted.Render(text.Truncate(m.overlays[n-1].Hint(), m.width-2))
	}
	k := m.options.Keys
	line := " "
	if s.Hint != "" {
		line += s.Hint + "  "
	}
	line += placeholder.Hint(th, k.Global.GoTo, "go to") + "  " + placeholder.Hint(th, k.Global.Copy, "copy") + "  " +
		placeholder.Hint(th, k.Global.RawJSON, "JSON") + "  " + placeholder.Hint(th, k.Global.Inspector, "requests") + "  "
	return spread(line, placeholder.Hint(th, k.Global.Help, "help")+" ", m.width)
}

// tabPlace is the begin of a tab.
func tabPlace(k nav.Kind) nav.Place { return nav.Place{Kind: k} }
