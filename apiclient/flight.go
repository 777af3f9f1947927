package apiclient

import (
	"context"
	"strconv"
	"sync"
)

// flightGroup makes identical calls that are in flight one. It is not
// x/sync/singleflight, which cannot cancel a call when its last caller leaves.
type flightGroup struct {
	mu      sync.Mutex
	flights map[string]*flight
	alone   int // calls so far that no other caller could join
	wg      sync.WaitGroup
	closed  bool
}

type flight struct {
	done    chan struct{}
	waiters int
	cancel  context.CancelFunc
	answer  Answer[any]
	err     error
}

// do joins the flight of key or starts it; no other caller joins one of key "". When a
// caller's ctx ends, do returns at once; the flight is canceled with its last caller.
func (g *flightGroup) do(ctx context.Context, key string, fn func(context.Context) (Answer[any], error)) (Answer[any], error) {
	if err := ctx.Err(); err != nil {
		return Answer[any]{}, err
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return Answer[any]{}, context.Canceled
	}
	if key == "" {
		g.alone++
		key = strconv.Itoa(g.alone)
	}
	f := g.flights[key]
	if f == nil {
		f = g.start(ctx, key, fn)
	}
	f.waiters++
	g.mu.Unlock()

	select {
	case <-f.done:
		return f.answer, f.err
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		f.waiters--
		if f.waiters == 0 {
			f.cancel()
			g.forget(key, f)
		}
		return Answer[any]{}, ctx.Err()
	}
}

// start runs fn in a goroutine of its own, under a context that outlives the
// first caller's. The caller must hold g.mu.
func (g *flightGroup) start(ctx context.Context, key string, fn func(context.Context) (Answer[any], error)) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if g.flights == nil {
		g.flights = map[string]*flight{}
	}
	g.flights[key] = f
	g.wg.Go(func() {
		defer cancel()
		defer func() {
			g.mu.Lock()
			g.forget(key, f)
			g.mu.Unlock()
			close(f.done)
		}()
		defer recovered(&f.err)
		f.answer, f.err = fn(ctx)
	})
	return f
}

// forget removes f, unless another flight has its key by now. The caller must
// hold g.mu.
func (g *flightGroup) forget(key string, f *flight) {
	if g.flights[key] == f {
		delete(g.flights, key)
	}
}

// close cancels every flight and waits for its end.
func (g *flightGroup) close() {
	g.mu.Lock()
	g.closed = true
	for _, f := range g.flights {
		f.cancel()
	}
	g.mu.Unlock()
	g.wg.Wait()
}
