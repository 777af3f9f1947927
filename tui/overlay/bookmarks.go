package overlay

import (
	"context"
	"slices"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// bookmarksDocument is the name of the document that keeps the bookmarks.
const bookmarksDocument = "bookmarks"

// bookmark is a place as it is kept.
type bookmark struct {
	Place string `json:"place"`
	// Network is the name of the API that it was kept on, "" where that was not noted: then it is
	// listed everywhere.
	Network string    `json:"network,omitempty"`
	Title   string    `json:"title"`
	Added   time.Time `json:"added"`
}

type bookmarkList struct {
	Bookmarks []bookmark `json:"bookmarks"`
}

// on reports whether the bookmark is one of a network.
func (b bookmark) on(network string) bool { return b.Network == "" || b.Network == network }

// ToggleBookmark returns the command that keeps a place of a network, or forgets one that is kept.
// The title says what is to be seen there.
func ToggleBookmark(store *state.Store, network string, place nav.Place, title string, now time.Time) tea.Cmd {
	added := bookmark{Place: place.String(), Network: network, Title: title, Added: now.UTC()}
	return func() tea.Msg {
		removed := false
		err := state.Update(store, bookmarksDocument, func(all *bookmarkList) error {
			before := len(all.Bookmarks)
			all.Bookmarks = without(all.Bookmarks, network, added.Place)
			if removed = len(all.Bookmarks) < before; !removed {
				all.Bookmarks = append(all.Bookmarks, added)
			}
			return nil
		})
		switch {
		case err != nil:
			return Fail("the bookmark was not saved: " + err.Error())()
		case removed:
			return screen.NoticeMsg{Text: "bookmark removed: " + shortName(place)}
		}
		return screen.NoticeMsg{Text: "bookmarked: " + shortName(place)}
	}
}

func without(all []bookmark, network, place string) []bookmark {
	return slices.DeleteFunc(all, func(b bookmark) bool { return b.Place == place && b.on(network) })
}

// shortName names a place in a part of a line.
func shortName(p nav.Place) string { return text.Middle(nameOf(p), 48) }

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

// NamedBookmarks returns the places of a network that are kept, to be found by their titles.
func NamedBookmarks(store *state.Store, network string) ([]screen.Named, error) {
	var all bookmarkList
	_, err := store.Get(bookmarksDocument, &all)
	var out []screen.Named
	for _, b := range all.Bookmarks {
		if place, bad := nav.Parse(b.Place); bad == nil && b.on(network) {
			out = append(out, screen.Named{Kind: "bookmark", Title: nameOf(place), Note: text.Truncate(b.Title, 40), Words: b.Title, Place: place})
		}
	}
	return out, err
}

// bookmarkRemoved says that the document has one less.
type bookmarkRemoved struct{}

// Bookmarks is the box that lists the places that are kept in a document on disk.
type Bookmarks struct {
	*Menu
	env     *screen.Env
	store   *state.Store
	network string
	kept    remote.Value[[]bookmark]
}

// NewBookmarks returns the box and the command that reads the bookmarks.
func NewBookmarks(th *theme.Theme, env *screen.Env, store *state.Store, network string) (*Bookmarks, tea.Cmd) {
	b := &Bookmarks{env: env, store: store, network: network}
	b.Menu = NewMenu(th, "Bookmarks", nil, true, func(place string) tea.Cmd { return openBookmark(place, env.Visit) })
	b.Picker.Empty = "no bookmarks yet: press b at a place to keep it"
	b.Hint = "type to narrow  enter open  del remove  esc close"
	return b, b.read()
}

// read returns the command that reads the bookmarks.
func (b *Bookmarks) read() tea.Cmd {
	return screen.Fetch(b.env, &b.kept, func(context.Context) ([]bookmark, error) {
		var all bookmarkList
		_, err := b.store.Get(bookmarksDocument, &all)
		return all.Bookmarks, err
	})
}

// Update takes what was read, and reads again what was changed.
func (b *Bookmarks) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case bookmarkRemoved:
		return b.read()
	case screen.Fetched[[]bookmark]:
		if b.kept.Settle(msg.Key, msg.Value, msg.Err, msg.At) && msg.Err != nil {
			return Fail("the bookmarks cannot be read: " + msg.Err.Error())
		}
		b.show()
	}
	return nil
}

// show lists the bookmarks of the network.
func (b *Bookmarks) show() {
	all, _ := b.kept.Get()
	var items []picker.Item
	for _, one := range all {
		if !one.on(b.network) {
			continue
		}
		label := one.Place
		if place, err := nav.Parse(one.Place); err == nil {
			label = nameOf(place)
		}
		items = append(items, picker.Item{ID: one.Place, Label: label, Note: text.Truncate(one.Title, 40)})
	}
	b.Picker.SetItems(items)
}

func openBookmark(place string, visit func(nav.Place) tea.Cmd) tea.Cmd {
	p, err := nav.Parse(place)
	if err != nil {
		return Fail("the bookmark is damaged: " + err.Error())
	}
	return visit(p)
}

// Key removes the bookmark under the cursor with del, unless del deletes a
// character of the query, or does what the menu does.
func (b *Bookmarks) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	item, ok := b.Picker.Current()
	if !ok || msg.Type != tea.KeyDelete || !b.Picker.AtEnd() {
		return b.Menu.Key(msg)
	}
	return func() tea.Msg {
		err := state.Update(b.store, bookmarksDocument, func(all *bookmarkList) error {
			all.Bookmarks = without(all.Bookmarks, b.network, item.ID)
			return nil
		})
		if err != nil {
			return Fail("the bookmark was not removed: " + err.Error())()
		}
		return bookmarkRemoved{}
	}, false
}
