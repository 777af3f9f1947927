package listing

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"chainscope/tui/nav"
)

// Key is a key of a list's own.
type Key[T any] struct {
	Binding *key.Binding
	// To returns the place it leads to from a place and the thing under the cursor, nil for none; the
	// zero place for nowhere.
	To func(at nav.Place, of *T) nav.Place
	// Uses is the key of the explorer whose command it runs, nil for one that leads to a place.
	Uses *key.Binding
	// Do does something about the thing under the cursor, nil for none; nil for one that leads to a place.
	Do func(of *T) tea.Cmd
	// At does something about the place, nil for one that leads to another.
	At func(nav.Place) tea.Cmd
	// Named reports whether the line above the list names the key; nil means always.
	Named func(of *T) bool
}

// KeyTo returns a key that leads from the thing under the cursor to a place of its.
func KeyTo[T any](binding *key.Binding, to func(T) nav.Place) Key[T] {
	return Key[T]{Binding: binding, To: func(_ nav.Place, of *T) nav.Place {
		if of == nil {
			return nav.Place{}
		}
		return to(*of)
	}}
}

// OwnKey handles the keys of the list's own.
func (s *Screen[T]) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	for _, k := range s.of.Keys {
		if !key.Matches(msg, *k.Binding) {
			continue
		}
		if k.Uses != nil {
			return s.Env.Use(k.Uses), true
		}
		if k.Do != nil {
			return k.Do(s.under()), true
		}
		if k.At != nil {
			return k.At(s.opened), true
		}
		if to := k.To(s.opened, s.under()); to != (nav.Place{}) {
			return s.Env.Visit(to), true
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
