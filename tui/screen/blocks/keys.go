package blocks

import (
	"chainscope/tui/chain"
	"chainscope/tui/nav"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// OwnKey handles the keys of the place.
func (s *Screen) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Blocks.ShowNew):
		s.problem = nil
		s.List.Select(0)
	case key.Matches(msg, k.Blocks.Transactions):
		if r := s.current(); r != nil {
			return s.GoTransactions(r.Listed()), true
		}
	case s.InDetail:
		return nil, false
	case key.Matches(msg, k.List.NextPage):
		s.List.Move(chain.PageSize)
	case key.Matches(msg, k.List.PrevPage):
		s.List.Move(-chain.PageSize)
	case key.Matches(msg, k.List.Last) && !s.Arranged():
		s.List.Select(s.chain.LastLoaded())
	default:
		if !key.Matches(msg, k.List.Filter) {
			s.problem = nil
		}
		return nil, false
	}
	return s.Changed(), true
}

// Leaves reports whether esc leaves a block for the place that one came
// from, and not for the list.
func (s *Screen) Leaves() bool { return s.opened.Kind == nav.KindBlock && !s.block.Busy() }

// Cancel cancels a request that is under way.
func (s *Screen) Cancel() bool {
	switch {
	case !s.chain.Started && s.tip.Busy():
		s.tip.Cancel()
	case s.block.Busy():
		s.block.Cancel()
		s.fail(unreachable{"Cancelled", "the block was not loaded"})
	default:
		return false
	}
	return true
}
