package tui

import (
	"slices"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tab is a screen with its name in the tab line.
type tab struct {
	kind   nav.Kind
	title  string
	short  string // "" for a list that belongs to another tab
	screen screen.Screen
	parts  []nav.Part // those of a contract that it shows, for a place that is made of them
}

// number returns the tab's in the tab line; home comes before the first.
func (t tab) number() int {
	order := []nav.Kind{nav.KindHome, nav.KindBlocks, nav.KindBurnBlocks, nav.KindTokens, nav.KindNamespaces, nav.KindWallet, nav.KindTransactions, nav.KindAccounts, nav.KindContracts}
	return max(0, slices.Index(order, t.kind))
}

// place returns the landing place of the tab.
func (t tab) place() nav.Place {
	if t.kind == nav.KindNames || t.parts != nil {
		return nav.Place{Kind: t.kind.Tab()}
	}
	return nav.Place{Kind: t.kind}
}

// tabs are the places of the explorer in the order of the tab line, and after them those
// that have no tab of their own.
type tabs []tab

// find returns the index of the tab that shows a place.
func (all tabs) find(p nav.Place) (int, bool) {
	at := slices.IndexFunc(all, func(t tab) bool {
		return t.kind == p.Kind && (t.parts == nil || slices.Contains(t.parts, p.Part))
	})
	if at < 0 {
		at = slices.IndexFunc(all, func(t tab) bool { return t.kind == p.Kind.Tab() })
	}
	return max(0, at), at >= 0
}

// broadcast hands a message to every screen: an answer belongs to the screen
// of the request, and the others drop it.
func (all tabs) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range all {
		cmds = append(cmds, t.screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

func (all tabs) setTheme(th *theme.Theme) {
	for _, t := range all {
		t.screen.SetTheme(th)
	}
}

func (all tabs) redraw() {
	for _, t := range all {
		t.screen.Redraw()
	}
}

// loader is a screen that finds blocks by the hashes in them.
type loader interface {
	Loaded(hash string) []nav.Loaded
}

// loaded returns the loaded blocks that a hash belongs to.
func (all tabs) loaded(hash string) []nav.Loaded {
	var found []nav.Loaded
	for _, t := range all {
		if s, ok := t.screen.(loader); ok {
			found = append(found, s.Loaded(hash)...)
		}
	}
	return found
}

// tipper is a screen that has the height of the chain.
type tipper interface {
	Tips() (height, burnHeight int64)
}

// tips returns the greatest heights that a screen has seen, 0 for unknown.
func (all tabs) tips() (height, burnHeight int64) {
	for _, t := range all {
		if s, ok := t.screen.(tipper); ok {
			h, burn := s.Tips()
			height, burnHeight = max(height, h), max(burnHeight, burn)
		}
	}
	return height, burnHeight
}

// named returns the things of all screens whose names may hold a query.
func (all tabs) named(query string) []screen.Named {
	var found []screen.Named
	for _, t := range all {
		if s, ok := t.screen.(screen.Finder); ok {
			found = append(found, s.Named(query)...)
		}
	}
	return found
}

// learn requests the things that can be found by name and are not known yet.
func (all tabs) learn() tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range all {
		if s, ok := t.screen.(screen.Finder); ok {
			cmds = append(cmds, s.Learn())
		}
	}
	return tea.Batch(cmds...)
}

// search requests things of the server that are named by a text.
func (all tabs) search(typed string) tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range all {
		if s, ok := t.screen.(screen.Searcher); ok {
			cmds = append(cmds, s.Search(typed))
		}
	}
	return tea.Batch(cmds...)
}

// keys returns the keys of the tabs.
func (all tabs) keys(k *keymap.Global) []*key.Binding {
	of := []*key.Binding{&k.Tab0, &k.Tab1, &k.Tab2, &k.Tab3, &k.Tab4, &k.Tab5, &k.Tab6, &k.Tab7, &k.Tab8}
	var keys []*key.Binding
	for _, t := range all {
		if t.short != "" {
			keys = append(keys, of[t.number()])
		}
	}
	return keys
}

// places returns the tabs, to be gone to by name.
func (all tabs) places(k *keymap.Global) []screen.Named {
	var out []screen.Named
	keys := all.keys(k)
	for i, t := range all {
		if t.place().Kind != t.kind { // it has no list of its own
			continue
		}
		n := screen.Named{Kind: "place", Title: t.title, Place: t.place()}
		if i < len(keys) {
			n.Key = keymap.First(*keys[i])
		}
		out = append(out, n)
	}
	return append(out, screen.Named{Kind: "place", Title: "Mempool", Place: nav.Mempool()})
}
