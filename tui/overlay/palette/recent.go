package palette

import (
	"context"
	"errors"

	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/screen"
	"chainscope/tui/state"

	tea "github.com/charmbracelet/bubbletea"
)

// document keeps the places that were visited, the most recent first.
const document = "recent"

// maxRecent bounds how many places are kept.
const maxRecent = 50

type recent struct {
	// Networks holds them by the name of the API.
	Networks map[string][]string `json:"networks"`
}

// kept holds what is kept on disk.
type kept struct {
	recent    []row
	bookmarks []screen.Named
}

// readKept returns the command that reads the recent places and the bookmarks.
func (p *Palette) readKept() tea.Cmd {
	store, network, bookmarks := p.Store, p.Network, p.Bookmarks
	if store == nil {
		return nil
	}
	return screen.Fetch(p.Env, &p.kept, func(context.Context) (kept, error) {
		var r recent
		_, err := store.Get(document, &r)
		marked, bad := bookmarks()
		all := kept{bookmarks: marked}
		for _, one := range r.Networks[network] {
			if place, err := nav.Parse(one); err == nil {
				all.recent = append(all.recent, row{Reading: nav.Reading{Name: "recent", About: one, Place: place}, fill: one})
			}
		}
		return all, errors.Join(err, bad)
	})
}

// remember returns the command that makes a place the most recent one of a network.
func remember(store *state.Store, network string, p nav.Place) tea.Cmd {
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		err := state.Update(store, document, func(r *recent) error {
			if r.Networks == nil {
				r.Networks = map[string][]string{}
			}
			r.Networks[network] = state.Recent(r.Networks[network], p.String(), func(a, b string) bool { return a == b }, maxRecent)
			return nil
		})
		if err != nil {
			return overlay.Fail("recent places were not saved: " + err.Error())()
		}
		return nil
	}
}
