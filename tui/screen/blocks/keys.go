package blocks

import (
	"strconv"

	"chainscope/tui/nav"
	"chainscope/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Key implements screen.Screen.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if s.filter.Typing() {
		if s.filter.Key(msg) {
			s.changed()
		}
		s.layout()
		return s.load(), true
	}
	cmd, ok := s.command(msg)
	s.layout()
	s.look()
	if ok {
		return tea.Batch(cmd, s.load()), true
	}
	return nil, false
}

func (s *Screen) command(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := s.env.Keys
	switch {
	case key.Matches(msg, k.Global.NextPane), key.Matches(msg, k.Global.PrevPane):
		if s.focus == onList {
			s.openDetail()
		} else {
			s.closeDetail()
		}
		return nil, true
	case key.Matches(msg, k.Global.Up):
		return nil, s.up()
	case key.Matches(msg, k.Global.Grow):
		s.sizing = s.sizing.grow(s.sizes())
		return nil, true
	case key.Matches(msg, k.Global.Shrink):
		s.sizing = s.sizing.shrink(s.sizes())
		return nil, true
	case key.Matches(msg, k.Global.Density):
		s.compact = !s.compact
		return nil, true
	case key.Matches(msg, k.Global.Context) && s.width >= contextWidth:
		s.context = (s.context + 1) % contextPanes
		return nil, true
	case key.Matches(msg, k.Blocks.ShowNew):
		s.problem = nil
		s.list.Select(0)
		return nil, true
	case key.Matches(msg, k.List.Filter):
		s.filter.Begin()
		s.focus = onList
		return nil, true
	}
	if s.focus == onDetail {
		s.fill(s.env.Now())
		if key.Matches(msg, k.Detail.Follow) {
			return s.follow(), true
		}
		return nil, s.detail.Key(msg)
	}
	return nil, s.listKey(msg)
}

func (s *Screen) listKey(msg tea.KeyMsg) bool {
	k := s.env.Keys.List
	switch {
	case key.Matches(msg, k.Open):
		s.openDetail()
	case key.Matches(msg, k.NextPage):
		s.list.Move(pageSize)
	case key.Matches(msg, k.PrevPage):
		s.list.Move(-pageSize)
	case key.Matches(msg, k.Last) && !s.source.filter:
		s.list.Select(s.known.lastLoaded())
	default:
		if !s.list.Key(msg) {
			return false
		}
	}
	s.problem = nil
	return true
}

// up closes what is open: a request that is waited for, the detail, a filter.
func (s *Screen) up() bool {
	switch {
	case !s.known.started && s.tip.Busy():
		s.tip.Cancel()
	case s.block.Busy():
		s.block.Cancel()
		s.fail(unreachable{"Given up", "the block was not waited for"})
	case s.focus == onDetail && s.opened.Kind == nav.KindBlocks:
		s.closeDetail()
	case s.filter.Query() != "":
		s.narrow("")
	default:
		return false
	}
	return true
}

func (s *Screen) openDetail() {
	if _, ok := s.list.Cursor(); ok {
		s.focus = onDetail
	}
}

func (s *Screen) closeDetail() {
	s.focus, s.problem = onList, nil
	if s.sizing == sizeDetail {
		s.sizing = sizeAuto
	}
}

// follow goes where the field under the cursor leads.
func (s *Screen) follow() tea.Cmd {
	row, ok := s.detail.Cursor()
	r := s.current()
	switch {
	case !ok || r == nil:
		return nil
	case row.Label == tenureLabel && r.TenureHeight != nil:
		s.narrow(tenureWord + strconv.FormatInt(*r.TenureHeight, 10))
		s.closeDetail()
		return nil
	case row.To != nil:
		return screen.Go(*row.To)
	case row.URL != "":
		return screen.Notice("transactions are seen in the web explorer: o opens it, y copies the id")
	}
	return nil
}
