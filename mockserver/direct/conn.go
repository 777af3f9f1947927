package direct

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// The states of a conn.
const (
	idle   int32 = iota // between two requests
	active              // a request is being answered
	closed              // ended from outside while idle
)

// conn is a connection with all the memory its answers need.
type conn struct {
	server *Server
	net    net.Conn
	rest   *handover
	state  atomic.Int32
	in     [maxRequest]byte
	req    *request
	out    answer
}

// serve answers until the connection ends or is handed over.
func (c *conn) serve() {
	keep := false // the connection is somebody else's now
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler { //nolint:errorlint // panicked as it is, as net/http compares it
			c.server.report(c.net, v)
		}
		if !keep {
			_ = c.net.Close()
		}
		c.server.forget(c)
	}()
	if d := c.server.HTTP.ReadHeaderTimeout; d > 0 {
		_ = c.net.SetReadDeadline(time.Now().Add(d))
	}
	for first := true; ; first = false {
		n, err := c.net.Read(c.in[:])
		if n == 0 && err == nil {
			continue
		}
		if err != nil || !c.state.CompareAndSwap(idle, active) {
			return
		}
		if first {
			_ = c.net.SetReadDeadline(time.Time{})
		}
		if !c.req.read(c.in[:n]) || !c.server.Direct(&c.req.http) {
			keep = true
			c.rest.give(&resumed{c.net, bytes.Clone(c.in[:n])})
			return
		}
		c.out.reset()
		c.server.HTTP.Handler.ServeHTTP(&c.out, &c.req.http)
		more := c.out.finish()
		if keep = c.out.hijacked; !more {
			return
		}
		c.state.Store(idle)
		if c.server.closing.Load() {
			return
		}
	}
}

// report tells of a handler that failed, as net/http does.
func (s *Server) report(c net.Conn, failure any) {
	if s.HTTP.ErrorLog == nil {
		return
	}
	buf := make([]byte, 64<<10)
	buf = buf[:runtime.Stack(buf, false)]
	s.HTTP.ErrorLog.Printf("http: panic serving %v: %v\n%s", c.RemoteAddr(), failure, buf)
}

// temporary tells of an Accept that may work the next time.
func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}
