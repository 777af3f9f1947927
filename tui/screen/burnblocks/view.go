package burnblocks

import (
	"errors"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
	"chainscope/tui/widget/placeholder"
)

// Heading returns what is shown, and how much of it.
func (s *Screen) Heading(now time.Time) string {
	th := s.Theme
	if s.listing() {
		return s.headingOfOne(now)
	}
	title := " " + th.Strong.Render("Burn blocks")
	tip, ok := s.over.newest()
	if !ok {
		return title
	}
	title += th.Muted.Render("  newest ") + th.Number.Render(text.Count(tip))
	if l, _ := s.over.tip.Get(); !l.time.IsZero() {
		title += th.Muted.Render(", " + s.when(l.time))
	}
	return title
}

func (s *Screen) headingOfOne(now time.Time) string {
	th := s.Theme
	l, ok := s.one.value.Get()
	if !ok || len(l.blocks) == 0 {
		return " " + th.Strong.Render("Burn block")
	}
	txs, whole := l.transactions()
	title := " " + th.Strong.Render("Burn block "+text.Count(l.height)) + "  " +
		th.Muted.Render(text.MiddleWith(l.hash, 18, th.Glyphs.Ellipsis)) + "  " + s.counted(l.total, "block") + "  " + s.counted(txs, "tx")
	if !whole {
		title += th.Muted.Render(" in the " + text.Count(len(l.blocks)) + " loaded")
	}
	if when := s.when(l.time); when != "" {
		title += th.Muted.Render("  " + when)
	}
	return title
}

// counted draws a count and its word.
func (s *Screen) counted(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return s.Theme.Number.Render(text.Count(n)) + " " + s.Theme.Muted.Render(word)
}

// Chart draws the blocks of one burn block, or how many the last ones have and
// how far apart they are.
func (s *Screen) Chart(width int, now time.Time) string {
	if !s.listing() {
		return s.pace(width)
	}
	l, ok := s.one.value.Get()
	if !ok {
		return ""
	}
	chosen := -1
	if i, ok := s.List.Cursor(); ok {
		chosen = i
	}
	cells := max(1, width-2)
	c := scale{perCell: max(1, (int(min(l.total, mostBlocks))+cells-1)/cells)}
	c.fit(chart.Sums(l.weights(), c.perCell))
	return " " + chartOf(l, cells, c, chosen, s.Theme)
}

// pace draws the last burn blocks as far as they are read.
func (s *Screen) pace(width int) string {
	tip, ok := s.over.newest()
	if !ok {
		return ""
	}
	th := s.Theme
	cells := max(4, min(40, (width-66)/2))
	var counts, gaps []float64
	for i := range cells {
		h := tip - int64(cells-1-i)
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
	return " " + th.Muted.Render("Stacks blocks ") + th.Chart.Render(c.Text) + th.Muted.Render(c.Words("")) +
		"  " + th.Muted.Render("minutes ") + th.Chart.Render(g.Text) + th.Muted.Render(g.Words(""))
}

// Failed returns the value whose failure is shown above older data.
func (s *Screen) Failed() browser.Remote {
	if s.listing() {
		return &s.one.value
	}
	return &s.over.tip
}

// Notice returns what is under way or new, else the keys of the place.
func (s *Screen) Notice(now time.Time) string {
	th, k := s.Theme, s.env.Keys
	if !s.listing() {
		return s.noticeOfList(now)
	}
	if newer := s.one.newer; newer != nil {
		return " " + th.Accent.Render(th.Glyphs.New+" burn block "+text.Count(newer.height)+" is newer") + "  " + placeholder.Hint(th, k.Blocks.ShowNew, "shows it")
	}
	return " " + placeholder.Hint(th, k.Burn.Older, "previous burn block") + "   " + placeholder.Hint(th, k.Burn.Newer, "next")
}

func (s *Screen) noticeOfList(now time.Time) string {
	th, o := s.Theme, &s.over
	if n := o.unseen(); n > 0 && o.list.Position() > 0 {
		return " " + th.Accent.Render(th.Glyphs.New+" "+text.Plural(n, "new burn block")) + " " + placeholder.Hint(th, s.env.Keys.Blocks.ShowNew, "shows")
	}
	if o.halted == nil {
		return ""
	}
	out := " " + th.Bad.Render(text.TruncateWith(placeholder.Short(o.halted), max(8, s.Width-30), th.Glyphs.Ellipsis)) + "  "
	if wait := s.Retrying(&s.over.page).Sub(now); wait > 0 {
		return out + placeholder.Again(th, s.env.Keys, wait)
	}
	return out + placeholder.Hint(th, s.env.Keys.Global.Refresh, "loads again")
}

// NoRows is drawn where a filter lets no row through.
func (s *Screen) NoRows(_ time.Time, width, height int) []string {
	th := s.Theme
	title, of := "No burn block matches", "The list has "+text.Plural(s.over.depth, "burn block")+"; a filter looks at what is read of them: words, blocks:>5, /regex/."
	if s.listing() {
		l, _ := s.one.value.Get()
		title, of = "No block matches", "None of the "+text.Plural(len(l.blocks), "loaded block")+" does."
	}
	return placeholder.Empty(th, title, []string{th.Muted.Render(of), "", placeholder.HintOf(th, "esc", "clears the filter")}, width, height)
}

// NoDetail is drawn for a burn block that is not read.
func (s *Screen) NoDetail(now time.Time, width, height int) []string {
	i, ok := s.List.Cursor()
	if s.listing() || !ok || s.Described() != "" {
		return nil
	}
	h := s.over.height(i)
	v := s.over.known[h]
	if v == nil || v.State() == remote.Idle {
		return placeholder.Empty(s.Theme, "Burn block "+text.Count(h), []string{s.Theme.Muted.Render("It is read when the cursor rests on it.")}, width, height)
	}
	if v.State() == remote.Failed {
		return placeholder.Failure(s.Theme, s.env.Keys, "burn block "+text.Count(h), v.Err(), s.Retrying(&s.over.page), s.env.Last.Otherwise, now, width, height)
	}
	return s.Waiting(v, "burn block "+text.Count(h), now, width, height)
}

// title names the burn block that is requested.
func (s *Screen) title() string {
	switch s.one.ref.By {
	case nav.ByBurnHeight:
		return "burn block " + text.Count(s.one.ref.Height)
	case nav.ByLatest:
		return "the newest burn block"
	}
	return "burn block " + s.one.ref.String()
}

// Instead draws the state of a place that has no blocks to show.
func (s *Screen) Instead(now time.Time, width, height int) []string {
	if !s.listing() {
		if _, ok := s.over.newest(); ok {
			return nil
		}
		if tip := &s.over.tip; tip.State() == remote.Ready || tip.State() == remote.Failed && apiclient.EmptyBurnBlock(tip.Err()) {
			return s.noChain(width, height)
		}
		return s.Waiting(&s.over.tip, "the newest burn block", now, width, height)
	}
	v := &s.one.value
	l, there := v.Get()
	switch {
	case there && len(l.blocks) > 0:
		return nil
	case apiclient.EmptyBurnBlock(v.Err()) && v.State() == remote.Failed, there:
		return s.noBlocks(v.Err(), width, height)
	}
	return s.Waiting(v, s.title(), now, width, height)
}

// noChain says that there is no newest burn block: the chain has no block at all.
func (s *Screen) noChain(width, height int) []string {
	return placeholder.Empty(s.Theme, "No blocks yet", []string{
		s.Theme.Muted.Render("The chain of this server is empty."), "", placeholder.Hint(s.Theme, s.env.Keys.Global.Refresh, "loads again"),
	}, width, height)
}

// noBlocks says that a burn block has no Stacks block, which is normal.
func (s *Screen) noBlocks(err error, width, height int) []string {
	if s.one.ref.By == nav.ByLatest {
		return s.noChain(width, height)
	}
	th, k := s.Theme, s.env.Keys
	lines := []string{th.Muted.Render("Requested: ") + text.Middle(s.title(), max(10, width-16))}
	if tip, ok := s.over.newest(); ok && s.one.ref.By == nav.ByBurnHeight && s.one.ref.Height > tip {
		lines = append(lines, th.Muted.Render("The newest burn block is "+text.Count(tip)+"."))
	} else {
		lines = append(lines, th.Muted.Render("That is normal: not every burn block gets one. The server gives the same"),
			th.Muted.Render("answer for a burn block that does not exist."))
	}
	if said, is := errors.AsType[*apiclient.Error](err); is && said.Detail() != "" {
		lines = append(lines, th.Muted.Render("The server says: ")+text.Line(said.Detail()))
	}
	keys := placeholder.Hint(th, k.Global.Refresh, "loads again")
	if _, ok := s.burnHeight(); ok {
		keys = placeholder.Hint(th, k.Burn.Older, "the previous one") + "   " + placeholder.Hint(th, k.Burn.Newer, "the next one") + "   " + keys
	}
	return placeholder.Empty(th, "No Stacks block in this burn block", append(lines, "", keys), width, height)
}

// Status returns what the status line shows.
func (s *Screen) Status() screen.Status {
	if !s.listing() {
		l, _ := s.over.tip.Get()
		st := s.StatusOf(l.id, &s.over.tip)
		st.Crumb = "newest"
		return st
	}
	l, _ := s.one.value.Get()
	st := s.StatusOf(l.id, &s.one.value)
	st.Err = s.one.value.Err()
	st.Crumb = strings.TrimPrefix(s.title(), "burn block ")
	if s.one.ref.By == nav.ByBurnHash {
		st.Crumb = text.Middle(st.Crumb, 18)
	}
	if s.one.newer == nil {
		st.NewRows = s.one.fresh
	}
	return st
}
