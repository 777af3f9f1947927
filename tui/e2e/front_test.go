//go:build unix && outages

package e2e

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// frontLimit is the number of requests that the front takes in a minute, and says so.
const frontLimit = 50

// The kinds of outages.
const (
	noOutage     = ""
	downOutage   = "down"
	resetOutage  = "connection reset"
	silentOutage = "503 without a reason"
	databaseGone = "database gone"
	slowOutage   = "slow"
	tooMany      = "429"
)

var outageKinds = []string{downOutage, resetOutage, silentOutage, databaseGone, slowOutage, tooMany}

// front is before a mock as the gateway of a live API does: it hides the control
// routes and keeps a limit. It goes and comes back as it is told.
type front struct {
	t       testing.TB
	addr    string
	forward *httputil.ReverseProxy

	mu     sync.Mutex
	kind   string
	server *http.Server
	conns  map[net.Conn]bool
	asked  []time.Time // when requests came, in order
	began  time.Time   // of the window
	used   int         // of the window
	over   int         // requests beyond the limit
	fooled int         // requests during outages
}

func newFront(t testing.TB, mock string) *front {
	f := &front{t: t, addr: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	f.forward = httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: mock})
	f.forward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	f.listen()
	t.Cleanup(f.hangUp)
	return f
}

// listen begins to take connections.
func (f *front) listen() {
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		f.t.Fatal(err)
	}
	server := &http.Server{Handler: f, ReadHeaderTimeout: patience, ConnState: f.connChanged}
	f.mu.Lock()
	f.addr, f.server = l.Addr().String(), server
	f.mu.Unlock()
	go func() { _ = server.Serve(l) }()
}

func (f *front) connChanged(c net.Conn, state http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if state == http.StateClosed {
		delete(f.conns, c)
	} else {
		f.conns[c] = true
	}
}

// hangUp takes no connections any more, and closes those that are open.
func (f *front) hangUp() {
	_ = f.server.Close()
	f.cut()
}

// cut closes what is open, the push channel too.
func (f *front) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		reset(c)
	}
	clear(f.conns)
}

// reset closes a connection so that the other end is told.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// goes begins an outage. The push channel may outlive it.
func (f *front) goes(kind string, cut bool) {
	f.mu.Lock()
	f.kind = kind
	f.mu.Unlock()
	switch {
	case kind == downOutage:
		f.hangUp()
	case kind == resetOutage || cut:
		f.cut()
	}
}

// comesBack ends an outage.
func (f *front) comesBack() {
	f.mu.Lock()
	was := f.kind
	f.kind = noOutage
	f.mu.Unlock()
	if was == downOutage {
		f.listen()
	}
}

// take notes a request, and returns the outage, what is left of the limit, and when the
// window ends.
func (f *front) take() (kind string, left int, resets time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	f.asked = append(f.asked, now)
	if now.Sub(f.began) >= time.Minute {
		f.began, f.used = now, 0
	}
	f.used++
	switch {
	case f.kind != noOutage:
		f.fooled++
	case f.used > frontLimit:
		f.over++
	}
	return f.kind, frontLimit - f.used, f.began.Add(time.Minute).Sub(now)
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/mock/") {
		http.NotFound(w, r)
		return
	}
	kind, left, resets := f.take()
	seconds := strconv.Itoa(int(resets/time.Second) + 1)
	w.Header().Set("ratelimit-limit", strconv.Itoa(frontLimit))
	w.Header().Set("ratelimit-remaining", strconv.Itoa(max(0, left)))
	w.Header().Set("ratelimit-reset", seconds)
	answer := func(status int, body string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	switch {
	case kind == resetOutage:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			reset(conn)
		}
	case kind == silentOutage:
		answer(http.StatusServiceUnavailable, "")
	case kind == databaseGone:
		answer(http.StatusServiceUnavailable, `{"error":"The database service is unavailable"}`)
	case kind == slowOutage:
		<-r.Context().Done()
	case kind == tooMany:
		w.Header().Set("Retry-After", "5")
		answer(http.StatusTooManyRequests, `{"error":"slow down"}`)
	case left < 0:
		w.Header().Set("Retry-After", seconds)
		answer(http.StatusTooManyRequests, `{"error":"slow down"}`)
	default:
		f.forward.ServeHTTP(w, r)
	}
}

// busiest returns the most requests that came in a minute, and mean how many did.
func (f *front) busiest() (most int, mean float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := 0
	for i, at := range f.asked {
		for at.Sub(f.asked[from]) >= time.Minute {
			from++
		}
		most = max(most, i-from+1)
	}
	if len(f.asked) > 1 {
		mean = float64(len(f.asked)) / max(1, f.asked[len(f.asked)-1].Sub(f.asked[0]).Minutes())
	}
	return most, mean
}
