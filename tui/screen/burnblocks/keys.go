package burnblocks

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Key handles a key and reports whether it was one of the screen's.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if s.Typing() {
		return s.typeKey(msg), true
	}
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Global.Up):
		return nil, s.close(msg)
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		s.enter(!s.inDetail)
		return nil, true
	case s.split.Key(msg, k, s.width, s.height-head):
		s.layout()
		return s.need(), true
	case s.listing():
		if cmd, ok := s.listingKey(msg); ok {
			return cmd, true
		}
	case key.Matches(msg, k.Blocks.ShowNew):
		s.over.list.Move(-s.over.list.Position())
		return s.moved(), true
	}
	if s.inDetail {
		return s.detailKey(msg)
	}
	switch {
	case key.Matches(msg, k.List.Open):
		return s.open(), true
	case s.current().Key(msg):
		return s.moved(), true
	}
	return nil, false
}

// moved is called when the cursor went elsewhere.
func (s *Screen) moved() tea.Cmd {
	s.describe()
	if s.listing() {
		if s.one.looked.edge {
			s.one.looked = looked{}
		}
		if s.one.list.Position() == 0 {
			s.one.fresh = 0
		}
		return s.moreOne()
	}
	s.looks()
	return s.need()
}

// listingKey handles the keys of one burn block.
func (s *Screen) listingKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Burn.Older):
		return s.step(-1), true
	case key.Matches(msg, k.Burn.Newer):
		return s.step(1), true
	case key.Matches(msg, k.Blocks.ShowNew):
		return s.showNewer(), true
	case key.Matches(msg, k.List.Filter):
		s.one.typing, s.inDetail = true, false
		s.layout()
		return nil, true
	case key.Matches(msg, k.List.NextPage):
		s.one.list.Move(pageSize - s.one.list.Position()%pageSize)
		return s.moved(), true
	case key.Matches(msg, k.List.PrevPage):
		s.one.list.Move(-(pageSize + s.one.list.Position()%pageSize))
		return s.moved(), true
	}
	return nil, false
}

func (s *Screen) detailKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !key.Matches(msg, s.env.Keys.Detail.Follow) {
		return nil, s.detail.Key(msg)
	}
	row, ok := s.detail.Cursor()
	switch {
	case !ok:
	case row.To != nil:
		return screen.Go(*row.To), true
	case row.Label == tenureLabel && row.Copy != "" && s.listing():
		s.narrow(tenureWord + row.Copy)
		s.enter(false)
	}
	return nil, true
}

// open goes to the burn block under the cursor, or into the detail of the block.
func (s *Screen) open() tea.Cmd {
	if s.listing() {
		s.enter(true)
		return nil
	}
	i, ok := s.over.list.Cursor()
	if !ok {
		return nil
	}
	return screen.Go(nav.BurnBlockAtHeight(burnRows{s}.height(i)))
}

// close closes what is open, the nearest first: the detail, the walk, the
// filter, a request that is slow.
func (s *Screen) close(msg tea.KeyMsg) bool {
	switch {
	case s.inDetail:
		s.enter(false)
	case msg.String() != "esc":
		return false
	case s.one.walk.Busy():
		s.one.walk.Cancel()
	case s.listing() && s.one.query != "":
		s.narrow("")
	case s.listing() && s.one.value.Busy():
		s.one.value.Cancel()
	case !s.listing() && s.over.tip.Busy():
		s.over.tip.Cancel()
	default:
		return false
	}
	return true
}

// enter moves the keys to the detail or back to the list.
func (s *Screen) enter(detail bool) {
	if _, ok := s.current().Cursor(); detail && !ok {
		return
	}
	s.inDetail = detail
	s.layout()
}

// narrow filters the blocks.
func (s *Screen) narrow(query string) {
	s.one.query, s.one.looked = query, looked{}
	s.one.filter()
	s.describe()
}

// typeKey handles a key while a filter is typed.
func (s *Screen) typeKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.Type {
	case tea.KeyEsc:
		s.one.typing = false
		s.narrow("")
	case tea.KeyEnter, tea.KeyTab:
		s.one.typing = false
	case tea.KeyUp, tea.KeyDown:
		s.one.list.Key(msg)
		return s.moved()
	case tea.KeyBackspace:
		if r := []rune(s.one.query); len(r) > 0 {
			s.narrow(string(r[:len(r)-1]))
		}
	case tea.KeyCtrlU:
		s.narrow("")
	case tea.KeyRunes, tea.KeySpace:
		s.narrow(s.one.query + string(msg.Runes))
	}
	return nil
}
