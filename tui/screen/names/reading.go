package names

import (
	"context"
	"sync"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/tui/term"
)

// API holds what the screen needs of a client.
type API interface {
	Names(ctx context.Context, namespace string, q apiclient.NamesQuery) (apiclient.Answer[[]string], error)
	NamesPages(ctx context.Context, namespace string, q apiclient.AllNamesQuery, yield func(page int, names []string) error) error
}

// batchEvery is the time that names are gathered before they are handed to the
// screen: hundreds of thousands come in some twenty messages a second, not in
// one a page.
const batchEvery = 50 * time.Millisecond

// batch holds what a reading has loaded since the batch before.
type batch struct {
	pages [][]string
	until time.Time // when the server takes requests again, zero when it does
	done  bool
	err   error // why it is done, nil at the end of the namespace
}

// reading is one reading of all names of a namespace. One goroutine fills it,
// next empties it.
type reading struct {
	api   API
	every time.Duration
	guard *term.Guard

	mu      sync.Mutex
	pending batch
	wake    chan struct{}
	began   bool
}

func newReading(api API, every time.Duration, guard *term.Guard) *reading {
	return &reading{api: api, every: every, guard: guard, wake: make(chan struct{}, 1)}
}

// next starts the reading when called first, and gives what has come since the
// last call. The first batch is given as soon as there is a page, later ones
// after a pause. It is called again only after it returned.
func (r *reading) next(ctx context.Context, namespace string, unanchored bool) batch {
	if !r.began {
		r.began = true
		r.guard.Go(func() { r.run(ctx, namespace, unanchored) })
	} else {
		select {
		case <-time.After(r.every):
		case <-ctx.Done():
			return r.last(ctx.Err())
		}
	}
	select {
	case <-r.wake:
	case <-ctx.Done():
		return r.last(ctx.Err())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.pending
	r.pending = batch{}
	return b
}

// last gives what has come when the reading is canceled.
func (r *reading) last(err error) batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.pending
	r.pending = batch{}
	if !b.done {
		b.done, b.err = true, err
	}
	return b
}

func (r *reading) run(ctx context.Context, namespace string, unanchored bool) {
	query := apiclient.AllNamesQuery{Unanchored: unanchored, OnWait: func(until time.Time) {
		r.put(func(b *batch) { b.until = until })
	}}
	err := r.api.NamesPages(wire.AtBulkPriority(ctx), namespace, query, func(_ int, names []string) error {
		r.put(func(b *batch) {
			b.pages = append(b.pages, names)
		})
		return nil
	})
	r.put(func(b *batch) { b.done, b.err = true, err })
}

func (r *reading) put(change func(*batch)) {
	r.mu.Lock()
	change(&r.pending)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
