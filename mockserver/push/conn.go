package push

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"chainscope/mockserver/fault"
)

const (
	// pingInterval is how often a client that subscribes to something is pinged,
	// and how long it may take to answer.
	pingInterval = 5 * time.Second
	// writeTimeout bounds how long a client may take to receive a frame.
	writeTimeout = 10 * time.Second
	// maxQueued bounds the bytes that wait for a client.
	maxQueued = 16 << 20
)

// Conn is one client.
type Conn struct {
	hub    *Hub
	socket *websocket.Conn
	end    context.CancelFunc
	topics map[Topic]bool // guarded by hub.mu

	mu     sync.Mutex
	queue  []queued
	bytes  int
	behind []byte        // a frame that waits for the next one, nil for none
	ready  chan struct{} // has an entry when the queue is not empty
}

// queued is a frame and how long it waits when its turn comes.
type queued struct {
	frame []byte
	delay time.Duration
}

// Serve speaks with a client until the connection ends or ctx does.
func (h *Hub) Serve(ctx context.Context, socket *websocket.Conn) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	c := &Conn{hub: h, socket: socket, end: end, topics: map[Topic]bool{}, ready: make(chan struct{}, 1)}
	h.add(c)
	defer h.remove(c)
	var others sync.WaitGroup
	others.Go(func() { c.write(ctx) })
	others.Go(func() { c.ping(ctx) })
	defer others.Wait()
	defer end()
	for {
		kind, text, err := socket.Read(ctx)
		if err != nil {
			_ = socket.CloseNow() // a close frame was answered by Read already
			return
		}
		if kind == websocket.MessageText && !utf8.Valid(text) {
			// RFC 6455, section 8.1, and what the real server does.
			_ = socket.Close(websocket.StatusInvalidFramePayloadData, "a text frame must be UTF-8")
			return
		}
		if back := c.answer(text); back != nil {
			c.enqueue(queued{frame: back})
		}
	}
}

// cut ends the connection without saying why.
func (c *Conn) cut() { c.end() }

// push sends the frame of an event, unless something else happens to it.
func (c *Conn) push(event string, frame []byte) {
	fate := c.hub.opt.Faults.DecideEvent(event)
	switch fate.Kind {
	case fault.Reset:
		c.cut()
		return
	case fault.Drop:
		return
	}
	c.mu.Lock()
	behind := c.behind
	c.behind = nil
	if fate.Kind == fault.Reorder && behind == nil {
		c.behind = frame
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	c.enqueue(queued{frame, fate.Delay})
	if fate.Kind == fault.Double {
		c.enqueue(queued{frame: frame})
	}
	if behind != nil {
		c.enqueue(queued{frame: behind})
	}
}

// enqueue adds a frame to what is sent. A client that does not keep up is cut.
func (c *Conn) enqueue(q queued) {
	c.mu.Lock()
	c.bytes += len(q.frame)
	full := c.bytes > maxQueued
	c.queue = append(c.queue, q)
	c.mu.Unlock()
	if full {
		c.cut()
		return
	}
	select {
	case c.ready <- struct{}{}:
	default: // the writer is told already
	}
}

// recovered ends a connection whose goroutine has panicked. It must be deferred
// directly.
func (c *Conn) recovered() {
	if cause := recover(); cause != nil {
		c.hub.opt.Problem(fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
		c.cut()
	}
}

// write sends what is queued, one frame after another.
func (c *Conn) write(ctx context.Context) {
	defer c.recovered()
	for {
		c.mu.Lock()
		queue := c.queue
		c.queue, c.bytes = nil, 0
		c.mu.Unlock()
		for _, q := range queue {
			if !sleep(ctx, q.delay) || !c.send(ctx, q.frame) {
				c.end()
				return
			}
		}
		if len(queue) > 0 {
			continue
		}
		select {
		case <-c.ready:
		case <-ctx.Done():
			return
		}
	}
}

func (c *Conn) send(ctx context.Context, frame []byte) bool {
	ctx, done := context.WithTimeout(ctx, writeTimeout)
	defer done()
	return c.socket.Write(ctx, websocket.MessageText, frame) == nil
}

// ping asks a client that subscribes to something whether it is there. One that does
// not answer is unsubscribed silently; the connection stays.
func (c *Conn) ping(ctx context.Context) {
	defer c.recovered()
	for sleep(ctx, pingInterval) {
		if !c.hub.subscribes(c) {
			continue
		}
		wait, done := context.WithTimeout(ctx, pingInterval)
		err := c.socket.Ping(wait)
		done()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			c.hub.unsubscribe(c)
		}
	}
}

// sleep waits, and reports false if ctx ended before.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
