package walletpane

import (
	"slices"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// page is one thing that fills the pane: the overview, a form, a result. Pages
// lie on each other; esc takes the uppermost away.
type page interface {
	// Key handles a key; false when the page has no use for it.
	Key(msg tea.KeyMsg) (tea.Cmd, bool)
	// SetSize sets the cells that View may fill.
	SetSize(width, height int)
	// View draws at most as many lines as the page is high.
	View(now time.Time) []string
	Crumb() string
	Hint() string
	Typing() bool
	Scopes() []string
	Subject() screen.Subject
	SetTheme(th *theme.Theme)
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

// Scopes returns the scopes of the key map that hold here.
func (b *base) Scopes() []string { return []string{"wallet"} }

// SetTheme does nothing: a page draws with the colors of the screen.
func (b *base) SetTheme(*theme.Theme) {}

// open puts a page on top.
func (s *Screen) open(p page) {
	p.SetSize(s.width, s.height)
	s.pages = append(s.pages, p)
}

// top returns the page that has the keys.
func (s *Screen) top() page { return s.pages[len(s.pages)-1] }

// goHome takes away all pages but the first. Forms keep what is typed in them.
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

// back takes the uppermost page away; false when it is the last.
func (s *Screen) back() bool {
	if len(s.pages) == 1 {
		return false
	}
	s.pages = s.pages[:len(s.pages)-1]
	return true
}

// accepted takes away a form whose texts are in force.
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
