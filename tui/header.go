package tui

import (
	"cmp"
	"fmt"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"
)

// header draws the two lines at the top: the tabs with the connection, and
// the current place.
type header struct {
	theme   *theme.Theme
	tabs    tabs
	current int
	width   int
	// badges holds texts for the network and the connection, widest first.
	badges []string
}

// tabStyle is a way to write the tabs.
type tabStyle int

const (
	brandAndTitles tabStyle = iota
	brandAndShort
	shortTitles
	tightTitles // digit and word together
	currentOnly // the word of the current tab
	numbersOnly
)

// tight are the words of tabs where all are to fit in 80 cells.
var tight = map[string]string{"Accounts": "Accts", "Contracts": "Contr"}

// tabLine draws the tabs and the badge. They shrink together, so that every tab
// and the badge fit: first the titles, then the badge, and last to numbers.
func (h header) tabLine() string {
	left, _, badge := h.fit()
	return text.Fill(left, h.width-text.Width(badge)-1) + badge + " "
}

// fit returns the tabs, the columns at which they start, and the badge.
func (h header) fit() (left string, starts []int, badge string) {
	for style := brandAndTitles; style <= numbersOnly; style++ {
		for _, badge = range h.badges {
			left, starts = h.row(style)
			if text.Width(left)+text.Width(badge)+1 <= h.width {
				return left, starts, badge
			}
			if style < shortTitles {
				break // short titles are better than a short badge
			}
		}
	}
	return left, starts, text.Clip(badge, max(0, h.width-text.Width(left)-1))
}

func (h header) row(style tabStyle) (row string, starts []int) {
	row = " "
	if style <= brandAndShort {
		row += h.theme.Accent.Render("chainscope") + "  "
	}
	current, _ := h.tabs.find(nav.Place{Kind: h.tabs[h.current].kind.Tab()})
	for i, t := range h.tabs {
		if t.short == "" {
			break
		}
		starts = append(starts, text.Width(row))
		label := fmt.Sprint(t.number())
		switch style {
		case brandAndTitles:
			label += " " + t.title
		case brandAndShort, shortTitles:
			label += " " + t.short
		case tightTitles:
			label += cmp.Or(tight[t.short], t.short)
		case currentOnly:
			if i == current {
				label += " " + t.title
			}
		}
		switch {
		case i == current:
			row += h.theme.Strong.Render("["+label+"]") + " "
		case style >= tightTitles:
			row += h.theme.Muted.Render(label) + " "
		default:
			row += h.theme.Muted.Render(" "+label+" ") + " "
		}
	}
	return row, starts
}

// tabAt returns the index of the tab at a column of the tab line.
func (h header) tabAt(x int) (int, bool) {
	row, starts, _ := h.fit()
	for i := len(starts) - 1; i >= 0; i-- {
		if x >= starts[i] && x < text.Width(row) {
			return i, true
		}
	}
	return 0, false
}

// atBadge reports whether a column is that of the badge.
func (h header) atBadge(x int) bool {
	_, _, badge := h.fit()
	return x >= h.width-text.Width(badge)-1
}

// crumbLine returns the current place and, on the right, what has arrived since.
func (h header) crumbLine(s screen.Status, keys *keymap.Map) string {
	th := h.theme
	left := " " + th.Muted.Render(h.tabs[h.current].title)
	if s.Crumb != "" {
		left += th.Muted.Render(" "+th.Glyphs.Separator+" ") + th.Strong.Render(text.Line(s.Crumb))
	}
	right := ""
	if s.NewRows > 0 {
		word, hint := "block", placeholder.Hint(th, keys.Blocks.ShowNew, "show")
		if s.NewWord != "" {
			word, hint = s.NewWord, placeholder.HintOf(th, keymap.First(keys.List.First), "shows")
		}
		right = th.Accent.Render(fmt.Sprintf("%s %s", th.Glyphs.New, text.Plural(s.NewRows, "new "+word))) + " " + hint + " "
	} else if s.Position != "" {
		right = th.Muted.Render(text.Line(s.Position)) + " "
		if text.Width(left)+text.Width(right) >= h.width {
			right = "" // the place matters more
		}
	}
	return text.Spread(left, right, h.width)
}

// longestNetwork limits how many cells the name of a network may have.
const longestNetwork = 24

// healthy is the scenario in which the mock behaves normally.
const healthy = "healthy"

// badges returns texts for the network, the connection and live tail, widest first.
func badges(th *theme.Theme, network string, server apiclient.About, mock bool, c connection, l *liveTail, s screen.Status, now time.Time) []string {
	style := th.Badge
	if mock || c.scenario != "" || c.fork != "" {
		style = th.Mock
	}
	label, room := networkWords(th, network, server, longestNetwork), longestNetwork-longestScenario-1
	if c.fork != "" {
		label = "FORK " + c.fork
	}
	if c.scenario != "" && c.scenario != healthy {
		if c.fork == "" {
			label = networkWords(th, network, server, room)
		}
		label += " " + c.scenario
	}
	badge := style.Render(" " + label + " ")
	again := l.waiting(s, now)
	live, short := th.OK.Render("live "+th.Glyphs.Play), th.OK.Render(th.Glyphs.Play)
	switch {
	case !l.on:
		live, short = th.Muted.Render("paused "+th.Glyphs.Pause), th.Muted.Render(th.Glyphs.Pause)
	case !again.IsZero():
		wait := placeholder.Countdown(again.Sub(now))
		live, short = th.Warn.Render("again in "+wait), th.Warn.Render(wait)
		if apiclient.KindOf(s.Err) == apiclient.RateLimited || again.Equal(l.held) {
			live = th.Warn.Render("limited, again in " + wait)
		}
	case c.offline: // nothing comes
		live, short = th.Bad.Render("OFFLINE"), ""
	}
	dot, latency := th.OK.Render(th.Glyphs.Dot), ""
	switch {
	case c.offline && short == "":
		dot = th.Bad.Render(th.Glyphs.Ring)
	case c.offline:
		dot, latency = th.Bad.Render(th.Glyphs.Ring), " "+th.Bad.Render("OFFLINE")
	case c.failing > 0:
		dot, latency = th.Bad.Render(th.Glyphs.Ring), " "+th.Bad.Render(fmt.Sprint(c.failing))
	case c.latency >= time.Millisecond:
		latency = " " + th.Muted.Render(text.Duration(c.latency.Round(time.Millisecond)))
	}
	return []string{badge + " " + dot + latency + "  " + live, badge + " " + dot + " " + live, badge + " " + dot + " " + short}
}
