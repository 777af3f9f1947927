package tui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

const primaryCall = "/BNS-V2/get-primary"

// nameReader starts the explorer on an API that answers calls of the registry by a handler; nil
// is for as the mock does. It returns how often the registry was called.
func nameReader(t *testing.T, answer http.HandlerFunc) (p *program, clock *time.Time, requests *int) {
	t.Helper()
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	requests = new(int)
	server := httptest.NewServer(inTurn(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, primaryCall) {
			if *requests++; answer != nil {
				answer(w, r)
				return
			}
		}
		mock.ServeHTTP(w, r)
	})))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	p = startWith(t, 120, 40, server.URL, Options{Network: "mainnet", KnownNames: true, Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return at }})
	return p, &at, requests
}

// Accounts in sight have their names beside them, each by one request, and a label of the user's own
// goes before.
func TestNamesStandBesideAddresses(t *testing.T) {
	p, at, requests := nameReader(t, nil)
	p.run(p.m.visit(nav.TransactionsOf(alice)))
	*at = at.Add(time.Second)
	p.run(p.m.onTime())
	p.sees("Transactions of SPC5KHM41H6W…QKJ69FSH54J  alice.btc", "5,000 STX → alice.btc")
	if *requests != 2 { // alice, and who sent to her
		t.Errorf("%d requests", *requests)
	}
	p.run(p.m.visit(nav.Account(alice)))
	*at = at.Add(time.Minute)
	p.run(p.m.onTime())
	if row := lineWith(p, "│ ▸ address"); *requests != 2 || !strings.Contains(row, "FSH54J  alice.btc") {
		t.Errorf("%d requests, and the row is %q", *requests, row)
	}
	keysOf(p, "@")
	p.typed("me")
	keysOf(p, "enter")
	p.sees("FSH54J  @me")
}

// A refusal stops the names for its time, an API without the registry for good.
func TestNamesAreNotRequestedWhereTheyAreRefused(t *testing.T) {
	for _, c := range []struct {
		status, later int
		body          string
	}{
		{http.StatusTooManyRequests, 1, `{"error":"slow down"}`},
		{http.StatusInternalServerError, 1, `{}`},
		{http.StatusNotFound, 0, `{"message":"not found"}`},
		{http.StatusOK, 0, `{"okay":false,"cause":"Unchecked(NoSuchContract(\"BNS-V2\"))"}`},
	} {
		p, at, requests := nameReader(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if c.status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "90")
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		})
		p.run(p.m.visit(nav.TransactionsOf(alice)))
		after := func(wait time.Duration) int {
			before := *requests
			*at = at.Add(wait)
			p.run(p.m.onTime())
			return *requests - before
		}
		after(time.Second)
		if *requests != 1 {
			t.Errorf("%d: %d requests at first", c.status, *requests)
		}
		if n := after(50 * time.Second); n != 0 {
			t.Errorf("%d: %d requests too early", c.status, n)
		}
		if n := after(2 * time.Minute); n != c.later {
			t.Errorf("%d: %d requests later, want %d", c.status, n, c.later)
		}
	}
}
