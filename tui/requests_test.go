package tui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// The request behind what is shown is one key away, and so is the way back; all requests are a
// list as any other.
func TestTheRequestBehindAPlaceIsAPlace(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 140, 50)
	missing := nav.Transaction("0x" + strings.Repeat("ab", 32))
	p.run(p.m.visit(missing))
	p.press(letter('i'))
	p.sees("Request ", "GET", "/extended/v1/tx/0xabab", "404", "Response headers", "The same by curl", "-H 'Accept:")
	if got := p.copied("u").Text; !strings.Contains(got, "/extended/v1/tx/0x"+strings.Repeat("ab", 32)+"?") {
		t.Errorf("the URL that is copied is %q", got)
	}
	if got := p.copied("c").Text; !strings.HasPrefix(got, "curl ") {
		t.Errorf("the command that is copied is %q", got)
	}
	p.press(letter('J'))
	p.sees(`"error"`)
	p.press(escape, letter('i'))
	if at := p.m.Place(); at != missing {
		t.Errorf("i once more leads to %v", at)
	}
	p.run(p.m.visit(nav.Listed(nav.KindRequests, "")))
	all := p.m.currentScreen().Subject().Export().Rows
	for i, e := range p.m.options.Client.Log().Snapshot() {
		if row := strings.Join(all[len(all)-1-i], " "); !strings.Contains(row, e.Target()) {
			t.Errorf("row %d from the end is %s, the request was for %s", i, row, e.Target())
		}
	}
	p.press(letter('/'))
	p.typed("status:404")
	p.press(enter)
	p.sees("/extended/v1/tx/0xabab")
	for _, row := range p.m.currentScreen().Subject().Export().Rows {
		if row[1] != "404" {
			t.Errorf("among those with 404: %q", row)
		}
	}
}

// What was read stays on screen when one comes back from its request in an outage.
func TestThePageIsThereAfterItsRequestInAnOutage(t *testing.T) {
	mock := uitest.Mock(t, mockserver.Config{Seed: 1, APIVersion: "9", Now: func() time.Time { return noon }})
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		mock.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := startWith(t, 140, 50, server.URL, plainOptions("mainnet"))
	p.run(p.m.visit(nav.Account(firstAccount)))
	p.sees("1,000,000 STX")
	p.press(letter('i'))
	p.sees("/extended/")
	down.Store(true)
	p.press(letter('i'))
	p.sees("1,000,000 STX")
}

// A server may send what a terminal obeys, in its headers and in its errors.
func TestAHostileAnswerIsTextInItsRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Trick", "\u202e\u009b31m")
		http.Error(w, `{"error":"\u202e\u009b31m"}`, http.StatusBadRequest)
	}))
	t.Cleanup(server.Close)
	p := startWith(t, 140, 50, server.URL, plainOptions("mainnet"))
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('i'))
	p.sees("X-Trick")
	if strings.ContainsAny(p.m.View(), "\u202e\u009b") {
		t.Errorf("%q", p.m.View())
	}
}
