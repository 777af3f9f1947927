package names

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/textinput"
)

// head is the lines above the list.
const head = 3

// layout shares the room among list and detail.
func (s *Screen) layout() {
	s.arranged = s.split.Arrange(s.width, s.height-head, s.inDetail, false)
	s.list.SetSize(s.arranged.List.Width, s.arranged.List.Height)
	s.detail.SetSize(s.arranged.Detail.Width, s.arranged.Detail.Height)
	s.list.SetFocus(!s.inDetail)
	s.detail.SetFocus(s.inDetail)
}

// fit makes lines of exactly the screen's size.
func (s *Screen) fit(lines []string) []string {
	out := make([]string, max(0, s.height))
	for i := range min(len(lines), len(out)) {
		out[i] = text.Clip(lines[i], s.width)
	}
	return out
}

// View draws the screen.
func (s *Screen) View(now time.Time) []string {
	s.awaitHits()
	if s.asking() {
		return s.chooserView()
	}
	c, there := s.names.Get()
	if !there || s.list.Len() == 0 && s.search.answered == "" {
		return s.fit(append(s.header(now), s.nothing(c, now)...))
	}
	out := s.header(now)
	switch {
	case s.list.Len() == 0:
		out = append(out, placeholder.Empty(s.theme, "No name holds “"+s.search.query+"”", s.noHits(c), s.width, s.height-head)...)
	default:
		out = append(out, s.arranged.Draw(s.theme, s.list.View(), s.detail.View(), nil)...)
	}
	return s.fit(out)
}

// header draws the title, the search, and what is wrong or under way.
func (s *Screen) header(now time.Time) []string {
	return []string{s.title(), s.searchLine(), s.notice(now)}
}

func (s *Screen) title() string {
	th := s.theme
	out := " " + th.Strong.Render("."+text.Truncate(s.place.Namespace, max(8, s.width/3)))
	c, there := s.names.Get()
	switch {
	case there && c.page > 0:
		out += "  " + th.Muted.Render("page ") + th.Number.Render(text.Count(c.page)) + "  " + th.Muted.Render(text.Plural(c.list.Len(), "name"))
	case there && c.whole:
		out += "  " + th.Number.Render(text.Count(c.list.Len())) + th.Muted.Render(" names, all of them")
	case there:
		out += "  " + th.Number.Render(text.Count(c.list.Len())) + th.Muted.Render(" names so far")
	}
	if s.place.Unanchored {
		out += "  " + th.Warn.Render("with unanchored")
	}
	return out
}

func (s *Screen) searchLine() string {
	th := s.theme
	if s.search.query == "" && !s.typing {
		k := s.env.Keys
		mode := "single pages"
		if s.place.Page > 0 {
			mode = "all names"
		}
		return " " + strings.Join([]string{
			placeholder.Hint(th, k.List.Filter, "search"), placeholder.Hint(th, k.Names.All, mode),
			placeholder.Hint(th, k.Names.Unanchored, "unanchored"), placeholder.Hint(th, k.Names.Namespace, "another namespace"),
		}, "   ")
	}
	line := " " + th.Key.Render("/ ")
	if s.typing {
		line += typedLine(th, s.input, max(8, s.width/3), true)
	} else {
		line += th.Match.Render(text.Line(s.search.query))
	}
	if s.search.answered == "" || s.search.answered != s.search.query {
		return line
	}
	h := &s.search.hits
	line += "   " + th.Number.Render(text.Count(h.Len())) + th.Muted.Render(" found")
	var parts []string
	for rank, words := range [...]string{find.Prefix: "at the begin", find.WordStart: "at a word", find.Inside: "inside"} {
		if n := h.Count[rank]; n > 0 {
			parts = append(parts, text.Count(n)+" "+words)
		}
	}
	if len(parts) > 0 {
		line += th.Muted.Render(": " + strings.Join(parts, ", "))
	}
	return line
}

// notice says how the reading goes, or what went wrong.
func (s *Screen) notice(now time.Time) string {
	th := s.theme
	c, there := s.names.Get()
	k := s.env.Keys.Global
	switch {
	case !there:
		return ""
	case s.names.Busy() && s.place.Page == 0:
		return " " + s.progressLine(now)
	case s.names.State() == remote.Failed && !c.whole:
		line := " " + th.Bad.Render("Stopped after "+text.Plural(c.list.Len(), "name")) + "  " + text.Line(placeholder.Short(s.names.Err()))
		if wait := s.retryAt().Sub(now); wait > 0 {
			return line + "  " + th.Warn.Render("again in "+seconds(wait))
		}
		return line + "  " + placeholder.Hint(th, k.Refresh, "reads again")
	case s.names.State() == remote.Failed:
		return " " + placeholder.Banner(th, s.paneKeys(), s.names.Err(), s.names.FetchedAt(), placeholder.Retry{At: s.retryAt()}, now, s.width-1)
	case s.stopped && !c.whole:
		return " " + th.Warn.Render("Stopped after "+text.Plural(c.list.Len(), "name")) + "  " + placeholder.Hint(th, k.Refresh, "reads all again")
	}
	return ""
}

// progressLine says how many names are read of how many, and how long it takes.
func (s *Screen) progressLine(now time.Time) string {
	th, p := s.theme, s.progress
	line := th.Accent.Render(placeholder.Spinner(th, now.Sub(p.began))) + " " + th.Muted.Render("reading ") + th.Number.Render(text.Count(p.names))
	if share, ok := p.share(); ok {
		line += th.Muted.Render(" of about "+text.Count(rounded(p.total()))) + "  " +
			th.Chart.Render(chart.Bar(share, 16, th.Glyphs.Chart)) + " " + text.Percent(min(share, 0.99))
	} else if p.pages > 0 {
		line += th.Muted.Render(fmt.Sprintf("  %s", text.Plural(p.pages, "page")))
	}
	if left, ok := p.left(now); ok {
		line += th.Muted.Render("  " + seconds(left) + " left")
	}
	return line + "  " + hint(th, "esc", "stops")
}

// seconds writes how long something still takes: parts of a second say nothing.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%ds", max(1, int(d.Round(time.Second)/time.Second)))
	}
	return text.Duration(d.Round(time.Second))
}

// rounded drops digits that an estimate does not have.
func rounded(n int) int {
	unit := 1
	for n/unit >= 1000 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// nothing draws the state of a place without names.
func (s *Screen) nothing(c *collection, now time.Time) []string {
	th, width, height := s.theme, s.width, max(0, s.height-head)
	k := s.env.Keys
	what := "the names of ." + s.place.Namespace
	if s.place.Page > 0 {
		what = fmt.Sprintf("page %s of .%s", text.Count(s.place.Page), s.place.Namespace)
	}
	switch {
	case s.names.Busy():
		return placeholder.Loading(th, s.paneKeys(), text.Truncate(what, 48), now.Sub(s.names.Since()), "", width, height)
	case s.names.State() == remote.Failed:
		return placeholder.Failure(th, s.paneKeys(), what, s.names.Err(), placeholder.Retry{At: s.retryAt()}, now, width, height)
	case c == nil:
		return placeholder.Empty(th, "Nothing was read", []string{placeholder.Hint(th, k.Global.Refresh, "reads "+text.Truncate(what, 48))}, width, height)
	case c.past:
		return placeholder.Empty(th, "No names on page "+text.Count(c.page), []string{
			th.Muted.Render("The names of ." + text.Truncate(c.namespace, 32) + " end before this page."), "",
			placeholder.Hint(th, k.List.PrevPage, "the page before") + "   " + placeholder.Hint(th, k.Names.All, "all names"),
		}, width, height)
	}
	return placeholder.Empty(th, "No names in ."+c.namespace, []string{
		th.Muted.Render("The namespace is there, but nobody has registered a name in it yet."), "",
		placeholder.Hint(th, k.Names.Unanchored, "with names that are only in microblocks") + "   " + placeholder.Hint(th, k.Names.Namespace, "another namespace"),
	}, width, height)
}

func (s *Screen) noHits(c *collection) []string {
	th := s.theme
	why := "None of the " + text.Count(c.list.Len()) + " names that are loaded."
	if !c.whole {
		why += " The rest is not read."
	}
	if c.page > 0 {
		why = "Only this page was searched."
	}
	lines := []string{th.Muted.Render(why), "", hint(th, "esc", "all names again")}
	if c.page > 0 {
		lines[2] += "   " + placeholder.Hint(th, s.env.Keys.Names.All, "read all names")
	}
	return lines
}

func (s *Screen) paneKeys() placeholder.Keys {
	g := s.env.Keys.Global
	return placeholder.Keys{Refresh: g.Refresh, Cancel: g.Up, RawJSON: g.RawJSON, Inspector: g.Inspector, MockPanel: g.MockPanel}
}

// hint names keys that cannot be bound otherwise.
func hint(th *theme.Theme, keys, what string) string {
	return th.Key.Render(keys) + " " + th.Muted.Render(what)
}

// typedLine draws a line that is typed into, of at most width cells.
func typedLine(th *theme.Theme, in textinput.Model, width int, focused bool) string {
	runes, at := []rune(in.Value()), in.Position()
	from := 0
	for from < at && text.Width(text.Line(string(runes[from:at]))) > width-1 {
		from++
	}
	if !focused {
		return th.Input.Render(text.TruncateWith(string(runes), width, th.Glyphs.Ellipsis))
	}
	under, rest := " ", ""
	if at < len(runes) {
		under, rest = text.Line(string(runes[at])), text.Line(string(runes[at+1:]))
	}
	return text.Clip(th.Input.Render(text.Line(string(runes[from:at])))+th.Cursor.Render(under)+th.Input.Render(rest), width)
}
