package burnblocks

import (
	"errors"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"
)

// head is the lines above list and detail.
const head = 3

// layout shares the room among list and detail. The list has a line with the
// names of its columns.
func (s *Screen) layout() {
	s.arranged = s.split.Arrange(s.width, s.height-head, s.inDetail)
	for _, l := range []interface {
		SetSize(int, int)
		SetFocus(bool)
	}{s.over.list, s.one.list} {
		l.SetSize(s.arranged.List.Width, max(0, s.arranged.List.Height-1))
		l.SetFocus(!s.inDetail)
	}
	s.detail.SetSize(s.arranged.Detail.Width, s.arranged.Detail.Height)
	s.detail.SetFocus(s.inDetail)
}

// View draws the screen.
func (s *Screen) View(now time.Time) []string {
	var out []string
	if s.listing() {
		out = s.viewOne(now)
	} else {
		out = s.viewOverview(now)
	}
	lines := make([]string, max(0, s.height))
	for i := range min(len(out), len(lines)) {
		lines[i] = text.Clip(out[i], s.width)
	}
	return lines
}

// body draws the rows below the names of their columns, and the detail.
func (s *Screen) body(columns string, rows []string) []string {
	return s.arranged.Draw(s.theme, append([]string{columns}, rows...), s.detail.View())
}

func (s *Screen) viewOverview(now time.Time) []string {
	th, o := s.theme, &s.over
	tip, there := o.tip.Get()
	if !there {
		return s.instead(&o.tip, "the newest burn block", o.failedAt, now)
	}
	title := " " + th.Strong.Render("Burn blocks") + th.Muted.Render("  newest ") + th.Number.Render(text.Count(tip.height))
	if when := s.when(now, tip.time); when != "" {
		title += th.Muted.Render(", " + when)
	}
	if n := o.unseen(); n > 0 && o.list.Position() > 0 {
		title += "   " + th.Accent.Render(th.Glyphs.New+" "+text.Plural(n, "new burn block")) + " " + placeholder.Hint(th, s.env.Keys.Blocks.ShowNew, "shows")
	}
	notice := ""
	if err := o.tip.Err(); err != nil {
		notice = " " + placeholder.Banner(th, s.paneKeys(), err, o.tip.FetchedAt(), placeholder.Retry{At: s.over.retryAt()}, now, s.width-1)
	} else if o.halted != nil {
		notice = " " + th.Bad.Render(text.TruncateWith(placeholder.Short(o.halted), max(8, s.width-30), th.Glyphs.Ellipsis)) + "  " +
			placeholder.Hint(th, s.env.Keys.Global.Refresh, "asks again")
	}
	out := []string{title, s.pace(tip.height), notice}
	return append(out, s.body(s.burnHead(s.arranged.List.Width), o.list.View())...)
}

// pace draws how many Stacks blocks the last burn blocks have and how far apart
// they are, as far as they are read.
func (s *Screen) pace(tip int64) string {
	th := s.theme
	cells := max(4, min(40, (s.width-52)/2))
	var counts, gaps []float64
	for h := tip - int64(cells) + 1; h <= tip; h++ {
		count, gap := chart.Gap(), chart.Gap()
		if l, ok := s.over.at(h); ok {
			count = float64(l.total)
			if before, ok := s.over.at(h - 1); ok && !before.empty && !l.empty && !l.time.Before(before.time) {
				gap = l.time.Sub(before.time).Minutes()
			}
		}
		counts, gaps = append(counts, count), append(gaps, gap)
	}
	c, g := chart.Sparkline(counts, cells, th.Glyphs.Chart), chart.Sparkline(gaps, cells, th.Glyphs.Chart)
	line := " " + th.Muted.Render("blocks a burn block ") + th.Chart.Render(c.Text)
	if c.Known > 0 {
		line += th.Muted.Render(" avg " + decimal(c.Mean))
	}
	line += "  " + th.Muted.Render("minutes ") + th.Chart.Render(g.Text)
	if g.Known > 0 {
		line += th.Muted.Render(" avg " + decimal(g.Mean))
	}
	return line
}

func (s *Screen) viewOne(now time.Time) []string {
	th, o := s.theme, &s.one
	l, there := o.value.Get()
	if !there || len(l.blocks) == 0 {
		return s.instead(&o.value, s.asked(), o.failedAt, now)
	}
	title := " " + th.Strong.Render("Burn block "+text.Count(l.height)) + "  " +
		th.Muted.Render(text.MiddleWith(l.hash, 18, th.Glyphs.Ellipsis)) + "  " + s.counted(l.total, "block") + "  " + s.counted(l.transactions(), "tx")
	if l.more() {
		title += th.Muted.Render(" in the " + text.Count(len(l.blocks)) + " loaded")
	}
	if when := s.when(now, l.time); when != "" {
		title += th.Muted.Render("  " + when)
	}
	chosen := -1
	if i, ok := o.list.Cursor(); ok && i < len(o.shown) {
		chosen = o.shown[i]
	}
	rows := o.list.View()
	if len(o.shown) == 0 {
		rows = placeholder.Empty(th, "No block matches", []string{
			th.Muted.Render("None of the " + text.Plural(len(l.blocks), "loaded block") + " does."), "",
			th.Key.Render("esc") + " " + th.Muted.Render("all blocks again"),
		}, s.arranged.List.Width, s.arranged.List.Height-1)
	}
	out := []string{title, " " + tiles(l, s.width-2, chosen, th), s.noticeOne(now)}
	return append(out, s.body(s.blockHead(s.arranged.List.Width), rows)...)
}

// counted draws a count and its word.
func (s *Screen) counted(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return s.theme.Number.Render(text.Count(n)) + " " + s.theme.Muted.Render(word)
}

// noticeOne is the line above the columns: the filter, what is under way, what
// is new or wrong, else the keys of the place.
func (s *Screen) noticeOne(now time.Time) string {
	th, o, k := s.theme, &s.one, s.env.Keys
	l, _ := o.value.Get()
	switch {
	case o.typing:
		return " " + th.Key.Render("/ ") + th.Input.Render(text.Line(o.query)) + th.Cursor.Render(" ") + th.Muted.Render("  "+text.Count(len(o.shown))+" of "+text.Count(len(l.blocks)))
	case s.walkWords(now) != "":
		return " " + s.walkWords(now)
	case o.value.State() == remote.Failed:
		return " " + placeholder.Banner(th, s.paneKeys(), o.value.Err(), o.value.FetchedAt(), placeholder.Retry{At: o.retryAt()}, now, s.width-1)
	case o.newer != nil:
		return " " + th.Accent.Render(th.Glyphs.New+" burn block "+text.Count(o.newer.height)+" is newer") + "  " + placeholder.Hint(th, k.Blocks.ShowNew, "shows it")
	case o.query != "":
		return " " + th.Key.Render("/ ") + th.Match.Render(text.Line(o.query)) + th.Muted.Render("  "+text.Count(len(o.shown))+" of "+text.Count(len(l.blocks))) +
			"   " + th.Key.Render("esc") + " " + th.Muted.Render("all")
	}
	return " " + placeholder.Hint(th, k.Burn.Older, "burn block before") + "   " + placeholder.Hint(th, k.Burn.Newer, "after") + "   " + placeholder.Hint(th, k.List.Filter, "filter")
}

// walkWords says how a walk goes or what came of it, "" when there is none.
func (s *Screen) walkWords(now time.Time) string {
	th, o := s.theme, &s.one
	switch {
	case o.walk.Busy():
		return th.Accent.Render(placeholder.Spinner(th, now.Sub(o.walk.Since()))) + " " + th.Muted.Render("looking for the next burn block with a Stacks block") +
			"  " + th.Key.Render("esc") + " " + th.Muted.Render("stops")
	case o.walk.State() == remote.Failed:
		return th.Bad.Render(text.Line(placeholder.Short(o.walk.Err())))
	case o.looked.step == 0:
		return ""
	}
	words := emptyWords(o.looked.empty)
	if o.looked.edge {
		switch {
		case o.looked.step > 0 && words == "":
			words = "this is the newest burn block"
		case o.looked.step > 0:
			words += ", and there is no newer one"
		case words == "":
			words = "there is no burn block before this one"
		default:
			words += ", and there is none before"
		}
		return th.Warn.Render(words)
	}
	again := s.env.Keys.Burn.Newer
	if o.looked.step < 0 {
		again = s.env.Keys.Burn.Older
	}
	return th.Warn.Render(words) + "  " + placeholder.Hint(th, again, "looks further")
}

// asked says which burn block is asked for.
func (s *Screen) asked() string {
	switch s.one.ref.By {
	case nav.ByBurnHeight:
		return "burn block " + text.Count(s.one.ref.Height)
	case nav.ByLatest:
		return "the newest burn block"
	}
	return "burn block " + s.one.ref.String()
}

// instead draws the state of a place that has no blocks to show.
func (s *Screen) instead(v *remote.Value[listing], asked string, failedAt, now time.Time) []string {
	th, width, height := s.theme, s.width, max(0, s.height-1)
	words := s.walkWords(now)
	if !s.listing() {
		words = ""
	}
	top := []string{" " + words}
	l, there := v.Get()
	switch {
	case v.State() == remote.Loading:
		return append(top, placeholder.Loading(th, s.paneKeys(), asked, now.Sub(v.Since()), "", width, height)...)
	case v.State() == remote.Failed && notFound(v.Err()), there && len(l.blocks) == 0:
		return append(top, s.noBlocks(asked, v.Err(), height)...)
	case v.State() == remote.Failed:
		return append(top, placeholder.Failure(th, s.paneKeys(), asked, v.Err(), placeholder.Retry{At: placeholder.RetryAfter(v.Err(), failedAt)}, now, width, height)...)
	}
	return append(top, placeholder.Empty(th, "Nothing was read", []string{placeholder.Hint(th, s.env.Keys.Global.Refresh, "reads "+asked)}, width, height)...)
}

// noBlocks says that a burn block has no Stacks block, which is normal.
func (s *Screen) noBlocks(asked string, err error, height int) []string {
	th, k := s.theme, s.env.Keys
	lines := []string{th.Muted.Render("asked for ") + text.Middle(asked, max(10, s.width-16))}
	if tip, ok := s.over.newest(); ok && s.one.ref.By == nav.ByBurnHeight && s.one.ref.Height > tip {
		lines = append(lines, th.Muted.Render("The newest burn block is "+text.Count(tip)+"."))
	} else {
		lines = append(lines, th.Muted.Render("That is normal: not every burn block gets one. The server does not tell"),
			th.Muted.Render("such a burn block from one that does not exist."))
	}
	var said *apiclient.Error
	if errors.As(err, &said) && said.Detail() != "" {
		lines = append(lines, th.Muted.Render("The server says: ")+text.Line(said.Detail()))
	}
	keys := placeholder.Hint(th, k.Global.Refresh, "asks again")
	if _, ok := s.burnHeight(); ok {
		keys = placeholder.Hint(th, k.Burn.Older, "the one before") + "   " + placeholder.Hint(th, k.Burn.Newer, "the one after") + "   " + keys
	}
	return placeholder.Empty(th, "No Stacks block in this burn block", append(lines, "", keys), s.width, height)
}

func (s *Screen) paneKeys() placeholder.Keys {
	g := s.env.Keys.Global
	return placeholder.Keys{Refresh: g.Refresh, Cancel: g.Up, RawJSON: g.RawJSON, Inspector: g.Inspector, MockPanel: g.MockPanel}
}

// Status is what the frame's status line tells.
func (s *Screen) Status() screen.Status {
	v, l := &s.over.tip, s.over.list
	crumb := "newest"
	if s.listing() {
		v, l = &s.one.value, s.one.list
		crumb = strings.TrimPrefix(s.asked(), "burn block ")
		if s.one.ref.By == nav.ByBurnHash {
			crumb = text.Middle(crumb, 18)
		}
	}
	st := screen.Status{
		FetchedAt: v.FetchedAt(), Busy: v.Busy() || s.listing() && s.one.walk.Busy(), Since: v.Since(), Err: v.Err(), Failures: v.Failures(), Crumb: crumb,
	}
	if s.listing() && s.one.walk.Busy() && !v.Busy() {
		st.Since = s.one.walk.Since()
	}
	if known, ok := v.Get(); ok {
		st.ExchangeID = known.id
	}
	var failed *apiclient.Error
	if errors.As(st.Err, &failed) {
		st.ExchangeID = failed.ExchangeID
	}
	if n := l.Len(); n > 0 {
		st.Position = text.Count(l.Position()+1) + "/" + text.Count(n)
	}
	if s.listing() && s.one.newer == nil {
		st.NewRows = s.one.fresh
	}
	st.Hint = s.hint()
	return st
}

// hint names the keys of the place for the frame's last line.
func (s *Screen) hint() string {
	k := s.env.Keys
	what, open := "its blocks", k.List.Open
	switch {
	case s.inDetail:
		what, open = "follow the link", k.Detail.Follow
	case s.listing():
		what = "the block"
	}
	shown, _, _ := strings.Cut(open.Help().Key, " ")
	return shown + " " + what
}
