package tui

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// gateway is before a mock: it takes 25 requests in each minute, hides the control
// routes, and tells nothing of its limit before it is reached, unless tells is set.
type gateway struct {
	mock  http.Handler
	tells bool

	mu      sync.Mutex
	taken   []time.Time
	refused map[time.Time]int // by the end of the window
	sent    int
}

func (g *gateway) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(30 * time.Millisecond)
	w := httptest.NewRecorder()
	if wait := g.take(); wait > 0 {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.WriteString(`{"error":"slow down"}`)
	} else if strings.HasPrefix(r.URL.Path, "/mock/") || strings.HasSuffix(r.URL.Path, "/ws") {
		w.WriteHeader(http.StatusNotFound)
	} else {
		in := httptest.NewRequest(r.Method, r.URL.RequestURI(), nil)
		in.Header, in.Host, in.RemoteAddr = r.Header, "127.0.0.1", "127.0.0.1:1"
		g.mock.ServeHTTP(w, in)
	}
	resp := w.Result()
	resp.Request = r
	if g.tells {
		g.say(resp.Header)
	}
	return resp, nil
}

// say reports how many requests are left, and when there are more.
func (g *gateway) say(h http.Header) {
	g.mu.Lock()
	defer g.mu.Unlock()
	h.Set("Ratelimit-Limit", "25")
	h.Set("Ratelimit-Remaining", strconv.Itoa(25-len(g.taken)))
	if len(g.taken) > 0 {
		h.Set("Ratelimit-Reset", strconv.Itoa(int(time.Until(g.taken[0].Add(time.Minute))/time.Second)+1))
	}
}

// take counts a request, or returns how long it has to wait.
func (g *gateway) take() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sent++
	now := time.Now()
	for len(g.taken) > 0 && now.Sub(g.taken[0]) >= time.Minute {
		if g.tells { // a limit that is told begins anew, as that of the public API does
			g.taken = nil
			break
		}
		g.taken = g.taken[1:]
	}
	if len(g.taken) < 25 {
		g.taken = append(g.taken, now)
		return 0
	}
	end := g.taken[0].Add(time.Minute)
	g.refused[end]++
	return end.Sub(now)
}

// session is the explorer, whose commands run beside it as in the program.
type session struct {
	t    *testing.T
	m    *Model
	msgs chan tea.Msg
	ctx  context.Context
	runs sync.WaitGroup
	// reading is true while all names are read, which says when it goes on.
	reading bool
}

func (s *session) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.runs.Go(func() {
		select {
		case s.msgs <- cmd():
		case <-s.ctx.Done():
		}
	})
}

func (s *session) send(msg tea.Msg) {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			s.start(cmd)
		}
		return
	}
	_, cmd := s.m.Update(msg)
	s.start(cmd)
}

// passes lets time pass while messages are taken, and looks at the screen at its end.
func (s *session) passes(d time.Duration) string {
	for end := time.After(d); ; {
		select {
		case msg := <-s.msgs:
			s.send(msg)
			continue
		case <-end:
		}
		view := ansi.Strip(s.m.View())
		for _, bad := range []string{"OFFLINE", "Too many requests", "limited, again"} {
			if strings.Contains(view, bad) && !s.reading {
				s.t.Errorf("%q is on the screen:\n%s", bad, view)
			}
		}
		return view
	}
}

// TestAnHourInTheExplorerKeepsToALimitOf25AMinute is a user who browses with live tail
// on, reads all 12,000 names of a namespace, and browses on.
func TestAnHourInTheExplorerKeepsToALimitOf25AMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		clock := func() time.Time { return noon.Add(time.Since(began)) }
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 12_000, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		g := &gateway{mock: mock, refused: map[time.Time]int{}}
		client, err := apiclient.New(apiclient.Options{BaseURL: "http://api.test", Transport: g, Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(Options{
			Client: client, Keys: keymap.Default(), Network: "mainnet", Theme: "mono", Look: theme.Options{Plain: true}, Now: clock, Zone: time.UTC, Tick: tea.Tick,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := &session{t: t, m: m, msgs: make(chan tea.Msg), ctx: ctx}
		s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		s.start(m.Init())
		browse := func(until time.Duration) {
			for i := 0; time.Since(began) < until; i++ {
				s.send(letter([]rune("12G103jGj2g41")[i%13]))
				s.passes(20 * time.Second)
			}
		}
		browse(20 * time.Minute)
		s.start(m.visit(nav.Names("btc")))
		s.passes(5 * time.Second)
		s.send(letter('a')) // says what it costs
		s.passes(5 * time.Second)
		s.reading = true
		s.send(letter('a'))
		for end := time.Now().Add(20 * time.Minute); !strings.Contains(s.passes(20*time.Second), "12,000 names, all of them"); s.send(letter('j')) {
			if time.Now().After(end) {
				t.Fatalf("not every name was read:\n%s", ansi.Strip(m.View()))
			}
		}
		s.reading = false
		t.Logf("every name after %s", time.Since(began))
		browse(time.Hour)
		cancel()
		m.leave()
		client.Close()
		_ = mock.Close()
		s.runs.Wait()
		for end, n := range g.refused {
			if n > 1 {
				t.Errorf("%d requests were refused in the window that ended at %s", n, end)
			}
		}
		t.Logf("%d requests, refused in %d windows", g.sent, len(g.refused))
	})
}
