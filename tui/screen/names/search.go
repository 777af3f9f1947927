package names

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"chainscope/apiclient"
	filters "chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen/names/find"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// search is the search over the loaded names. Its hits stay until those of a
// newer query are there.
type search struct {
	query    string // what is searched for, the order of the names included
	answered string // what the hits are hits of, "" when all names are shown
	text     *apiclient.NameList
	hits     find.Hits
	rows     []int // instead of hits: the places of names, filtered and sorted
	gen      uint64
	cancel   context.CancelFunc // not nil while a search is under way
	outdated bool               // names came since it began
}

// atOnce is how many names are searched while the key is handled: that takes
// less than a millisecond. More are searched by a command.
const atOnce = 50_000

// hitsCame is the answer of a search.
type hitsCame struct {
	gen   uint64
	query string
	text  *apiclient.NameList
	hits  find.Hits
	rows  []int
	err   error
}

func (s *search) stop() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	s.gen++
}

// reset shows all names.
func (s *search) reset() {
	s.stop()
	s.query = ""
	s.stale()
}

// stale drops the hits, which were of other names.
func (s *search) stale() {
	s.answered, s.text, s.hits, s.rows, s.outdated = "", nil, find.Hits{}, nil, false
}

// find searches for a query, applies the order in force, and gives up the search
// before.
func (s *Screen) find(typed string) tea.Cmd {
	s.place.Filter = typed
	query := typed
	if order := s.Order(); order.Column != "" {
		query = fmt.Sprintf("%s by %s, descending: %v", typed, order.Column, order.Descending)
	}
	if query == "" {
		if s.search.query != "" || s.search.answered != "" {
			s.search.reset()
			s.List.SetSource(rows{s})
		}
		s.comeBack()
		s.Fill()
		return nil
	}
	if s.search.query == query && s.search.cancel != nil {
		return nil
	}
	s.search.stop()
	s.search.query = query
	names, ok := s.names.Get()
	if !ok {
		return nil
	}
	s.search.outdated = false
	gen, list := s.search.gen, names.list.Snapshot()
	if table := tableOf(list); query != typed || !filters.Plain(typed, table) {
		return s.arrange(hitsCame{gen: gen, query: query, text: list}, table)
	}
	if list.Len() <= atOnce {
		return s.takeHits(hitsCame{gen: gen, query: query, text: list, hits: find.Here(list, query)})
	}
	ctx, cancel := context.WithCancel(s.env.Context)
	s.search.cancel = cancel
	return func() tea.Msg {
		hits, err := find.Search(ctx, list, query)
		return hitsCame{gen: gen, query: query, text: list, hits: hits, err: err}
	}
}

// arrange filters and sorts names in ways that the search over all names does
// not know. That takes a moment for very many, so that a command does it.
func (s *Screen) arrange(msg hitsCame, table filters.Table) tea.Cmd {
	filter, ok := s.Understand(table)
	if !ok {
		return nil
	}
	order := s.Order()
	if table.Len <= atOnce/10 {
		msg.rows = filters.Select(table, filter, order)
		return s.takeHits(msg)
	}
	ctx, cancel := context.WithCancel(s.env.Context)
	s.search.cancel = cancel
	return func() tea.Msg {
		msg.rows = filters.Select(table, filter, order)
		msg.err = ctx.Err()
		return msg
	}
}

// tableOf is the names as filters and orders see them.
func tableOf(list *apiclient.NameList) filters.Table {
	return resource.Names().Table(list.Len(), func(i int) (resource.Name, bool) {
		return resource.Name{Name: list.At(i), Position: i + 1}, true
	}, time.Time{})
}

// Listing is what can be sorted and counted: the loaded names.
func (s *Screen) Listing() filters.Table {
	c, ok := s.names.Get()
	if !ok || s.asking() {
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
	case s.search.cancel != nil:
		s.search.outdated = true
		return nil
	}
	return s.find(s.place.Filter)
}

// takeHits shows what a search found.
func (s *Screen) takeHits(msg hitsCame) tea.Cmd {
	if msg.gen != s.search.gen {
		return nil
	}
	again := s.search.outdated
	s.search.stop()
	if msg.err == nil {
		fresh := s.search.answered != msg.query
		s.search.answered, s.search.text, s.search.hits, s.search.rows = msg.query, msg.text, msg.hits, msg.rows
		if fresh {
			s.List.SetSource(rows{s})
		} else {
			s.List.Changed(nil)
		}
		s.comeBack()
		s.Fill()
	}
	if again {
		return s.find(s.place.Filter)
	}
	return nil
}

// loadedHere is how many names the rows are made of.
func (s *Screen) loadedHere() int {
	if s.search.answered != "" {
		return s.search.text.Len()
	}
	c, ok := s.names.Get()
	if !ok {
		return 0
	}
	return c.list.Len()
}

// comeBack restores cursor and scroll once the rows are there.
func (s *Screen) comeBack() {
	if s.back == nil || s.search.query != s.search.answered || s.List.Len() == 0 {
		return
	}
	if place, err := strconv.Atoi(s.back.List.ID); err == nil && s.names.Busy() && place >= s.loadedHere() {
		return // the name is not read yet
	}
	s.Restore(*s.back)
	s.back = nil
}

// FoundWords says how many names hold what is searched for, and where in them.
func (s *Screen) FoundWords() string {
	if s.search.answered == "" || s.search.answered != s.search.query {
		return ""
	}
	if s.search.rows != nil {
		return text.Count(len(s.search.rows)) + " of " + text.Plural(s.search.text.Len(), "name")
	}
	return foundWords(&s.search.hits)
}
