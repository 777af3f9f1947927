package names

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Key handles a key and reports whether it was one of the screen's.
func (s *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.asking():
		return s.chooseKey(msg)
	case s.typing:
		return s.typeKey(msg)
	}
	k := s.env.Keys
	s.back = nil // whoever moves is not brought back any more
	switch {
	case key.Matches(msg, k.Global.Up):
		return s.close(msg)
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		s.enter(!s.inDetail)
	case key.Matches(msg, k.Names.Unanchored):
		place := s.place
		place.Unanchored, place.Page = !place.Unanchored, min(place.Page, 1)
		return s.show(place), true
	case key.Matches(msg, k.Names.All):
		return s.show(s.otherMode()), true
	case key.Matches(msg, k.Names.Namespace):
		return s.ask(nil), true
	case key.Matches(msg, k.List.Filter):
		s.typing, s.inDetail = true, false
		s.input.SetValue(s.search.query)
		s.input.CursorEnd()
		s.layout()
	case key.Matches(msg, k.List.NextPage):
		return s.page(1), true
	case key.Matches(msg, k.List.PrevPage):
		return s.page(-1), true
	case s.split.Key(msg, k, s.width, s.height-head):
		s.layout()
	case s.inDetail:
		return s.detailKey(msg)
	case key.Matches(msg, k.List.Open):
		s.enter(true)
	case s.list.Key(msg):
		s.describe()
	default:
		return nil, false
	}
	return nil, true
}

func (s *Screen) detailKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if key.Matches(msg, s.env.Keys.Detail.Follow) {
		if row, ok := s.detail.Cursor(); ok && row.To != nil {
			if row.To.Namespace == s.place.Namespace && row.To.Kind == nav.KindNames {
				return s.show(*row.To), true
			}
			return screen.Go(*row.To), true
		}
		return nil, true
	}
	return nil, s.detail.Key(msg)
}

// close closes what is open, the nearest first: the detail, the reading, the
// search.
func (s *Screen) close(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.inDetail:
		s.enter(false)
	case msg.String() != "esc":
		return nil, false
	case s.names.Busy():
		s.stop()
	case s.search.query != "":
		return s.find(""), true
	default:
		return nil, false
	}
	return nil, true
}

// enter moves the keys to the detail or back to the list.
func (s *Screen) enter(detail bool) {
	if _, ok := s.list.Cursor(); detail && !ok {
		return
	}
	s.inDetail = detail
	s.layout()
}

// typeKey handles a key while a search is typed.
func (s *Screen) typeKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "enter", "tab":
		s.typing = false
		s.layout()
		return nil, true
	case "esc":
		s.typing = false
		s.layout()
		return s.find(""), true
	case "up", "down", "pgup", "pgdown":
		s.list.Key(msg)
		s.describe()
		return nil, true
	case "ctrl+p", "ctrl+g", "ctrl+c":
		return nil, false
	}
	s.input, _ = s.input.Update(msg)
	if s.input.Value() == s.search.query {
		return nil, true
	}
	return s.find(s.input.Value()), true
}

// page goes to the next or previous page: of the API, or among all names to
// where the next or previous page begins.
func (s *Screen) page(step int) tea.Cmd {
	c, there := s.names.Get()
	if s.place.Page == 0 {
		if i, ok := s.list.Cursor(); ok && there && s.search.answered == "" {
			page := c.pageAt(i)
			if step < 0 && int(c.starts[page-1]) < i {
				step = 0 // first to the begin of this page
			}
			if to := page - 1 + step; to >= 0 && to < len(c.starts) {
				s.list.Select(int(c.starts[to]))
				s.describe()
			}
		}
		return nil
	}
	if step < 0 && s.place.Page == 1 {
		return screen.Notice("this is the first page")
	}
	if step > 0 && there && c.page == s.place.Page && c.list.Len() == 0 {
		return screen.Notice("there are no names beyond this page")
	}
	place := s.place
	place.Page += step
	return s.show(place)
}

// otherMode is the place of the single page around the cursor, or of all names.
func (s *Screen) otherMode() nav.Place {
	place := s.place
	if place.Page > 0 {
		place.Page = 0
		return place
	}
	place.Page = 1
	if c, ok := s.names.Get(); ok {
		if i, ok := s.list.Cursor(); ok {
			place.Page = max(1, c.pageAt(rows{s}.index(i)))
		}
	}
	return place
}
