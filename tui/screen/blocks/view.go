package blocks

import (
	"errors"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
)

// Heading returns the newest block, its age, and how many blocks were replaced.
func (s *Screen) Heading(now time.Time) string {
	th := s.Theme
	title := " " + th.Strong.Render("Blocks")
	if !s.chain.Started {
		return title
	}
	title += th.Muted.Render("  newest ") + th.Number.Render(text.Count(s.chain.Tip))
	if r := s.chain.Newest(); r.BlockTime > 0 {
		title += th.Muted.Render(", " + s.env.Times.Short(s.env.ChainNow(), time.Unix(r.BlockTime, 0)))
	}
	if n := len(s.chain.Orphans); n > 0 {
		title += "   " + th.Bad.Render(th.Glyphs.Cross+" "+text.Count(n)+" orphaned") + th.Muted.Render("  /orphaned")
	}
	return title
}

// Chart draws the blocks from the first one in sight on.
func (s *Screen) Chart(width int, _ time.Time) string {
	if !s.chain.Started {
		return ""
	}
	from := s.chain.Tip
	if top := s.List.Place().Top; top < s.Len() {
		from = s.height(top)
	}
	return charts(&s.chain, from, width, s.Theme)
}

// Notice names what came in the meantime.
func (s *Screen) Notice(time.Time) string {
	th := s.Theme
	if n := s.unseen(); n > 0 {
		return " " + th.Accent.Render(th.Glyphs.New+" "+text.Plural(n, "new block")) + " " + placeholder.Hint(th, s.env.Keys.Blocks.ShowNew, "shows")
	}
	return ""
}

// unseen returns how many blocks came above the window.
func (s *Screen) unseen() int {
	if !s.chain.Started || s.seen == 0 {
		return 0
	}
	return int(max(0, s.chain.Tip-s.seen))
}

// Failed returns the value whose failure is shown above older blocks.
func (s *Screen) Failed() browser.Remote {
	if s.tip.Err() == nil && s.more.Err() != nil {
		return &s.more
	}
	return &s.tip
}

// Instead is drawn while there is no block at all.
func (s *Screen) Instead(now time.Time, width, height int) []string {
	if s.chain.Started {
		return nil
	}
	if s.tip.State() == remote.Ready {
		return placeholder.Empty(s.Theme, "No blocks yet", []string{s.Theme.Muted.Render("The chain of this server is empty.")}, width, height)
	}
	return s.Waiting(&s.tip, "the newest blocks", now, width, height)
}

func (s *Screen) NoRows(_ time.Time, width, height int) []string {
	th := s.Theme
	return placeholder.Empty(th, "No loaded block matches", []string{
		th.Muted.Render("A filter looks at loaded blocks: words, txs:>5, tenure:N, state:orphaned, /regex/."),
		placeholder.HintOf(th, "esc", "clears the filter") + "   " + placeholder.Hint(th, s.env.Keys.Global.GoTo, "go to any height"),
	}, width, height)
}

// NoDetail draws why there is no block to show in the detail.
func (s *Screen) NoDetail(now time.Time, w, h int) []string {
	th := s.Theme
	var u unreachable
	if errors.As(s.problem, &u) {
		return placeholder.Empty(th, u.title, append(append(text.Block(u.why, max(10, w-4)), "", placeholder.Hint(th, s.env.Keys.Global.Up, "back")), placeholder.Otherwise(th, s.env.Keys, s.env.Last.Otherwise)...), w, h)
	}
	if s.problem != nil {
		return placeholder.Failure(th, s.env.Keys, s.opened.Ref.String(), s.problem, s.Retrying(&s.block), s.env.Last.Otherwise, now, w, h)
	}
	if by := s.target.Ref.By; by == nav.ByBurnHeight || by == nav.ByBurnHash {
		return s.Waiting(&s.block, "the block", now, w, h)
	}
	if s.Described() != "" {
		return nil
	}
	i, ok := s.List.Cursor()
	switch {
	case !ok:
		return placeholder.Empty(th, "No block", nil, w, h)
	case s.holes[s.height(i)]:
		return placeholder.Empty(th, "The server's list has no block "+text.Count(s.height(i)), nil, w, h)
	}
	return s.Waiting(&s.more, "block "+text.Count(s.height(i)), now, w, h)
}

// Status returns what the status line shows.
func (s *Screen) Status() screen.Status {
	var id uint64
	for _, v := range []*remote.Value[chain.Page]{&s.tip, &s.more} {
		if p, ok := v.Get(); ok {
			id = max(id, p.Exchange)
		}
	}
	st := s.StatusOf(id, &s.tip, &s.more, &s.block, &s.rest)
	st.Err, st.ReadsTip = s.staleError(), true
	i, ok := s.List.Cursor()
	if !ok {
		return st
	}
	if !s.Arranged() {
		st.Position = s.position(i)
	}
	if s.InDetail && s.problem == nil {
		st.Crumb = text.Count(s.height(i))
	}
	st.NewRows = s.unseen()
	return st
}

// position returns the place of a block in the chain, as the API counts it.
func (s *Screen) position(row int) string {
	if r := s.chain.InRow(row); r != nil && !r.Canonical {
		return "orphaned"
	}
	total := max(s.chain.Total, s.chain.Tip-s.chain.Floor+1)
	return text.Count(s.chain.Tip-s.height(row)+1) + "/" + text.Count(total)
}
