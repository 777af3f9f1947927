package blocks

import (
	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// resolveTarget continues towards the block that was opened: it puts the cursor on
// it, or says why it cannot be reached.
func (s *Screen) resolveTarget() {
	if s.target == (nav.Place{}) || !s.chain.Started {
		return
	}
	switch ref := s.target.Ref; ref.By {
	case nav.ByIndexHash:
		if r := s.chain.ByID(ref.Hash); r != nil {
			s.selectRecord(r)
		} else {
			s.resolveBlock()
		}
	case nav.ByHeight:
		s.resolveHeight(ref.Height)
	default:
		s.resolveBlock()
	}
}

func (s *Screen) resolveHeight(height int64) {
	switch {
	case height > s.chain.Tip && s.tip.Busy():
		// The link may come from a newer block than this list has.
	case height > s.chain.Tip:
		s.fail(unreachable{"There is no block " + text.Count(height) + " yet", "the newest is " + text.Count(s.chain.Tip)})
	case height < s.chain.Floor:
		s.fail(unreachable{"Block " + text.Count(height) + " is not in the list", "it begins at " + text.Count(s.chain.Floor)})
	default:
		s.List.Select(s.chain.RowOf(height))
		if s.chain.At(height) != nil {
			s.target = nav.Place{}
		}
	}
}

// beyondList requests the single block under the cursor if the server does not list blocks so far
// down, and reports whether that is so.
func (s *Screen) beyondList(err error) (cmd tea.Cmd, beyond bool) {
	if apiclient.KindOf(err) != apiclient.InvalidInput {
		return nil, false
	}
	s.more.Reset() // nothing has failed: the list ends here
	s.holes[s.wanted] = true
	i, ok := s.List.Cursor()
	if !ok || s.chain.InRow(i) != nil || s.block.Busy() {
		return nil, true
	}
	fetch := s.requestBlock(nav.BlockAtHeight(s.height(i)).Ref)
	return tea.Batch(fetch, screen.Notice("this server lists its newest blocks only: others are read one by one")), true
}

// Join takes a block that the server pushed, if it follows on the newest that is shown.
func (s *Screen) Join(p apiclient.Pushed) (cmd tea.Cmd, joined bool) {
	b := p.Block
	switch tip := s.chain.At(s.chain.Tip); {
	case !s.chain.Started || tip == nil:
		return nil, false
	case !b.Canonical, b.IndexBlockHash == tip.IndexBlockHash:
		// It competes with one that is shown: the block after it reports which one won. Or
		// it is the newest already.
		return nil, true
	case b.Height != s.chain.Tip+1 || b.ParentBlockHash != tip.Hash:
		return nil, false
	}
	r := &chain.Block{Block: *b, Raw: p.Raw}
	return s.merge(chain.Page{Blocks: []*chain.Block{r}, Total: s.chain.Total + 1, Requested: s.env.Now()}, false), true
}

// resolveBlock takes the block that was requested by its burn block.
func (s *Screen) resolveBlock() {
	v, ok := s.block.Get()
	if !ok {
		switch err := s.block.Err(); {
		case err == nil || s.block.Busy():
		case apiclient.RouteGone(err):
			s.fail(unreachable{"This block is not loaded", "this server has no lookup by block hash; a block that is scrolled to once is found again"})
		default:
			s.fail(err)
		}
		return
	}
	if known := s.chain.At(v.Height); known == nil || known.ID() != v.ID() {
		s.chain.Insert(v)
		s.changed()
	}
	s.selectRecord(s.chain.ByID(v.ID()))
}

func (s *Screen) fail(err error) { s.problem, s.target = err, nav.Place{} }

func (s *Screen) selectRecord(r *chain.Block) {
	s.target = nav.Place{}
	if r == nil {
		return
	}
	if !r.Canonical {
		s.List.SelectID(r.ID())
		return
	}
	s.List.Select(s.chain.RowOf(r.Height))
}
