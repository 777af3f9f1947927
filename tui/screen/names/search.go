package names

import (
	"context"
	"strconv"
	"time"

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
	coming   *hitsComing        // of the search under way
	outdated bool               // names came since it began
}

// soon is how long a frame waits for a search that has just begun. Most end
// sooner: then the letter and what it finds come in one frame.
const soon = 5 * time.Millisecond

// hitsComing is a search under way. What came may be read once done is closed.
type hitsComing struct {
	done   chan struct{}
	came   hitsCame
	waited bool // a frame waited for it in vain
}

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
		s.cancel, s.coming = nil, nil
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
			s.list.SetSource(rows{s})
		}
		s.comeBack()
		s.describe()
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
	var ctx context.Context
	ctx, s.search.cancel = context.WithCancel(s.env.Context)
	s.search.outdated = false
	gen, text := s.search.gen, names.list.Snapshot()
	coming := &hitsComing{done: make(chan struct{})}
	s.search.coming = coming
	go func() {
		defer close(coming.done)
		hits, err := find.Search(ctx, text, query)
		coming.came = hitsCame{gen: gen, query: query, text: text, hits: hits, err: err}
	}()
	return func() tea.Msg {
		<-coming.done
		return coming.came
	}
}

// awaitHits takes the hits of a search that has just begun into the frame that is
// about to be drawn. One that takes longer comes by its message, and is not
// waited for again.
func (s *Screen) awaitHits() {
	coming := s.search.coming
	if coming == nil || coming.waited || s.search.outdated {
		return
	}
	late := time.NewTimer(soon)
	defer late.Stop()
	select {
	case <-coming.done:
		s.takeHits(coming.came)
	case <-late.C:
		coming.waited = true
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
			s.list.SetSource(rows{s})
		} else {
			s.list.Changed(nil)
		}
		s.comeBack()
		s.describe()
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
	if s.back == nil || s.search.query != s.search.answered || s.list.Len() == 0 {
		return
	}
	if place, err := strconv.Atoi(s.back.list.ID); err == nil && s.names.Busy() && place >= s.loadedHere() {
		return // the name is not read yet
	}
	s.list.Restore(s.back.list)
	s.describe()
	s.detail.Restore(s.back.detail)
	s.back = nil
}
