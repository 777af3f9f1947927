// Package bookmarks keeps places in a document on disk and is the box that lists
// them.
package bookmarks

import (
	"slices"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/overlay/menu"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// document is the name of the document that keeps the bookmarks.
const document = "bookmarks"

// bookmark is a place as it is kept.
type bookmark struct {
	Place string    `json:"place"`
	Title string    `json:"title"`
	Added time.Time `json:"added"`
}

type kept struct {
	Bookmarks []bookmark `json:"bookmarks"`
}

// Toggle returns the command that keeps a place, or forgets one that is kept.
// The title says what is to be seen there.
func Toggle(store *state.Store, place nav.Place, title string, now time.Time) tea.Cmd {
	added := bookmark{Place: place.String(), Title: title, Added: now.UTC()}
	return func() tea.Msg {
		removed := false
		err := state.Update(store, document, func(all *kept) error {
			before := len(all.Bookmarks)
			all.Bookmarks = without(all.Bookmarks, added.Place)
			if removed = len(all.Bookmarks) < before; !removed {
				all.Bookmarks = append(all.Bookmarks, added)
			}
			return nil
		})
		switch {
		case err != nil:
			return overlay.Fail("the bookmark was not saved: " + err.Error())()
		case removed:
			return screen.NoticeMsg{Text: "bookmark removed: " + nameOf(place)}
		}
		return screen.NoticeMsg{Text: "bookmarked: " + nameOf(place)}
	}
}

func without(all []bookmark, place string) []bookmark {
	return slices.DeleteFunc(all, func(b bookmark) bool { return b.Place == place })
}

// nameOf names a place for people: a burn height is called one.
func nameOf(p nav.Place) string {
	if (p.Kind == nav.KindBlock || p.Kind == nav.KindBurnBlocks) && p.Ref.By == nav.ByBurnHeight {
		what := "newest block of burn block "
		if p.Kind == nav.KindBurnBlocks {
			what = "burn block "
		}
		return what + text.Count(p.Ref.Height)
	}
	return p.String()
}

// Named returns the places that are kept, to be found by their titles.
func Named(store *state.Store) ([]screen.Named, error) {
	var all kept
	_, err := store.Get(document, &all)
	var out []screen.Named
	for _, b := range all.Bookmarks {
		if place, bad := nav.Parse(b.Place); bad == nil {
			out = append(out, screen.Named{Kind: "bookmark", Title: nameOf(place), Note: text.Truncate(b.Title, 40), Words: b.Title, Place: place})
		}
	}
	return out, err
}

// readMsg is what the document held.
type readMsg struct {
	bookmarks []bookmark
	err       error
}

// Box is the overlay.
type Box struct {
	*menu.Menu
	store *state.Store
}

// New returns the box and the command that reads the bookmarks.
func New(th *theme.Theme, store *state.Store) (*Box, tea.Cmd) {
	b := &Box{store: store}
	b.Menu = menu.New(th, "Bookmarks", nil, true, open)
	b.Picker.Empty = "no bookmarks yet: press b at a place to keep it"
	b.Hint = "type to narrow  enter open  del remove  esc close"
	return b, func() tea.Msg {
		var all kept
		_, err := store.Get(document, &all)
		return readMsg{all.Bookmarks, err}
	}
}

// Update takes what was read.
func (b *Box) Update(msg tea.Msg) tea.Cmd {
	read, ok := msg.(readMsg)
	if !ok {
		return nil
	}
	if read.err != nil {
		return overlay.Fail("the bookmarks cannot be read: " + read.err.Error())
	}
	items := make([]picker.Item, len(read.bookmarks))
	for i, one := range read.bookmarks {
		label := one.Place
		if place, err := nav.Parse(one.Place); err == nil {
			label = nameOf(place)
		}
		items[i] = picker.Item{ID: one.Place, Label: label, Note: text.Truncate(one.Title, 40)}
	}
	b.Picker.SetItems(items)
	return nil
}

func open(place string) tea.Cmd {
	p, err := nav.Parse(place)
	if err != nil {
		return overlay.Fail("the bookmark is damaged: " + err.Error())
	}
	return screen.Go(p)
}

// Key removes the bookmark under the cursor with del, unless del deletes a
// character of the query, or does what the menu does.
func (b *Box) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	item, ok := b.Picker.Current()
	if !ok || msg.Type != tea.KeyDelete || !b.Picker.AtEnd() {
		return b.Menu.Key(msg)
	}
	return func() tea.Msg {
		var left []bookmark
		err := state.Update(b.store, document, func(all *kept) error {
			all.Bookmarks = without(all.Bookmarks, item.ID)
			left = slices.Clone(all.Bookmarks)
			return nil
		})
		return readMsg{left, err}
	}, false
}
