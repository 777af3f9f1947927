package tui

import (
	"slices"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// bookmarksDocument is the name of the document that keeps the bookmarks.
const bookmarksDocument = "bookmarks"

// mark is a bookmark as it is kept.
type mark struct {
	Place string    `json:"place"`
	Title string    `json:"title"`
	Added time.Time `json:"added"`
}

type marks struct {
	Bookmarks []mark `json:"bookmarks"`
}

// bookmark keeps the place that one is at, or forgets it when it is kept.
func (m *Model) bookmark() tea.Cmd {
	if m.options.Store == nil {
		return m.notice("nothing is kept in this session", true)
	}
	store := m.options.Store
	place := m.Place().String()
	added := mark{Place: place, Title: m.here().Subject().Title, Added: m.options.Now().UTC()}
	return func() tea.Msg {
		removed := false
		err := state.Update(store, bookmarksDocument, func(all *marks) error {
			at := slices.IndexFunc(all.Bookmarks, func(b mark) bool { return b.Place == place })
			if removed = at >= 0; removed {
				all.Bookmarks = slices.Delete(all.Bookmarks, at, at+1)
				return nil
			}
			all.Bookmarks = append(all.Bookmarks, added)
			return nil
		})
		switch {
		case err != nil:
			return screen.NoticeMsg{Text: "the bookmark is not kept: " + err.Error(), Bad: true}
		case removed:
			return screen.NoticeMsg{Text: "bookmark removed: " + place}
		}
		return screen.NoticeMsg{Text: "bookmarked: " + place}
	}
}

// bookmarksRead is what the document held.
type bookmarksRead struct {
	marks []mark
	err   error
}

func (m *Model) readBookmarks() tea.Msg {
	var all marks
	_, err := m.options.Store.Get(bookmarksDocument, &all)
	return bookmarksRead{all.Bookmarks, err}
}

// showBookmarks lists the bookmarks.
func (m *Model) showBookmarks() tea.Cmd {
	if m.options.Store == nil {
		return m.notice("nothing is kept in this session", true)
	}
	o := &bookmarksOverlay{model: m}
	o.menu = m.menu("Bookmarks", nil, true, o.visit)
	o.hint = "type to narrow  enter open  del forget  esc close"
	m.open(o)
	return m.readBookmarks
}

// bookmarksOverlay is a menu whose items come from disk.
type bookmarksOverlay struct {
	*menu
	model *Model
}

func (o *bookmarksOverlay) SetTheme(th *theme.Theme) { o.menu.SetTheme(th) }

func (o *bookmarksOverlay) Update(msg tea.Msg) tea.Cmd {
	read, ok := msg.(bookmarksRead)
	if !ok {
		return nil
	}
	if read.err != nil {
		return o.model.notice("the bookmarks cannot be read: "+read.err.Error(), true)
	}
	items := make([]picker.Item, len(read.marks))
	for i, b := range read.marks {
		items[i] = picker.Item{ID: b.Place, Label: b.Place, Note: text.Truncate(b.Title, 40)}
	}
	o.picker.SetItems(items)
	return nil
}

func (o *bookmarksOverlay) visit(place string) tea.Cmd {
	p, err := nav.Parse(place)
	if err != nil {
		return o.model.notice("the bookmark leads nowhere: "+err.Error(), true)
	}
	return screen.Go(p)
}

func (o *bookmarksOverlay) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	item, ok := o.picker.Current()
	if !ok || msg.Type != tea.KeyDelete {
		return o.menu.Key(msg)
	}
	store := o.model.options.Store
	return func() tea.Msg {
		var left []mark
		err := state.Update(store, bookmarksDocument, func(all *marks) error {
			all.Bookmarks = slices.DeleteFunc(all.Bookmarks, func(b mark) bool { return b.Place == item.ID })
			left = slices.Clone(all.Bookmarks)
			return nil
		})
		return bookmarksRead{left, err}
	}, false
}
