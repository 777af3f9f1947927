package tui

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// TestHalfAnHourOfJourneysKeepsToALimitOf25AMinute is a user who looks at transactions,
// accounts, contracts and blocks for half an hour, one every third of a minute, on a server
// that takes 25 requests a minute and says so: it never has to refuse one, and after the first
// minutes nothing has to wait. Whoever is in a hurry may have to wait; nothing is refused either.
func TestHalfAnHourOfJourneysKeepsToALimitOf25AMinute(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for i, version := range []string{"8", "9", "sunset", "v3"} {
		for j, pace := range []time.Duration{7 * time.Second, 15 * time.Second, 20 * time.Second} {
			if !uitest.Long() && j != i%3 {
				continue
			}
			t.Run(version+" "+pace.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { browseJourneys(t, version, pace, true, 0) })
			})
		}
	}
}

// A server that has the same limit and does not say so refuses one request in ten minutes: that
// is how long what was learned from a refusal counts. At the first refusal the request that
// watches the newest block may be on its way too.
func TestAnUnpublishedLimitIsLearnedFromOneRefusal(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for _, pace := range []time.Duration{15 * time.Second, 7 * time.Second} {
		t.Run(pace.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { browseJourneys(t, "sunset", pace, false, 4) })
		})
	}
}

func browseJourneys(t *testing.T, version string, pace time.Duration, tells bool, mayRefuse int) {
	began := time.Now()
	clock := func() time.Time { return noon.Add(time.Since(began)) }
	mock, err := mockserver.New(mockserver.Config{Seed: 1, APIVersion: version, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{mock: mock, tells: tells, refused: map[time.Time]int{}}
	client, err := apiclient.New(apiclient.Options{BaseURL: "http://api.test", Network: apiclient.Mainnet, Transport: g, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Options{Client: client, Keys: keymap.Default(), Network: "mainnet", Theme: "mono", Look: theme.Options{Plain: true}, Now: clock, Zone: time.UTC, Tick: tea.Tick})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &session{t: t, m: m, msgs: make(chan tea.Msg), ctx: ctx}
	s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.start(m.Init())
	ids := newestIDs(t, mock)
	asked := 0
	for i := 0; time.Since(began) < 30*time.Minute; i++ {
		// At first it finds out which routes are retired, and may have to wait for that.
		s.reading = time.Since(began) < 2*time.Minute || pace < 20*time.Second
		switch i % 5 {
		case 0: // what a pasted id is, and what it did
			s.start(m.visit(nav.Hash(ids[i%len(ids)])))
		case 1: // a block, its transactions, the contract of one
			s.keys("1", "x", "j", "x")
		case 2: // a contract, its transactions, one of them
			s.start(m.visit(nav.Contract(usdaToken)))
			s.keys("c", "j", "enter")
		case 3: // an account
			s.start(m.visit(nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")))
			s.keys("j", "x")
		case 4: // what waits, and home
			s.start(m.visit(nav.Mempool()))
			s.keys("0")
		}
		if view := s.passes(pace); strings.Contains(view, "Not found") {
			t.Errorf("after journey %d:\n%s", i, view)
		}
		asked++
	}
	cancel()
	m.leave()
	client.Close()
	_ = mock.Close()
	s.runs.Wait()
	refused := 0
	for _, n := range g.refused {
		refused += n
	}
	if refused > mayRefuse || asked < 70 {
		t.Errorf("%d journeys; %d of %d requests were refused", asked, refused, g.sent)
	}
	t.Logf("%d journeys, %d requests, %d refused", asked, g.sent, refused)
}

// keys presses keys, each when what the one before requested is there.
func (s *session) keys(keys ...string) {
	for _, key := range keys {
		s.passes(time.Second)
		s.send(keyNamed(s.t, key))
	}
}

// newestIDs returns the ids of the newest transactions of a mock.
func newestIDs(t *testing.T, mock *mockserver.Server) []string {
	t.Helper()
	var ids []string
	for _, path := range []string{"/extended/v1/tx?limit=20", "/extended/v3/transactions?limit=20"} {
		w := httptest.NewRecorder()
		in := httptest.NewRequest("GET", path, nil)
		in.Host = "127.0.0.1"
		mock.ServeHTTP(w, in)
		parts := strings.Split(w.Body.String(), `"`)
		for i, part := range parts {
			if i > 1 && parts[i-2] == "tx_id" {
				ids = append(ids, part)
			}
		}
	}
	if len(ids) == 0 {
		t.Fatal("the mock has no transactions")
	}
	return ids
}
