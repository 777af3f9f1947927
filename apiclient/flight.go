package apiclient

import (
	"context"
	"sync"
)

// flightGroup makes identical calls that are in flight one. It is not
// x/sync/singleflight, which cannot cancel a call when its last caller leaves.
type flightGroup struct {
	mu     sync.Mutex
	shared map[string]*flight
	// unshared are the calls that no other caller can join.
	unshared map[*flight]bool
	wg       sync.WaitGroup
	closed   bool
}

type flight struct {
	done    chan struct{}
	waiters int
	cancel  context.CancelFunc
	value   any
	err     error
}

// do joins the flight of key or starts it. When a caller's ctx ends, do returns
// at once; the flight is canceled with its last caller.
func (g *flightGroup) do(ctx context.Context, key string, fn func(context.Context) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, context.Canceled
	}
	f := g.shared[key]
	if f == nil {
		f = g.start(ctx, key, fn)
	}
	f.waiters++
	g.mu.Unlock()

	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		f.waiters--
		if f.waiters == 0 {
			f.cancel()
			g.forget(key, f)
		}
		return nil, ctx.Err()
	}
}

// start runs fn in a goroutine of its own, under a context that outlives the
// first caller's. The caller must hold g.mu.
func (g *flightGroup) start(ctx context.Context, key string, fn func(context.Context) (any, error)) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if g.shared == nil {
		g.shared = map[string]*flight{}
	}
	g.shared[key] = f
	g.wg.Go(func() {
		defer cancel()
		defer func() {
			g.mu.Lock()
			g.forget(key, f)
			g.mu.Unlock()
			close(f.done)
		}()
		defer recovered(&f.err)
		f.value, f.err = fn(ctx)
	})
	return f
}

// runUnshared runs fn in the caller's goroutine, where no other caller joins it,
// until it ends or the group is closed.
func (g *flightGroup) runUnshared(ctx context.Context, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &flight{cancel: cancel}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return context.Canceled
	}
	if g.unshared == nil {
		g.unshared = map[*flight]bool{}
	}
	g.unshared[f] = true
	g.wg.Add(1)
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.unshared, f)
		g.mu.Unlock()
		g.wg.Done()
	}()
	return fn(ctx)
}

// forget removes f, unless another flight has its key by now. The caller must
// hold g.mu.
func (g *flightGroup) forget(key string, f *flight) {
	if g.shared[key] == f {
		delete(g.shared, key)
	}
}

// close cancels every flight and waits for its end.
func (g *flightGroup) close() {
	g.mu.Lock()
	g.closed = true
	for _, f := range g.shared {
		f.cancel()
	}
	for f := range g.unshared {
		f.cancel()
	}
	g.mu.Unlock()
	g.wg.Wait()
}
