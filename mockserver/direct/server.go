package direct

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Server answers plain requests itself and leaves the others to HTTP. Its
// fields are set before Serve and stay.
type Server struct {
	// HTTP has the handler, and answers what is not plain. It listens on
	// nothing of its own.
	HTTP *http.Server
	// Direct tells of a plain request if it may be answered directly: if its
	// handler does not wait. The context of such a request never ends, not even
	// when the client goes.
	Direct func(*http.Request) bool

	closing atomic.Bool
	mu      sync.Mutex
	open    map[*conn]struct{}
	listen  map[net.Listener]struct{}
}

// Serve answers on l until Close or Shutdown, and then returns http.ErrServerClosed.
func (s *Server) Serve(l net.Listener) error {
	if !s.add(l) {
		_ = l.Close()
		return http.ErrServerClosed
	}
	rest := newHandover(l.Addr())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.HTTP.Serve(rest) // ends with the handover, whose error it is
	}()
	err := s.accept(l, rest)
	if s.closing.Load() {
		// What is still answered may have to be handed over: Close and
		// Shutdown of HTTP end it.
		return http.ErrServerClosed
	}
	_ = l.Close()
	_ = rest.Close()
	<-done
	return err
}

func (s *Server) accept(l net.Listener, rest *handover) error {
	for pause := time.Duration(0); ; {
		c, err := l.Accept()
		switch {
		case err == nil:
			pause = 0
			s.start(c, rest)
		case s.closing.Load() || !temporary(err):
			return err
		default: // too many open files, as a rule
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			time.Sleep(pause)
		}
	}
}

func (s *Server) start(nc net.Conn, rest *handover) {
	c := &conn{server: s, net: nc, rest: rest, req: newRequest(nc.RemoteAddr().String())}
	c.out.net, c.out.header = nc, http.Header{}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		_ = nc.Close()
		return
	}
	if s.open == nil {
		s.open = map[*conn]struct{}{}
	}
	s.open[c] = struct{}{}
	go c.serve()
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

func (s *Server) add(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		return false
	}
	if s.listen == nil {
		s.listen = map[net.Listener]struct{}{}
	}
	s.listen[l] = struct{}{}
	return true
}

// end stops listening and closes the connections that wait for a request, or all.
func (s *Server) end(all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing.Store(true)
	for l := range s.listen {
		_ = l.Close()
	}
	clear(s.listen)
	for c := range s.open {
		if c.state.CompareAndSwap(idle, closed) || all {
			_ = c.net.Close()
		}
	}
}

// Close ends the server at once: open connections are cut.
func (s *Server) Close() error {
	s.end(true)
	return s.HTTP.Close()
}

// Shutdown ends the server when the requests under way are answered; when ctx
// ends before, it gives its error and leaves the rest to Close.
func (s *Server) Shutdown(ctx context.Context) error {
	s.end(false)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !s.drained() {
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), s.HTTP.Shutdown(ctx))
		case <-tick.C:
		}
	}
	return s.HTTP.Shutdown(ctx)
}

func (s *Server) drained() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) == 0
}
