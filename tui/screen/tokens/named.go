package tokens

import (
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// Learn requests the catalogue and the tokens shown before, once.
func (s *Screen) Learn() tea.Cmd {
	if s.catalogue.State() != remote.Idle || s.recent.State() != remote.Idle {
		return nil
	}
	if !s.opts.List { // opening "go to" sends no request
		return s.requestRecent()
	}
	return s.requestLists()
}

// Named returns the tokens that can be picked, and the search for what is typed where
// typing does not make it.
func (s *Screen) Named(typed string) []screen.Named {
	out := make([]screen.Named, len(s.known))
	for i, p := range s.known {
		note := p.Kind()
		if p.What != "" {
			note += ", " + p.What
		}
		if p.Seen {
			note += ", shown before"
		}
		out[i] = screen.Named{Kind: "token", Title: p.shownAs(), Note: note, Words: p.Principal, Place: p.place()}
	}
	if wanted := searchable(typed); wanted != "" && wanted == s.search.wanted && s.needsPerson() {
		out = append(out, screen.Named{
			Kind: "tokens", Title: "search this API for “" + wanted + "”", Note: "2 requests", Words: typed,
			Place: nav.Tokens(), Run: func() tea.Cmd { return s.searchFor(wanted) },
		})
	}
	return out
}
