package names

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	filters "chainscope/tui/query"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// search is the search over the loaded names.
type search struct {
	query    string // what is searched for, the order of the names included
	found    remote.Value[found]
	outdated bool // names came since it began
}

// found holds what a search found. It is shown until that of a newer query is there.
type found struct {
	query string // "" when all names are shown
	text  *apiclient.NameList
	hits  find.Hits
	rows  []int // instead of hits: the places of names, filtered and sorted
}

// atOnce is the number of names that are searched while the key is handled: that takes
// less than a millisecond. More are searched by a command.
const atOnce = 50_000

// shown returns what was found last.
func (s *search) shown() found {
	f, _ := s.found.Get()
	return f
}

// reset shows all names.
func (s *search) reset() {
	s.query = ""
	s.stale()
}

// stale drops the hits, which were of other names.
func (s *search) stale() {
	s.found.Reset()
	s.outdated = false
}

// find searches for a query, applies the order in force, and cancels the search
// before.
func (s *Screen) find(typed string) tea.Cmd {
	s.place.Filter = typed
	typed = nav.Registered(typed) // pictures are in the list as they are registered
	query := typed
	if order := s.Order(); order.Column != "" {
		query = fmt.Sprintf("%s by %s, descending: %v", typed, order.Column, order.Descending)
	}
	if query == "" {
		if s.search.query != "" || s.search.shown().query != "" {
			s.search.reset()
			s.List.SetSource(s)
		}
		s.Fill()
		return nil
	}
	if s.search.query == query && s.search.found.Busy() {
		return nil
	}
	s.search.found.Cancel()
	s.search.query = query
	names, ok := s.names.Get()
	if !ok {
		return nil
	}
	s.search.outdated = false
	list := names.list.Snapshot()
	few, load := list.Len() <= atOnce, func(ctx context.Context) (found, error) {
		hits, err := find.Search(ctx, list, query)
		return found{query: query, text: list, hits: hits}, err
	}
	// What the search over all names does not do is filtered and sorted, which takes a
	// moment for very many.
	if table := tableOf(list); query != typed || !filters.Plain(typed, table) {
		filter, ok := s.Understand(table)
		if !ok {
			return nil
		}
		order := s.Order()
		few, load = table.Len <= atOnce/10, func(ctx context.Context) (found, error) {
			return found{query: query, text: list, rows: filters.Select(table, filter, order)}, ctx.Err()
		}
	}
	search := screen.Fetch(s.env, &s.search.found, load)
	if few {
		return s.Update(search())
	}
	return search
}

// tableOf returns the names as filters and orders see them.
func tableOf(list *apiclient.NameList) filters.Table {
	return resource.Names().Table(list.Len(), func(i int) (resource.Name, bool) {
		return resource.Name{Name: list.At(i), Position: i + 1}, true
	}, time.Time{})
}

// Listing returns what can be sorted and counted: the loaded names.
func (s *Screen) Listing() filters.Table {
	c, ok := s.names.Get()
	if !ok {
		return filters.Table{}
	}
	return tableOf(c.list.Snapshot())
}

// searchAgain searches names that came or changed. A search that is under way
// ends first, or new names would keep any from ending.
func (s *Screen) searchAgain() tea.Cmd {
	switch {
	case s.search.query == "":
		return nil
	case s.search.found.Busy():
		s.search.outdated = true
		return nil
	}
	return s.find(s.place.Filter)
}

// foundLoaded shows what a search found.
func (s *Screen) foundLoaded(msg screen.Fetched[found]) tea.Cmd {
	before, again := s.search.shown().query, s.search.outdated
	if !s.search.found.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	if msg.Err == nil {
		if before != msg.Value.query {
			s.List.SetSource(s)
		} else {
			s.List.Changed(nil)
		}
		s.Changed()
	}
	if again {
		return s.find(s.place.Filter)
	}
	return nil
}

// loadedHere returns how many names the rows are made of.
func (s *Screen) loadedHere() int {
	if f := s.search.shown(); f.query != "" {
		return f.text.Len()
	}
	c, ok := s.names.Get()
	if !ok {
		return 0
	}
	return c.list.Len()
}

// here reports whether the rows are there that a place was left with.
func (s *Screen) here(left browser.State) bool {
	if s.search.query != s.search.shown().query || s.List.Len() == 0 {
		return false
	}
	place, err := strconv.Atoi(left.List.ID)
	return err != nil || place < s.loadedHere() // it is read, or among those that were searched
}

// FoundWords returns how many names hold what is searched for, and where in them.
func (s *Screen) FoundWords() string {
	f := s.search.shown()
	if f.query == "" || f.query != s.search.query {
		return ""
	}
	if f.rows != nil {
		return text.Count(len(f.rows)) + " of " + text.Plural(f.text.Len(), "name")
	}
	return foundWords(&f.hits)
}
