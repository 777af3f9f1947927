package listing

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
)

// OwnKey handles the keys of the list's own.
func (s *Screen[T]) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	for _, k := range s.of.Keys {
		if !key.Matches(msg, *k.Binding) {
			continue
		}
		if k.Uses != nil {
			return screen.Use(k.Uses), true
		}
		if k.Do != nil {
			return k.Do(s.under()), true
		}
		if to := k.To(s.opened, s.under()); to != (nav.Place{}) {
			return screen.Go(to), true
		}
	}
	return nil, false
}

// under returns the thing under the cursor, nil for none.
func (s *Screen[T]) under() *T {
	if r := s.current(); r != nil {
		return &r.Of
	}
	return nil
}

// OwnScopes returns the scopes of those keys.
func (s *Screen[T]) OwnScopes() []string {
	if s.of.Scope == "" {
		return nil
	}
	return []string{s.of.Scope}
}

// Leaves reports that esc leaves a thing that was opened by itself.
func (s *Screen[T]) Leaves() bool { return s.of.IDOf(s.opened) != "" }
