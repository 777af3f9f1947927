package names

import (
	"context"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/screen/names/find"

	tea "github.com/charmbracelet/bubbletea"
)

// search is the search over the loaded names. Its hits stay until those of a
// newer query are there.
type search struct {
	query    string // what is searched for
	answered string // what the hits are hits of, "" when all names are shown
	text     *apiclient.NameList
	hits     find.Hits
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
func (s *search) stale() { s.answered, s.text, s.hits, s.outdated = "", nil, find.Hits{}, false }

// find searches for a query and gives up the search before.
func (s *Screen) find(query string) tea.Cmd {
	s.place.Filter = query
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
	gen, text := s.search.gen, names.list.Snapshot()
	if text.Len() <= atOnce {
		return s.takeHits(hitsCame{gen: gen, query: query, text: text, hits: find.Here(text, query)})
	}
	ctx, cancel := context.WithCancel(s.env.Context)
	s.search.cancel = cancel
	return func() tea.Msg {
		hits, err := find.Search(ctx, text, query)
		return hitsCame{gen: gen, query: query, text: text, hits: hits, err: err}
	}
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
	return s.find(s.search.query)
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
		s.search.answered, s.search.text, s.search.hits = msg.query, msg.text, msg.hits
		if fresh {
			s.List.SetSource(rows{s})
		} else {
			s.List.Changed(nil)
		}
		s.comeBack()
		s.Fill()
	}
	if again {
		return s.find(s.search.query)
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

// found says how many names hold what is searched for, and where in them.
func (s *Screen) found() string {
	if s.search.answered == "" || s.search.answered != s.search.query {
		return ""
	}
	return foundWords(&s.search.hits)
}
