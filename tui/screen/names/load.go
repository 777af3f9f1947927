package names

import (
	"context"
	"runtime/debug"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

const slot = "names"

// batchCame is what a reading of all names brought.
type batchCame struct {
	key   remote.Key
	batch batch
	at    time.Time
}

// bracketCame is an estimate of the number of pages.
type bracketCame struct {
	key     remote.Key
	bracket bracket
}

// load reads what the place names. It begins anew; what is shown stays until
// as much has come.
func (s *Screen) load() tea.Cmd {
	s.stopped, s.chooser.asks = false, false
	if s.place.Page > 0 {
		return s.loadPage()
	}
	s.ctx, s.key = s.names.Start(s.env.Context, slot, s.env.Now())
	s.reading = newReading(s.api, s.opt.Sleep)
	s.coming = &collection{namespace: s.place.Namespace, unanchored: s.place.Unanchored, list: &apiclient.NameList{}}
	s.progress, s.probing = progress{began: s.env.Now()}, false
	return s.next()
}

// next waits for names of the current reading.
func (s *Screen) next() tea.Cmd {
	ctx, key, r, namespace, unanchored, now := s.ctx, s.key, s.reading, s.place.Namespace, s.place.Unanchored, s.env.Now
	return func() tea.Msg {
		b := r.next(ctx, namespace, unanchored)
		return batchCame{key: key, batch: b, at: now()}
	}
}

// take adds a batch of names.
func (s *Screen) take(msg batchCame) tea.Cmd {
	if msg.key != s.key || !s.names.Busy() {
		return nil
	}
	s.gather(msg.batch)
	shown, there := s.names.Get()
	if n := s.coming.list.Len(); n > 0 && (!there || n >= shown.list.Len()) {
		s.names.Partial(msg.key, s.coming, msg.at)
	}
	switch {
	case !msg.batch.done:
		return tea.Batch(s.changed(), s.next(), s.probe())
	case msg.batch.err != nil:
		s.names.Settle(msg.key, nil, msg.batch.err, msg.at)
		s.failedAt = msg.at
		return tea.Batch(s.changed(), s.unknown(msg.batch.err))
	}
	s.coming.whole = true
	s.coming.list.Compact()
	s.names.Settle(msg.key, s.coming, nil, msg.at)
	return tea.Batch(s.changed(), s.remember(), giveBack(s.coming.list.Len()))
}

// giveBack returns the memory that the reading of so many names took, which is
// more than they are kept in, to the system: once, and not in the event loop.
// From then on the heap may grow by less between collections, which cost next to
// nothing: the names hold no pointers that would have to be followed.
func giveBack(names int) tea.Cmd {
	const worthIt, growth = 50_000, 25 // names, percent
	if names < worthIt {
		return nil
	}
	return func() tea.Msg {
		debug.SetGCPercent(growth)
		debug.FreeOSMemory()
		return nil
	}
}

// gather puts a batch at the end of what is coming.
func (s *Screen) gather(b batch) {
	for _, page := range b.pages {
		s.coming.starts = append(s.coming.starts, uint32(s.coming.list.Len()))
		for _, n := range page {
			s.coming.list.Append(n)
		}
	}
	s.progress.pages += len(b.pages)
	s.progress.names = s.coming.list.Len()
}

// probe asks how many pages there may be, once it is worth it.
func (s *Screen) probe() tea.Cmd {
	if s.probing || s.progress.pages < probeAfter {
		return nil
	}
	s.probing = true
	ctx, key, namespace, unanchored := s.ctx, s.key, s.place.Namespace, s.place.Unanchored
	from := bracket{low: s.progress.pages}
	return func() tea.Msg {
		return bracketCame{key, estimate(ctx, s.api, namespace, unanchored, from)}
	}
}

// loadPage reads one page.
func (s *Screen) loadPage() tea.Cmd {
	c := &collection{namespace: s.place.Namespace, unanchored: s.place.Unanchored, page: s.place.Page, list: &apiclient.NameList{}}
	api := s.api
	return screen.Fetch(s.env, &s.names, slot, func(ctx context.Context) (*collection, error) {
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
	})
}

// takePage shows a page.
func (s *Screen) takePage(msg screen.Fetched[*collection]) tea.Cmd {
	if !s.names.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	if msg.Err != nil {
		s.failedAt = msg.At
		return tea.Batch(s.changed(), s.unknown(msg.Err))
	}
	return tea.Batch(s.changed(), s.remember())
}

// unknown asks for another namespace when there is none of this name.
func (s *Screen) unknown(err error) tea.Cmd {
	if !unknownNamespace(err) {
		return nil
	}
	return s.ask(err)
}

// changed is called when other names, or more, are loaded.
func (s *Screen) changed() tea.Cmd {
	s.list.Changed(nil)
	s.comeBack()
	s.describe()
	return s.searchAgain()
}

// stop ends the reading; what came stays.
func (s *Screen) stop() {
	s.names.Cancel()
	s.stopped = true
}

// retryAt is when the server wants to be asked again, zero when it did not say.
func (s *Screen) retryAt() time.Time { return placeholder.RetryAfter(s.names.Err(), s.failedAt) }

// show goes to another page or to all names of the namespace; what is kept of
// it is shown at once.
func (s *Screen) show(place nav.Place) tea.Cmd {
	loaded, there := s.names.Get()
	if there && loaded.page == 0 && loaded.whole {
		s.all = loaded
	}
	if place.Namespace != s.place.Namespace || place.Unanchored != s.place.Unanchored {
		s.forget()
	}
	s.place, s.inDetail = place, false
	if s.all != nil && s.all.of(place) {
		_, key := s.names.Start(s.env.Context, slot, s.env.Now())
		s.names.Settle(key, s.all, nil, s.env.Now())
		s.search.stale()
		s.list.SetSource(rows{s})
		return s.changed()
	}
	s.list.SetSource(rows{s})
	return s.load()
}

// narrow takes an estimate.
func (s *Screen) narrow(msg bracketCame) {
	if msg.key == s.key {
		s.progress.bracket = msg.bracket
	}
}
