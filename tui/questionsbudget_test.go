package tui

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/mockserver"

	tea "github.com/charmbracelet/bubbletea"
)

// turnstile is an API that takes 25 requests in any 60 seconds and refuses what is above that. It
// reports what is left or is silent about it, as both are met.
type turnstile struct {
	http.Handler
	reports bool

	mu      sync.Mutex
	times   []time.Time // of the requests of the last minute
	paths   []string
	refused []string
}

func (s *turnstile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.takes(w, r) {
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"message":"API rate limit exceeded"}`))
		return
	}
	s.Handler.ServeHTTP(w, r)
}

func (s *turnstile) takes(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.times = slices.DeleteFunc(append(s.times, now), func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	s.paths = append(s.paths, r.Method+" "+r.URL.RequestURI())
	if s.reports {
		w.Header().Set("Ratelimit-Limit", "25")
		w.Header().Set("Ratelimit-Remaining", fmt.Sprint(max(0, 25-len(s.times))))
		w.Header().Set("Ratelimit-Reset", fmt.Sprint(1+int(time.Minute-now.Sub(s.times[0]))/int(time.Second)))
	}
	if len(s.times) > 25 {
		s.refused = append(s.refused, s.paths[len(s.paths)-1])
		return false
	}
	return true
}

// Whoever asks one thing after the other is answered, and no minute has more than 25 requests: of
// the place, of what follows the chain, and of the names beside addresses.
func TestAllQuestionsTogetherKeepToTheLimit(t *testing.T) {
	const (
		signed = "808000000004001859c6840c4dc8ab3a3d39c6b5003fb36c5e723200000000000000000000000000000bb800013700e0f4b1356541f96ab134716df0aef66ed910fcc539bea83df353e96f19e939d0a8b2b51263860ec8728fea9fbe75c84981c18770a0ee97173c94346bc00003020000000000051a1859c6840c4dc8ab3a3d39c6b5003fb36c5e7232000000000016e36072656e74000000000000000000000000000000000000000000000000000000000000"
		own    = "0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8"
	)
	for _, c := range []struct {
		version string
		reports bool
	}{{"8", true}, {"9", true}, {"9", false}, {"sunset", true}, {"sunset", false}} {
		t.Run(fmt.Sprintf("%s-%t", c.version, c.reports), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				clock := func() time.Time { return noon.Add(time.Since(began)) }
				mock, err := mockserver.New(mockserver.Config{Seed: 1, APIVersion: c.version, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: clock})
				if err != nil {
					t.Fatal(err)
				}
				defer mock.Close()
				server := &turnstile{Handler: mock, reports: c.reports}
				e, end := exploreAt(t, "http://api.test", server, clock, nil)
				defer end()
				e.m.options.KnownNames = true
				e.send(tea.WindowSizeMsg{Width: 200, Height: 60})
				for _, q := range []struct {
					what, pasted string
					keys         string // before
					then         string // after what is pasted
					sees         string
				}{
					{what: "home", keys: "0", sees: "Newest transactions"},
					{what: "name", keys: "\a", pasted: "muneeb.btc", then: "\r", sees: "expires    never"},
					{what: "account", then: "lj\r", sees: "next nonce"},
					{what: "pasted", keys: "\a", pasted: signed, then: "\r", sees: "Send STX"},
					{what: "own", keys: "\a", pasted: own, then: "\r", sees: "What moved"},
					{what: "chosen", keys: "6/", pasted: "type:smart_contract since:20m until:10m", then: "\r", sees: map[bool]string{true: "chosen here", false: "on the chain"}[c.version == "sunset"]},
					{what: "history", keys: "\a", pasted: "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", then: "\rx", sees: "Transactions of"},
					{what: "holders", keys: "\a", pasted: "ft " + harborDollar + " --holders", then: "\r", sees: "17 of 17"},
					{what: "owner", keys: "\a", pasted: harborLights + "::1", then: "\r", sees: "owner "},
					{what: "moves", keys: "\a", pasted: "nft " + harborLights + " 1 --history", then: "\r", sees: "moved"},
					{what: "home again", keys: "\x1b0", sees: "Newest transactions"},
				} {
					e.presses(q.keys)
					if q.pasted != "" {
						e.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(q.pasted), Paste: true})
						e.passes(2 * time.Second)
					}
					e.presses(q.then)
					if took := e.wholeWithin(2*time.Minute, q.sees); took > 20*time.Second {
						t.Errorf("%s is answered after %s", q.what, took)
					}
					e.passes(10 * time.Second)
				}
				if len(server.refused) > 0 {
					t.Errorf("%d of %d requests were too many:\n%s", len(server.refused), len(server.paths), strings.Join(server.refused, "\n"))
				}
				if all := strings.Join(server.paths, "\n"); !strings.Contains(all, primaryCall) || !strings.Contains(all, "/v2/info") {
					t.Errorf("names and the node are not among the requests:\n%s", all)
				}
			})
		})
	}
}
