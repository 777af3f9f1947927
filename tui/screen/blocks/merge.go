package blocks

import (
	"chainscope/tui/chain"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// maxBlocks bounds how many blocks stay loaded, some 3 kB each: a window of any
// height, and some pages round it. A row whose block was dropped is loaded again
// when it comes into sight.
const maxBlocks = 600

// merge takes a page into the list. A block that is being read stays under the
// cursor, also when it was replaced.
func (s *Screen) merge(p chain.Page, wanted bool) tea.Cmd {
	reading := s.current()
	j := s.chain.Page(p, s.env.MayGoBack(), s.env.Now())
	if j.Changed {
		clear(s.holes) // of another chain
		s.seen = min(s.seen, s.chain.Tip)
	}
	if wanted {
		s.markHoles(p, j)
	}
	if i, ok := s.List.Cursor(); ok && !s.Arranged() {
		s.chain.Trim(s.height(i), maxBlocks)
	}
	s.changed()
	if reading != nil && (s.InDetail || s.List.Position() > 0) {
		if now := s.chain.ByID(reading.ID()); now != nil && !now.Canonical {
			s.List.SelectID(now.ID())
		}
	}
	s.follow(reading)
	s.resolveTarget()
	return tea.Batch(s.Changed(), s.notifyChange(j), publish(p), screen.NotifyChange(&s.chain, j))
}

// publish passes the newest blocks on to the other places.
func publish(p chain.Page) tea.Cmd {
	if p.Offset > 0 || len(p.Blocks) < 2 {
		return nil
	}
	return screen.PublishBlocks(p.Blocks)
}

// notifyChange shows that the chain was replaced.
func (s *Screen) notifyChange(j chain.Change) tea.Cmd {
	switch {
	case j.Other:
		return screen.Notice("this is another chain now")
	case j.Gone > 0:
		return screen.Notice("the chain was rolled back to block " + text.Count(s.chain.Tip))
	case j.Replaced > 0:
		return screen.Notice(text.Plural(j.Replaced, "block") + " replaced: /state:orphaned shows what was there")
	}
	return nil
}

// follow says that the block which was being read is gone with its part of the chain, and
// shows it again when it comes back.
func (s *Screen) follow(reading *chain.Block) {
	switch {
	case s.gone != nil && s.chain.ByID(s.gone.ID()) != nil:
		s.problem = nil
		s.selectRecord(s.chain.ByID(s.gone.ID()))
		s.gone = nil
	case reading != nil && s.InDetail && s.chain.ByID(reading.ID()) == nil && reading.Height > s.chain.Tip:
		s.gone = reading
		s.fail(unreachable{"Block " + text.Count(reading.Height) + " is gone", "the chain was rolled back to block " + text.Count(s.chain.Tip)})
	}
}

// markHoles notes which rows a page was to have and had not, so that they are not
// requested again and again. Where the chain grew meanwhile the first page brings
// other blocks than it would have, and the row is requested once more.
func (s *Screen) markHoles(p chain.Page, j chain.Change) {
	if s.Arranged() {
		return
	}
	first := s.chain.Tip - int64(p.Offset)
	for h := first; h > first-int64(len(p.Blocks)); h-- {
		if s.chain.At(h) == nil {
			s.holes[h] = true
		}
	}
	if s.chain.At(s.wanted) != nil || p.Offset == 0 && j.Fresh > 0 {
		return
	}
	s.holes[s.wanted] = true
	if len(p.Blocks) > 0 {
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
