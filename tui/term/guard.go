package term

import (
	"runtime/debug"
	"sync"
)

// Guard runs goroutines beside a program. A panic in one of them would end the
// process with the terminal in raw mode; through Guard it ends the program in
// order, as a panic of the model does. The zero value is ready; give it to [Run]
// in [Options], and [Guard.Go] to whoever starts goroutines. While no program
// runs, and without a Guard (nil), a panic is one as usual.
type Guard struct {
	mu       sync.Mutex
	panicked func(value any, stack []byte)
}

// Go runs f in a goroutine.
func (g *Guard) Go(f func()) {
	go func() {
		defer g.Recover()
		f()
	}()
}

// Recover hands a panic over to the program. It must be deferred directly:
//
//	defer guard.Recover()
func (g *Guard) Recover() {
	value := recover()
	if value == nil {
		return
	}
	panicked := g.handler()
	if panicked == nil {
		panic(value)
	}
	panicked(value, debug.Stack())
}

// handler returns what takes a panic, nil while no program runs.
func (g *Guard) handler() func(value any, stack []byte) {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.panicked
}

// protect makes panics end the program until the returned function is called.
func (g *Guard) protect(panicked func(any, []byte)) (end func()) {
	if g == nil {
		return func() {}
	}
	set := func(f func(any, []byte)) {
		g.mu.Lock()
		g.panicked = f
		g.mu.Unlock()
	}
	set(panicked)
	return func() { set(nil) }
}
