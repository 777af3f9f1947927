package names

import (
	"context"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// batchMsg holds what a reading of all names has loaded. Next waits for more of it.
type batchMsg struct {
	key   remote.Key
	batch batch
	at    time.Time
	next  tea.Cmd
}

// load reads what the place names, from the start; what is shown stays until
// as much has come.
func (s *Screen) load() tea.Cmd {
	s.stopped, s.prompted = false, false
	if s.place.Page > 0 {
		return screen.Fetch(s.env, &s.names, s.readPage())
	}
	namespace, unanchored, now, api := s.place.Namespace, s.place.Unanchored, s.env.Now, s.api
	ctx, key := s.names.Start(s.env.Context, s.env.Now())
	r := newReading(api, s.batchEvery, s.env.Guard)
	s.key = key
	s.next = &collection{namespace: namespace, unanchored: unanchored, list: &apiclient.NameList{}}
	s.progress = progress{began: s.env.Now()}
	var next tea.Cmd
	next = func() tea.Msg {
		b := r.next(ctx, namespace, unanchored)
		return batchMsg{key: key, batch: b, at: now(), next: next}
	}
	if s.opt.Count != nil {
		return tea.Batch(next, s.weigh())
	}
	return next
}

// batchLoaded adds a batch of names.
func (s *Screen) batchLoaded(msg batchMsg) tea.Cmd {
	if msg.key != s.key || !s.names.Busy() {
		return nil
	}
	s.gather(msg.batch)
	shown, has := s.names.Get()
	if n := s.next.list.Len(); n > 0 && (!has || n >= shown.list.Len()) {
		s.names.Partial(msg.key, s.next, msg.at)
	}
	if !msg.batch.done {
		return tea.Batch(s.changed(), msg.next)
	}
	if msg.batch.err == nil {
		s.next.whole = true
		s.next.list.Compact()
	}
	return s.settled(screen.Fetched[*collection]{Key: msg.key, Value: s.next, Err: msg.batch.err, At: msg.at})
}

// gather puts a batch at the end of what is coming.
func (s *Screen) gather(b batch) {
	for _, page := range b.pages {
		s.next.starts = append(s.next.starts, uint32(s.next.list.Len()))
		for _, n := range page {
			s.next.list.Append(n)
		}
	}
	if !b.until.IsZero() {
		s.progress.until = b.until
	}
	s.progress.pages += len(b.pages)
	s.progress.names = s.next.list.Len()
}

// readPage returns what reads the page of the place.
func (s *Screen) readPage() func(context.Context) (*collection, error) {
	c := &collection{namespace: s.place.Namespace, unanchored: s.place.Unanchored, page: s.place.Page, list: &apiclient.NameList{}}
	api := s.api
	return func(ctx context.Context) (*collection, error) {
		a, err := api.Names(ctx, c.namespace, apiclient.NamesQuery{Page: c.page, Unanchored: c.unanchored})
		if pastEnd(err) {
			c.whole, c.past = true, true
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		for _, n := range a.Value {
			c.list.Append(n)
		}
		c.starts, c.whole, c.past = []uint32{0}, true, len(a.Value) == 0 && c.page > 1
		c.raw, c.id = a.Raw, a.ExchangeID
		return c, nil
	}
}

// settled shows a page, or all names once they have been read.
func (s *Screen) settled(msg screen.Fetched[*collection]) tea.Cmd {
	if !s.names.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	later := s.RetryLater(&s.names, msg.Err, msg.At, s.load)
	if msg.Err != nil {
		return tea.Batch(s.changed(), later)
	}
	return tea.Batch(s.changed(), s.remember())
}

// remember notes the namespace that was read.
func (s *Screen) remember() tea.Cmd {
	c, ok := s.names.Get()
	if !ok || s.opt.Remember == nil || c.list.Len() == 0 {
		return nil
	}
	note, namespace := s.opt.Remember, c.namespace
	return func() tea.Msg {
		note(namespace)
		return nil
	}
}

// changed is called when other names, or more, are loaded.
func (s *Screen) changed() tea.Cmd {
	s.List.Changed(nil)
	return tea.Batch(s.searchAgain(), s.Changed())
}

// Cancel ends the reading; what came stays.
func (s *Screen) Cancel() bool {
	if s.prompted {
		s.prompted = false
		return true
	}
	if !s.names.Busy() {
		return false
	}
	s.names.Cancel()
	s.stopped = true
	return true
}

// show goes to another page or to all names of the namespace; what is kept of
// it is shown at once.
func (s *Screen) show(place nav.Place) tea.Cmd {
	loaded, has := s.names.Get()
	if has && loaded.page == 0 && loaded.whole {
		s.all = loaded
	}
	if place.Namespace != s.place.Namespace || place.Unanchored != s.place.Unanchored {
		s.forget()
	}
	s.place = place
	s.Enter(false)
	s.search.stale()
	s.List.SetSource(s)
	if s.all != nil && s.all.of(place) {
		_, key := s.names.Start(s.env.Context, s.env.Now())
		s.names.Settle(key, s.all, nil, s.env.Now())
		return s.changed()
	}
	return s.load()
}
