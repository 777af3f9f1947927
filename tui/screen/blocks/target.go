package blocks

import (
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// resolveTarget goes on towards the block that was opened: it puts the cursor on
// it, or says why it cannot be reached.
func (s *Screen) resolveTarget() {
	if s.target == (nav.Place{}) || !s.chain.started {
		return
	}
	switch ref := s.target.Ref; ref.By {
	case nav.ByIndexHash:
		if r := s.chain.ids[ref.Hash]; r != nil {
			s.selectRecord(r)
		} else {
			s.fail(unreachable{"This block is not loaded", "the API has no lookup by index block hash; a block that is scrolled to once is found again"})
		}
	case nav.ByHeight:
		s.resolveHeight(ref.Height)
	default:
		s.resolveBlock()
	}
}

func (s *Screen) resolveHeight(height int64) {
	switch {
	case height > s.chain.tip && s.tip.Busy():
		// Whoever asked may know of a newer block than this list.
	case height > s.chain.tip:
		s.fail(unreachable{"There is no block " + text.Count(height) + " yet", "the newest is " + text.Count(s.chain.tip)})
	case height < s.chain.floor:
		s.fail(unreachable{"Block " + text.Count(height) + " is not in the list", "it begins at " + text.Count(s.chain.floor)})
	default:
		s.List.Select(s.chain.rowOf(height))
		if s.chain.at[height] != nil {
			s.target = nav.Place{}
		}
	}
}

// resolveBlock takes the block that was asked for by its burn block.
func (s *Screen) resolveBlock() {
	v, ok := s.block.Get()
	if !ok {
		if err := s.block.Err(); err != nil && !s.block.Busy() {
			s.fail(err)
		}
		return
	}
	if known := s.chain.at[v.record.Height]; known == nil || known.id() != v.record.id() {
		s.chain.insert(v.record)
		s.changed()
	}
	s.selectRecord(s.chain.ids[v.record.id()])
}

func (s *Screen) fail(err error) { s.problem, s.target = err, nav.Place{} }

func (s *Screen) selectRecord(r *record) {
	s.target = nav.Place{}
	if r == nil {
		return
	}
	if r.orphaned {
		s.List.SelectID(r.id())
		return
	}
	s.List.Select(s.chain.rowOf(r.Height))
}
