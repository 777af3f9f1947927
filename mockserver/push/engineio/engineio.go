// Package engineio is the transport beneath Socket.IO: sessions of Engine.IO 4, over a WebSocket,
// over long polling, or over polling that becomes a WebSocket.
//
// The package imports nothing of chainscope, and starts no goroutine but by Options.Go.
package engineio

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	// pingInterval is the time between two pings of a client, pingTimeout bounds its answer.
	pingInterval = 5 * time.Second
	pingTimeout  = 5 * time.Second
	writeTimeout = 10 * time.Second
	maxPayload   = 1_000_000 // bytes of a message or a body
	maxQueued    = 64        // packets that wait for a poll
)

// Types of packets.
const (
	opened  = '0'
	closed  = '1'
	ping    = '2'
	pong    = '3'
	message = '4'
	upgrade = '5'
	noop    = '6'
)

// separator separates the packets of a body.
const separator = "\x1e"

// Server holds the sessions that are open. The zero value has none.
type Server struct {
	mu   sync.Mutex
	open map[string]*Session
}

// Options configure a session.
type Options struct {
	Context context.Context // ends all that is open
	Go      func(func())    // starts a goroutine that recovers from its panics
	Serve   func(*Session)  // serves a new client until it is gone
}

// Session is one client.
type Session struct {
	ID    string
	Query url.Values // of the first request

	server  *Server
	options Options
	ctx     context.Context
	end     context.CancelFunc
	in      chan []byte // messages
	out     chan []byte // packets
	alive   chan struct{}
}

var errGone = errors.New("engineio: the session has ended")

// Handle answers a request of a client.
func (s *Server) Handle(w http.ResponseWriter, r *http.Request, options Options) {
	q := r.URL.Query()
	id, overSocket := q.Get("sid"), q.Get("transport") == "websocket"
	session := s.find(id)
	switch {
	case !overSocket && q.Get("transport") != "polling":
		refuse(w, 0, "Transport unknown")
	case id != "" && session == nil:
		refuse(w, 1, "Session ID unknown")
	case q.Get("EIO") != "4":
		refuse(w, 5, "Unsupported protocol version")
	case session == nil && r.Method != http.MethodGet:
		refuse(w, 2, "Bad handshake method")
	case overSocket:
		s.overWebSocket(w, r, session, options)
	case session == nil:
		session = s.newSession(q, options)
		answer(w, session.hello("websocket"))
	case r.Method == http.MethodPost:
		session.posted(w, r)
	default:
		session.poll(w, r)
	}
}

func refuse(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "message": text}) // the client may have gone
}

func answer(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // the client may have gone
}

func (s *Server) find(id string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// NewID returns an id that nobody can guess.
func NewID() string {
	var raw [15]byte
	_, _ = rand.Read(raw[:]) // never fails
	return base64.URLEncoding.EncodeToString(raw[:])
}

func (s *Server) newSession(q url.Values, options Options) *Session {
	one := &Session{ID: NewID(), Query: q, server: s, options: options, in: make(chan []byte), out: make(chan []byte, maxQueued), alive: make(chan struct{}, 1)}
	one.ctx, one.end = context.WithCancel(options.Context)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]*Session{}
	}
	s.open[one.ID] = one
	options.Go(one.watch)
	options.Go(func() {
		defer one.Close()
		options.Serve(one)
	})
	return one
}

// hello returns the first packet of a session.
func (s *Session) hello(upgrades ...string) []byte {
	text, _ := json.Marshal(struct { // of such a value it cannot fail
		ID       string   `json:"sid"`
		Upgrades []string `json:"upgrades"`
		Interval int64    `json:"pingInterval"`
		Timeout  int64    `json:"pingTimeout"`
		Max      int      `json:"maxPayload"`
	}{s.ID, append([]string{}, upgrades...), pingInterval.Milliseconds(), pingTimeout.Milliseconds(), maxPayload})
	return append([]byte{opened}, text...)
}

// Context ends with the session.
func (s *Session) Context() context.Context { return s.ctx }

// Close ends the session.
func (s *Session) Close() {
	s.server.mu.Lock()
	delete(s.server.open, s.ID)
	s.server.mu.Unlock()
	s.end()
}

// watch pings the client, and ends the session of one that does not answer.
func (s *Session) watch() {
	defer s.Close()
	for {
		select {
		case <-time.After(pingInterval):
		case <-s.ctx.Done():
			return
		}
		if s.send(s.ctx, []byte{ping}) != nil {
			return
		}
		select {
		case <-s.alive:
		case <-time.After(pingTimeout):
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// Read returns the next message of the client.
func (s *Session) Read(ctx context.Context) ([]byte, error) {
	select {
	case text := <-s.in:
		return text, nil
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	return nil, errGone
}

// Write sends a message.
func (s *Session) Write(ctx context.Context, text []byte) error {
	return s.send(ctx, append([]byte{message}, text...))
}

func (s *Session) send(ctx context.Context, packet []byte) error {
	select {
	case s.out <- packet:
		return nil
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	return errGone
}

// received takes a packet of the client; false ends the session.
func (s *Session) received(packet []byte) bool {
	if len(packet) == 0 {
		return false
	}
	switch packet[0] {
	case message:
		select {
		case s.in <- packet[1:]:
		case <-s.ctx.Done():
			return false
		}
	case pong:
		select {
		case s.alive <- struct{}{}:
		default: // nobody waits for it
		}
	case closed:
		return false
	}
	return true
}

// posted takes the packets of a body.
func (s *Session) posted(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPayload))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	for packet := range bytes.SplitSeq(body, []byte(separator)) {
		if !s.received(packet) {
			s.Close()
			break
		}
	}
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "ok") // the client may have gone
}

// poll answers with the packets that wait, or with the next one.
func (s *Session) poll(w http.ResponseWriter, r *http.Request) {
	var packets []string
	select {
	case packet := <-s.out:
		packets = append(packets, string(packet))
	case <-r.Context().Done():
		return
	case <-s.ctx.Done():
		answer(w, []byte{noop})
		return
	}
	for {
		select {
		case packet := <-s.out:
			packets = append(packets, string(packet))
			continue
		default:
		}
		answer(w, []byte(strings.Join(packets, separator)))
		return
	}
}
