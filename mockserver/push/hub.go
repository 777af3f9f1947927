package push

import (
	"encoding/json"
	"slices"
	"sync"

	"chainscope/mockserver/fault"
)

// Options of a Hub.
type Options struct {
	// Settle is called before something is subscribed to: what has happened until
	// then is published in it, so that a subscription begins with what comes next.
	Settle func()
	// Problem is called with what went wrong within the package.
	Problem func(error)
	// Faults decides what happens to a frame on its way to one client.
	Faults *fault.Engine
}

// Hub holds the connections to one chain. It is safe for concurrent use.
type Hub struct {
	opt Options

	mu    sync.Mutex
	conns map[*Conn]bool
	// topics counts the subscriptions to each.
	topics map[Topic]int
}

// NewHub returns a hub without connections.
func NewHub(o Options) *Hub {
	return &Hub{opt: o, conns: map[*Conn]bool{}, topics: map[Topic]int{}}
}

// Of returns what clients subscribe to an event for, such as addresses; nil if nobody
// subscribes to it. For an event that needs nothing it is one "".
func (h *Hub) Of(event string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var of []string
	for topic := range h.topics {
		if topic.Event == event {
			of = append(of, topic.Of)
		}
	}
	slices.Sort(of)
	return of
}

// Event holds the contents of an event, as JSON values.
type Event struct {
	Params json.RawMessage // by JSON-RPC
	// Args are the arguments of Socket.IO, behind the address or asset of the topic; nil where it is
	// the same.
	Args json.RawMessage
}

// Publish sends an event to all who subscribe to its topic.
func (h *Hub) Publish(topic Topic, e Event) {
	frames := map[string][]byte{} // by the kind of protocol
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		if !c.topics[topic] {
			continue
		}
		kind := c.protocol.kind()
		if frames[kind] == nil {
			frames[kind] = c.protocol.frame(topic, e)
		}
		c.push(topic.Event, frames[kind])
	}
}

// CutAll closes every connection without saying why.
func (h *Hub) CutAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		c.cut()
	}
}

func (h *Hub) add(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns[c] = true
}

func (h *Hub) remove(c *Conn) {
	h.unsubscribe(c)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, c)
}

// subscribe adds or ends a subscription. Subscribing twice does not double it.
func (h *Hub) subscribe(c *Conn, topic Topic, on bool) {
	if on {
		h.opt.Settle()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.topics[topic] == on {
		return
	}
	if on {
		c.topics[topic] = true
		h.topics[topic]++
		return
	}
	h.end(c, topic)
}

// end ends a subscription. The caller must hold h.mu.
func (h *Hub) end(c *Conn, topic Topic) {
	delete(c.topics, topic)
	if h.topics[topic]--; h.topics[topic] == 0 {
		delete(h.topics, topic)
	}
}

// unsubscribe ends all subscriptions of a connection.
func (h *Hub) unsubscribe(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for topic := range c.topics {
		h.end(c, topic)
	}
}

// subscribes reports whether a connection subscribes to anything.
func (h *Hub) subscribes(c *Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(c.topics) > 0
}
