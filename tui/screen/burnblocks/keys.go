package burnblocks

import (
	"chainscope/tui/nav"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// OwnKey handles the keys of the place.
func (s *Screen) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	if !s.listing() {
		if key.Matches(msg, k.Blocks.ShowNew) {
			s.List.Select(0)
			return s.Changed(), true
		}
		return nil, false
	}
	switch {
	case key.Matches(msg, k.Blocks.Transactions):
		if b := s.one.cursor(); b != nil {
			return s.GoTransactions(b.Listed()), true
		}
	case key.Matches(msg, k.Burn.Older):
		return s.step(-1), true
	case key.Matches(msg, k.Burn.Newer):
		return s.step(1), true
	case key.Matches(msg, k.Blocks.ShowNew):
		return s.showNewer(), true
	case s.InDetail:
	case key.Matches(msg, k.List.NextPage):
		s.List.Move(pageSize - s.List.Position()%pageSize)
		return s.Changed(), true
	case key.Matches(msg, k.List.PrevPage):
		s.List.Move(-(pageSize + s.List.Position()%pageSize))
		return s.Changed(), true
	}
	return nil, false
}

// OpenRow goes to the burn block under the cursor, or into the detail of the block.
func (s *Screen) OpenRow() tea.Cmd {
	if s.listing() {
		s.Enter(true)
		return nil
	}
	i, ok := s.List.Cursor()
	if !ok {
		return nil
	}
	return s.env.Visit(nav.BurnBlockAtHeight(s.over.height(i)))
}

func (s *Screen) OpenLabel() string {
	if s.listing() {
		return "the block"
	}
	return "its blocks"
}
