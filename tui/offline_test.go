package tui

import (
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/nav"
)

// Without a server, what is on screen says one thing: nothing is live, nothing was fetched just now,
// and what was never read has no age.
func TestWithoutAServerTheScreenSaysOneThing(t *testing.T) {
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mock.Close() })
	server := httptest.NewServer(mock)
	p := startWith(t, 120, 40, server.URL, plainOptions("MOCK"))
	p.run(p.m.visit(nav.Transactions()))
	p.sees("live ")
	p.sees("fetched ")
	server.CloseClientConnections()
	server.Close()
	p.run(p.m.refresh())
	p.sees("OFFLINE")
	p.sees("data of ")
	for place, old := range map[nav.Place]bool{nav.Transactions(): true, nav.Accounts(): false, nav.Account(firstAccount): false, nav.Listed(nav.KindName, ""): false} {
		p.run(p.m.visit(place))
		frame := p.frame()
		first, _, _ := strings.Cut(frame, "\n")
		for _, wrong := range []string{"live", "▶", "fetched", "stale"} {
			if strings.Contains(first, wrong) || wrong != "live" && wrong != "▶" && strings.Contains(frame, wrong) {
				t.Errorf("%v: %q without a server:\n%s", place, wrong, frame)
			}
		}
		if strings.Contains(frame, "data of") != old {
			t.Errorf("%v: data of the place has an age: %t\n%s", place, !old, frame)
		}
	}
}
