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

	"chainscope/apiclient/wire"
	"chainscope/mockserver/fault"
)

const (
	// pingInterval is the time between two pings of a client that subscribes to something,
	// and the time that it may take to answer.
	pingInterval = 5 * time.Second
	// writeTimeout bounds how long a client may take to receive a frame.
	writeTimeout = 10 * time.Second
	// maxQueued bounds the bytes that wait for a client.
	maxQueued = 16 << 20
)

// Conn is one client.
type Conn struct {
	hub      *Hub
	protocol protocol
	wire     transport
	end      context.CancelFunc
	topics   map[Topic]bool // guarded by hub.mu

	mu     sync.Mutex
	queue  []queued
	bytes  int
	behind []byte        // a frame that waits for the next one, nil for none
	ready  chan struct{} // has an entry when the queue is not empty
}

// transport carries texts to a client and from it.
type transport interface {
	Read(context.Context) ([]byte, error) // once it has failed, nothing is open
	Write(context.Context, []byte) error
}

// protocol encodes the messages of a connection.
type protocol interface {
	kind() string
	// answer returns the reply to a message of the client, nil for none.
	answer(c *Conn, text []byte) []byte
	// frame encodes an event.
	frame(Topic, Event) []byte
}

// webSocket is the transport of JSON-RPC.
type webSocket struct{ *websocket.Conn }

func (s webSocket) Read(ctx context.Context) ([]byte, error) {
	kind, text, err := s.Conn.Read(ctx)
	switch {
	case err != nil:
		_ = s.CloseNow() // a close frame was answered by Read already
	case kind == websocket.MessageText && !utf8.Valid(text):
		// RFC 6455, section 8.1, and what the real server does.
		_ = s.Close(websocket.StatusInvalidFramePayloadData, "a text frame must be UTF-8")
		err = errNotUTF8
	}
	return text, err
}

var errNotUTF8 = errors.New("push: a text frame is not UTF-8")

func (s webSocket) Write(ctx context.Context, text []byte) error {
	return s.Conn.Write(ctx, websocket.MessageText, text)
}

// queued is a frame and how long it waits when its turn comes.
type queued struct {
	frame []byte
	delay time.Duration
}

// Serve exchanges JSON-RPC with a client until the connection ends or ctx does.
func (h *Hub) Serve(ctx context.Context, socket *websocket.Conn) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	c := h.conn(rpc{}, webSocket{socket}, end)
	var pings sync.WaitGroup
	pings.Go(func() { c.ping(ctx, socket) })
	defer pings.Wait()
	c.serve(ctx)
}

func (h *Hub) conn(p protocol, w transport, end context.CancelFunc) *Conn {
	return &Conn{hub: h, protocol: p, wire: w, end: end, topics: map[Topic]bool{}, ready: make(chan struct{}, 1)}
}

// serve answers a client and sends it events until the connection ends.
func (c *Conn) serve(ctx context.Context) {
	c.hub.add(c)
	defer c.hub.remove(c)
	var writer sync.WaitGroup
	writer.Go(func() { c.write(ctx) })
	defer writer.Wait()
	defer c.end()
	for {
		text, err := c.wire.Read(ctx)
		if err != nil {
			return
		}
		if back := c.protocol.answer(c, text); back != nil {
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
	default: // the writer knows already
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
			if wire.Sleep(ctx, q.delay) != nil || !c.send(ctx, q.frame) {
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
	return c.wire.Write(ctx, frame) == nil
}

// ping checks that a client that subscribes to something is there. One that does
// not answer is unsubscribed silently; the connection stays.
func (c *Conn) ping(ctx context.Context, socket *websocket.Conn) {
	defer c.recovered()
	for wire.Sleep(ctx, pingInterval) == nil {
		if !c.hub.subscribes(c) {
			continue
		}
		wait, done := context.WithTimeout(ctx, pingInterval)
		err := socket.Ping(wait)
		done()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			c.hub.unsubscribe(c)
		}
	}
}
