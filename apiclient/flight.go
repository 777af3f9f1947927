package apiclient

import (
	"context"
	"sync"
)

// flights makes identical requests that are under way one.
type flights struct {
	mu sync.Mutex
	m  map[string]*flight
	// lone are those that nobody can join.
	lone   map[*flight]bool
	wg     sync.WaitGroup
	closed bool
}

type flight struct {
	done    chan struct{}
	waiters int
	cancel  context.CancelFunc
	value   any
	err     error
}

// do joins the flight of this key or begins it. A caller that leaves takes the
// flight down only when nobody else waits for it.
func (g *flights) do(ctx context.Context, key string, fn func(context.Context) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, context.Canceled
	}
	f := g.m[key]
	if f == nil {
		f = g.begin(ctx, key, fn)
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

func (g *flights) begin(ctx context.Context, key string, fn func(context.Context) (any, error)) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if g.m == nil {
		g.m = map[string]*flight{}
	}
	g.m[key] = f
	g.wg.Go(func() {
		defer cancel()
		f.value, f.err = fn(ctx)
		g.mu.Lock()
		g.forget(key, f)
		g.mu.Unlock()
		close(f.done)
	})
	return f
}

// alone runs fn in the caller's goroutine, with nobody to join it, until it ends
// or all flights are closed.
func (g *flights) alone(ctx context.Context, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &flight{cancel: cancel}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return context.Canceled
	}
	if g.lone == nil {
		g.lone = map[*flight]bool{}
	}
	g.lone[f] = true
	g.wg.Add(1)
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.lone, f)
		g.mu.Unlock()
		g.wg.Done()
	}()
	return fn(ctx)
}

// forget takes f off the map, unless another flight has its key by now.
func (g *flights) forget(key string, f *flight) {
	if g.m[key] == f {
		delete(g.m, key)
	}
}

func (g *flights) close() {
	g.mu.Lock()
	g.closed = true
	for _, f := range g.m {
		f.cancel()
	}
	for f := range g.lone {
		f.cancel()
	}
	g.mu.Unlock()
	g.wg.Wait()
}
