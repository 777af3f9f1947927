package mockserver

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// What a client counts ages from is given with every answer, refusals included, and in a
// world of its own it is that world's.
func TestEveryAnswerReportsTheTimeOfTheChain(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	m, err := New(Config{Seed: 1, Worlds: true, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	clock := func(path string) string { return send(m, http.MethodGet, path, "").Header().Get("X-Mock-Clock") }
	for _, path := range []string{"/extended/v1/block?limit=1", "/extended/v1/block?limit=99", "/nothing", "/mock/v1/scenario"} {
		if got, want := clock(path), "2026-01-01T12:00:00.000Z; ahead=0.000"; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	send(m, http.MethodPost, "/w/a/mock/v1/clock", `{"advance":"3h"}`)
	send(m, http.MethodPost, "/w/b/mock/v1/clock", `{"freeze":true}`)
	send(m, http.MethodPost, "/w/b/mock/v1/clock", `{"set":"2026-01-01T09:00:00Z"}`)
	for path, want := range map[string]string{
		"/extended/v1/block":     "2026-01-01T12:00:00.000Z; ahead=0.000",
		"/w/a/extended/v1/block": "2026-01-01T15:00:00.000Z; ahead=10800.000",
		"/w/b/extended/v1/block": "2026-01-01T09:00:00.000Z; frozen",
	} {
		if got := clock(path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
