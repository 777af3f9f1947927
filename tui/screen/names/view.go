package names

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen/browser"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"
)

// Heading names the namespace, and how much of it is shown.
func (s *Screen) Heading(time.Time) string {
	th := s.Theme
	out := " " + th.Strong.Render("."+text.Truncate(s.place.Namespace, max(8, s.Width/3)))
	c, has := s.names.Get()
	switch {
	case has && c.page > 0:
		out += "  " + th.Muted.Render("page ") + th.Number.Render(text.Count(c.page)) + "  " + th.Muted.Render(text.Plural(c.list.Len(), "name"))
	case has && c.whole && c.list.Len() == 1:
		out += "  " + th.Number.Render("1") + th.Muted.Render(" name")
	case has && c.whole:
		out += "  " + th.Number.Render(text.Count(c.list.Len())) + th.Muted.Render(" names, all of them")
	case has:
		out += "  " + th.Number.Render(text.Count(c.list.Len())) + th.Muted.Render(" names so far")
	}
	if s.place.Unanchored {
		out += "  " + th.Warn.Render("with unanchored")
	}
	return out
}

// Notice names the keys of the place, or what the one for all names costs.
func (s *Screen) Notice(time.Time) string {
	k, th := s.env.Keys, s.Theme
	mode := "single pages"
	if s.place.Page > 0 {
		mode = "all names"
	}
	return " " + strings.Join([]string{
		placeholder.Hint(th, k.Names.All, mode), placeholder.Hint(th, k.Names.Unanchored, "unanchored"), placeholder.Hint(th, k.Names.Namespace, "another namespace"),
	}, "   ")
}

// foundWords say how many names hold what is searched for, and where in them.
func foundWords(h *find.Hits) string {
	var parts []string
	for rank, words := range [...]string{find.Prefix: "at the start", find.WordStart: "at a word", find.Inside: "inside"} {
		if n := h.Count[rank]; n > 0 {
			parts = append(parts, text.Count(n)+" "+words)
		}
	}
	out := text.Count(h.Len()) + " found"
	if len(parts) > 0 {
		out += ": " + strings.Join(parts, ", ")
	}
	return out
}

// Failed returns the value whose failure is shown above older names; a reading that
// ended midway says so itself.
func (s *Screen) Failed() browser.Remote {
	if c, ok := s.names.Get(); !ok || !c.whole {
		return nil
	}
	return &s.names
}

// Chart returns how the reading goes or ended, or what it would cost.
func (s *Screen) Chart(_ int, now time.Time) string {
	th, k := s.Theme, s.env.Keys
	c, has := s.names.Get()
	switch {
	case s.prompted:
		return " " + th.Warn.Render(text.Line(s.costWords())) + "  " + placeholder.Hint(th, k.Names.All, "again reads them")
	case has && s.names.Busy() && s.place.Page == 0:
		return " " + s.progressLine(now)
	case has && s.names.State() == remote.Failed && !c.whole:
		line := " " + th.Bad.Render("Stopped after "+text.Plural(c.list.Len(), "name")) + "  " + placeholder.Short(s.names.Err())
		if wait := s.Retrying(&s.names).Sub(now); wait > 0 {
			return line + "  " + placeholder.Again(th, s.env.Keys, wait)
		}
		return line + "  " + placeholder.Hint(th, k.Global.Refresh, "reads again")
	case has && s.stopped && !c.whole:
		return " " + th.Warn.Render("Stopped after "+text.Plural(c.list.Len(), "name")) + "  " + placeholder.Hint(th, k.Global.Refresh, "reads all again")
	case s.opt.Registry != nil:
		return " " + th.Muted.Render(s.opt.Registry())
	}
	return ""
}

// reading returns the progress, with what is known of the number of pages.
func (s *Screen) reading() progress {
	p := s.progress
	p.bracket, _ = s.weight.Get()
	return p
}

// progressLine returns how many names are read of how many, and how long it takes.
func (s *Screen) progressLine(now time.Time) string {
	th, p := s.Theme, s.reading()
	line := th.Accent.Render(placeholder.Spinner(th, now.Sub(p.began))) + " " + th.Muted.Render("reading ") + th.Number.Render(text.Count(p.names))
	if share, ok := p.share(); ok {
		line += th.Muted.Render(" of about "+text.Count(rounded(p.total()))) + "  " +
			th.Chart.Render(chart.Bar(share, 16, th.Glyphs.Chart)) + " " + text.Percent(min(share, 0.99))
	} else if p.pages > 0 {
		line += th.Muted.Render(fmt.Sprintf("  %s", text.Plural(p.pages, "page")))
	}
	if wait := p.until.Sub(now); wait > 0 {
		line += "  " + placeholder.Again(th, s.env.Keys, wait)
	} else if left, ok := p.left(now); ok {
		line += th.Muted.Render("  " + placeholder.Countdown(left) + " left")
	}
	return line + "  " + placeholder.HintOf(th, "esc", "stops")
}

// rounded drops digits that an estimate does not have.
func rounded(n int) int {
	unit := 1
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// Instead draws the state of a place without names.
func (s *Screen) Instead(now time.Time, width, height int) []string {
	c, has := s.names.Get()
	if has && (c.list.Len() > 0 || s.search.shown().query != "") {
		return nil
	}
	th, k := s.Theme, s.env.Keys
	what := "the names of ." + text.Truncate(s.place.Namespace, 40)
	if s.place.Page > 0 {
		what = fmt.Sprintf("page %s of .%s", text.Count(s.place.Page), text.Truncate(s.place.Namespace, 40))
	}
	if wait := s.progress.until.Sub(now); wait > 0 && s.names.Busy() && s.place.Page == 0 {
		return placeholder.Empty(th, "Too many requests", []string{
			th.Muted.Render("The server asks to wait before it gives " + what + "."), "", placeholder.Again(th, s.env.Keys, wait),
		}, width, height)
	}
	if s.names.Busy() || s.names.State() == remote.Failed || !has {
		return s.Waiting(&s.names, what, now, width, height)
	}
	if c.past {
		return placeholder.Empty(th, "No names on page "+text.Count(c.page), []string{
			th.Muted.Render("The names of ." + text.Truncate(c.namespace, 32) + " end before this page."), "",
			placeholder.Hint(th, k.List.PrevPage, "the page before") + "   " + placeholder.Hint(th, k.Names.All, "all names"),
		}, width, height)
	}
	return placeholder.Empty(th, "No names in ."+c.namespace, []string{
		th.Muted.Render("The namespace is there, but no name is registered in it yet."), "",
		placeholder.Hint(th, k.Names.Unanchored, "with names that are only in microblocks") + "   " + placeholder.Hint(th, k.Names.Namespace, "another namespace"),
	}, width, height)
}

// NoRows is drawn where nothing was found.
func (s *Screen) NoRows(_ time.Time, width, height int) []string {
	th := s.Theme
	c, ok := s.names.Get()
	if !ok || s.search.shown().query == "" {
		return nil
	}
	title, why := "No name contains “"+s.Query()+"”", "All "+text.Plural(c.list.Len(), "name")+" searched."
	if c.page > 0 || !c.whole { // others were not looked at
		title = "No match in the " + text.Plural(c.list.Len(), "name") + " loaded"
	}
	switch {
	case c.page > 0:
		why = "Only this page was searched."
	case !c.whole && s.reading().total() > 0:
		why = text.Count(c.list.Len()) + " of about " + text.Plural(rounded(s.reading().total()), "name") + " searched so far."
	case !c.whole:
		why = text.Plural(c.list.Len(), "name") + " searched so far."
	}
	lines := []string{th.Muted.Render(why), "", placeholder.HintOf(th, "esc", "all names again")}
	if c.page > 0 {
		lines[2] += "   " + placeholder.Hint(th, s.env.Keys.Names.All, "read all names")
	}
	return placeholder.Empty(th, title, lines, width, height)
}
