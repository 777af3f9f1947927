package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// The events that a page can listen to: those of SIP-030, by listen, and those
// of sats-connect, by addListener.
const (
	StacksAccountChange = "stx_accountChange"
	StacksNetworkChange = "stx_networkChange"
	AccountChange       = "accountChange"
	NetworkChange       = "networkChange"
	Disconnect          = "disconnect"
)

var events = []string{StacksAccountChange, StacksNetworkChange, AccountChange, NetworkChange, Disconnect}

// keepAlive is the time between two comments, by which a page that has gone is
// noticed.
const keepAlive = 25 * time.Second

// maxListeners bounds the open event streams.
const maxListeners = 256

type event struct {
	name string
	data json.RawMessage
}

// hub hands events to the streams that are open.
type hub struct {
	mu        sync.Mutex
	listeners map[chan event]string // to the origin of each
	closed    chan struct{}
}

func newHub() *hub { return &hub{listeners: map[chan event]string{}, closed: make(chan struct{})} }

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.closed:
	default:
		close(h.closed)
	}
}

func (h *hub) join(origin string) (chan event, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.listeners) >= maxListeners {
		return nil, false
	}
	c := make(chan event, 16)
	h.listeners[c] = origin
	return c, true
}

func (h *hub) part(c chan event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, c)
}

func (h *hub) publish(name string, data func(origin string) json.RawMessage, allowed func(origin string) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c, origin := range h.listeners {
		if !allowed(origin) {
			continue
		}
		select {
		case c <- event{name, data(origin)}:
		default: // a page that does not read loses events, nobody else waits
		}
	}
}

// serveEvents streams events (server-sent events, HTML 9.2). Whether an origin
// may see an event is decided when it is sent.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	if origin == "" && r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		// A browser sends no Origin with a GET to the page's own server.
		origin = "http://" + r.Host
	}
	origin, ok := allowPage(w, origin, " to listen")
	if !ok {
		return
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		http.Error(w, "events are read", http.StatusMethodNotAllowed)
		return
	}
	events, ok := s.events.join(origin)
	if !ok {
		http.Error(w, "too many pages listen", http.StatusServiceUnavailable)
		return
	}
	defer s.events.part(events)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	if _, err := fmt.Fprint(w, ": listening\n\n"); err != nil || control.Flush() != nil {
		return
	}
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-r.Context().Done():
			return
		case <-s.events.closed:
			return
		case <-tick.C:
			_, err = fmt.Fprint(w, ": still here\n\n")
		case e := <-events:
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, e.data)
		}
		if err != nil || control.Flush() != nil {
			return
		}
	}
}
