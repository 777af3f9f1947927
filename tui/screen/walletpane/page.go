package walletpane

import (
	"slices"

	"chainscope/tui/screen"
	"chainscope/tui/theme"
)

// page fills the pane: the overview, a form, a result. Pages lie on each other; esc removes the
// uppermost.
type page interface {
	screen.Page
	Crumb() string
	Hint() string
}

// base has the methods that pages share; a page overrides those that differ.
type base struct {
	screen        *Screen
	width, height int
}

// SetSize sets the cells that View may fill.
func (b *base) SetSize(width, height int) { b.width, b.height = width, height }

// Typing reports whether keys are text.
func (b *base) Typing() bool { return false }

// SetTheme does nothing: a page draws with the colors of the screen.
func (b *base) SetTheme(*theme.Theme) {}

// open puts a page on top.
func (s *Screen) open(p page) {
	p.SetSize(s.width, s.height)
	s.pages = append(s.pages, p)
}

// top returns the page that has the keys.
func (s *Screen) top() page { return s.pages[len(s.pages)-1] }

// goHome removes all pages but the first. Forms keep what is typed in them.
func (s *Screen) goHome() {
	for _, p := range s.pages {
		if f, is := p.(*formPage); is {
			s.saveDraft(f)
		}
	}
	s.pages = s.pages[:1]
}

// begin leaves what a new request is opened on: the page of a call, to which esc leads back, else the first.
func (s *Screen) begin() {
	if _, onCall := s.top().(*resultPage); !onCall {
		s.goHome()
	}
}

// back removes the uppermost page; false when it is the last.
func (s *Screen) back() bool {
	if len(s.pages) == 1 {
		return false
	}
	s.pages = s.pages[:len(s.pages)-1]
	return true
}

// accepted removes a form whose texts are in force.
func (s *Screen) accepted(p *formPage) {
	if s.top() == page(p) {
		s.back()
	}
	delete(s.drafts, p.draftName)
}

// swap puts a page in the place of another, or on top when that one is gone.
func (s *Screen) swap(old, fresh page) {
	i := slices.Index(s.pages, old)
	if i < 0 {
		s.open(fresh)
		return
	}
	fresh.SetSize(s.width, s.height)
	s.pages[i] = fresh
}
