package tui

import "chainscope/tui/state"

// recently keeps on disk what was looked at, for each network. Its methods wait for the
// disk. Errors are ignored: only a suggestion is lost.
type recently struct {
	store    *state.Store // nil keeps nothing
	network  string
	document string
	most     int // for each network
}

// recent returns what was looked at, the most recent first.
func (h recently) recent() []string {
	var all map[string][]string
	if h.store == nil {
		return nil
	}
	if _, err := h.store.Get(h.document, &all); err != nil {
		return nil
	}
	return all[h.network]
}

// remember notes that a thing was looked at.
func (h recently) remember(id string) {
	if h.store == nil {
		return
	}
	_ = state.Update(h.store, h.document, func(all *map[string][]string) error {
		if *all == nil {
			*all = map[string][]string{}
		}
		(*all)[h.network] = state.Recent((*all)[h.network], id, func(a, b string) bool { return a == b }, h.most)
		return nil
	})
}
