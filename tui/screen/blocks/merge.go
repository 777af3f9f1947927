package blocks

import (
	"chainscope/apiclient"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// fastest is how many blocks a second a chain may get.
const fastest = 1

// merge takes a page into the list. A block that is being read stays under the
// cursor, also when it was replaced.
func (s *Screen) merge(p page) tea.Cmd {
	reading := s.current()
	before := s.chain.tip
	j := s.chain.page(p.records, p.total, p.offset, s.env.MayGoBack() && !p.asked.Before(s.raised))
	if grown := s.chain.tip - before; j.Apart && before > 0 && float64(grown) > fastest*s.env.Now().Sub(s.raised).Seconds()+pageSize {
		s.chain.forgetBelow(s.chain.tip - pageSize + 1) // no chain grows so fast: it is another one
	}
	if s.chain.tip > before {
		s.raised = s.env.Now()
	}
	if j.Changed {
		clear(s.holes) // of another chain
		s.seen = min(s.seen, s.chain.tip)
	}
	if p.wanted {
		s.markHoles(p, j)
	}
	if i, ok := s.List.Cursor(); ok && s.filtered == nil {
		s.chain.trim(s.height(i))
	}
	s.changed()
	if reading != nil && (s.InDetail || s.List.Position() > 0) {
		if now := s.chain.again(reading); now != nil && now.orphaned {
			s.List.SelectID(now.ID())
		}
	}
	s.follow(reading)
	s.restore()
	s.resolveTarget()
	cmd := tea.Batch(s.Changed(), s.sayChange(j), handOn(p))
	if newest := s.chain.at[s.chain.tip]; j.Changed && newest != nil {
		said := screen.ChainChanged{From: j.From, Newest: newest.IndexBlockHash}
		if last := s.chain.at[j.From-1]; last != nil {
			said.Burn = last.BurnBlockHeight
		}
		cmd = tea.Batch(cmd, screen.SayChainChanged(said))
	}
	return cmd
}

// handOn passes the newest blocks on to the other places.
func handOn(p page) tea.Cmd {
	if p.offset > 0 || len(p.records) < 2 {
		return nil
	}
	newest := make([]apiclient.Block, len(p.records))
	for i, r := range p.records {
		newest[i] = r.Block.Block
	}
	return screen.HandOn(newest, p.records[0].Raw)
}

// sayChange says that the chain is not what it was.
func (s *Screen) sayChange(j mergeResult) tea.Cmd {
	switch {
	case j.Other:
		return screen.Notice("this is another chain now")
	case j.gone > 0:
		return screen.Notice("the chain was taken back to block " + text.Count(s.chain.tip))
	case j.replaced > 0:
		return screen.Notice(text.Plural(j.replaced, "block") + " replaced: /state:orphaned shows what was there")
	}
	return nil
}

// follow says that the block which was being read is gone with its part of the chain, and
// shows it again when it comes back.
func (s *Screen) follow(reading *record) {
	switch {
	case s.gone != nil && s.chain.again(s.gone) != nil:
		s.problem = nil
		s.selectRecord(s.chain.again(s.gone))
		s.gone = nil
	case reading != nil && s.InDetail && s.chain.again(reading) == nil && reading.Height > s.chain.tip:
		s.gone = reading
		s.fail(unreachable{"Block " + text.Count(reading.Height) + " is gone", "the chain was taken back to block " + text.Count(s.chain.tip)})
	}
}

// markHoles notes which rows a page was to bring and did not, so that they are not
// requested again and again. Where the chain grew meanwhile the first page brings
// other blocks than it would have, and the row is requested once more.
func (s *Screen) markHoles(p page, j mergeResult) {
	if s.filtered != nil {
		return
	}
	first := s.chain.tip - int64(p.offset)
	for h := first; h > first-int64(len(p.records)); h-- {
		if s.chain.at[h] == nil {
			s.holes[h] = true
		}
	}
	if s.chain.at[s.wanted] != nil || p.offset == 0 && j.fresh > 0 {
		return
	}
	s.holes[s.wanted] = true
	if len(p.records) > 0 {
		return
	}
	top := s.List.Place().Top
	for i := top; i < min(top+2*max(1, s.RowsInSight()), s.Len()); i++ {
		if h := s.height(i); h <= s.wanted {
			s.holes[h] = true // past the end of the server's list
		}
	}
}

// changed notifies the list that rows came or went.
func (s *Screen) changed() { s.Joined(s.Arrange) }
