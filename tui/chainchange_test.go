package tui

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// control does something to a mock by its control routes, and returns the answer.
func control(t *testing.T, mock http.Handler, path, body string) map[string]any {
	t.Helper()
	r := httptest.NewRequest("POST", "/mock/v1/"+path, strings.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1", "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	mock.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", path, body, w.Code, w.Body)
	}
	var answer map[string]any
	_ = json.Unmarshal(w.Body.Bytes(), &answer)
	return answer
}

// newest returns the height of the newest block of a server.
func newest(t *testing.T, server http.Handler) int64 {
	t.Helper()
	r := httptest.NewRequest("GET", "/extended/v1/block?limit=1", nil)
	r.Host, r.RemoteAddr = "127.0.0.1", "127.0.0.1:1"
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	var list struct{ Results []struct{ Height int64 } }
	if json.Unmarshal(w.Body.Bytes(), &list) != nil || len(list.Results) != 1 {
		t.Fatalf("no newest block: %s", w.Body)
	}
	return list.Results[0].Height
}

// counting is a server that counts its requests, and what it does not have.
type counting struct {
	http.Handler
	mu        sync.Mutex
	requested int
	missing   []string
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rec := httptest.NewRecorder()
	c.Handler.ServeHTTP(rec, r)
	c.mu.Lock()
	c.requested++
	if rec.Code >= 400 {
		c.missing = append(c.missing, r.URL.Path)
	}
	c.mu.Unlock()
	for k, v := range rec.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(rec.Code)
	_, _ = io.Copy(w, rec.Body)
}

func (c *counting) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requested, c.missing = 0, nil
}

// A change of the chain: what is done, and what is done before anybody looks.
type chainChange struct {
	before, change func(t *testing.T, mock http.Handler)
	other          bool // another server answers afterwards
}

func posts(path, body string) func(*testing.T, http.Handler) {
	return func(t *testing.T, mock http.Handler) { control(t, mock, path, body) }
}

var chainChanges = map[string]chainChange{
	"blocks are mined":          {change: posts("mine", `{"blocks":3}`)},
	"the clock goes an hour on": {change: posts("clock", `{"advance":"1h"}`)},
	"the clock goes a day on":   {change: posts("clock", `{"advance":"24h"}`)},
	"two blocks are replaced":   {change: posts("reorg", `{"depth":2}`)},
	"another server answers":    {other: true},
	"a hundred are reset":       {before: posts("mine", `{"blocks":100}`), change: posts("reset", ``)},
	"a day is reset":            {before: posts("clock", `{"advance":"24h"}`), change: posts("reset", ``)},
	"five blocks are rolled back": {before: func(t *testing.T, m http.Handler) {
		control(t, m, "snapshot", `{"name":"a"}`)
		control(t, m, "mine", `{"blocks":5}`)
	}, change: posts("revert", `{"to":"a"}`)},
	"an hour is rolled back": {before: func(t *testing.T, m http.Handler) {
		control(t, m, "snapshot", `{"name":"a"}`)
		control(t, m, "clock", `{"advance":"1h"}`)
	}, change: posts("revert", `{"to":"a"}`)},
}

// untrue are the words that no change of the chain may leave on the screen.
var untrue = regexp.MustCompile(`OFFLINE|stale|data of|Loading|loading|░{18}|newest blocks only| -\d[\d,]*/`)

// Whatever becomes of the chain, and wherever one looks: soon the screen is whole and says
// what is true, without a key and with few requests.
func TestEveryPlaceFollowsAChainThatChanges(t *testing.T) {
	t.Parallel()
	places := slices.Sorted(maps.Keys(visits))
	for i, what := range slices.Sorted(maps.Keys(chainChanges)) {
		change := chainChanges[what]
		t.Run(what, func(t *testing.T) {
			for j, name := range places {
				if !uitest.Long() && (i+j)%4 != 0 { // each night all of them
					continue
				}
				at := visits[name]
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { change.lookedAtFrom(t, at.place, at.keys) })
				})
			}
		})
	}
}

func (c chainChange) lookedAtFrom(t *testing.T, place nav.Place, keys string) {
	began := time.Now()
	clock := func() time.Time { return noon.Add(time.Since(began)) }
	serve := func(seed uint64) *mockserver.Server {
		// No blocks come by themselves, so that what is seen was done.
		mock, err := mockserver.New(mockserver.Config{Seed: seed, Names: 1_000, APIVersion: "9", Now: func() time.Time { return noon }})
		if err != nil {
			t.Fatal(err)
		}
		return mock
	}
	mock := serve(1)
	defer mock.Close()
	if c.before != nil {
		c.before(t, mock)
	}
	server := &counting{Handler: mock}
	e, end := explore(t, server, clock)
	defer end()
	e.passes(time.Second)
	e.start(e.m.visit(place))
	e.passes(5 * time.Second)
	e.presses(keys)
	server.reset()
	if c.other {
		other := serve(7)
		defer other.Close()
		mock = other
		server = &counting{Handler: other}
		e.front.set(server, nil)
	} else {
		c.change(t, mock)
	}
	view := e.passes(16 * time.Second) // live tail requests each 5 s
	if c.other && strings.Contains(view, "stale Not found") {
		view = strings.NewReplacer("stale", "", "data of", "").Replace(view) // which the other server does not have
	}
	if bad := untrue.FindString(view); bad != "" {
		t.Fatalf("%q stands on the screen:\n%s", bad, view)
	}
	if n := strings.Count(view, " now"); n > 3 {
		t.Errorf("%d things are said to be of now:\n%s", n, view)
	}
	if server.requested > 15 || len(server.missing) > 3 {
		t.Errorf("%d requests, of which %d failed: %q", server.requested, len(server.missing), server.missing)
	}
	// And so are the lists, whatever was looked at.
	for _, list := range []nav.Place{nav.Blocks(), nav.Home()} {
		e.start(e.m.visit(list))
		e.passes(3 * time.Second)
		e.send(letter('g'))
		if view, tip := e.passes(3*time.Second), text.Count(newest(t, mock)); !strings.Contains(view, tip) || untrue.MatchString(view) {
			t.Errorf("%v does not show the newest block, %s:\n%s", list.Kind, tip, view)
		}
	}
}
