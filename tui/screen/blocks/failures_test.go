package blocks

import (
	"net/http"
	"testing"
	"time"

	"chainscope/tui/nav"
)

func TestFailuresAreSaidAndOldRowsStay(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		banner string
		first  []string
	}{
		"a server that fails":   {503, `{"error":"out of order"}`, "out of order", []string{"The server failed", "out of order", "again in 10s", "tries now"}},
		"too many requests":     {429, `{"error":"slow down"}`, "slow down", []string{"Too many requests", "again in"}},
		"an answer of no use":   {200, `{"limit":"x","results":[{"height":{}}]}`, "cannot be read", []string{"The answer cannot be read", "what came"}},
		"an answer that is cut": {200, `{"limit":20,"resu`, "cannot be read", []string{"The answer cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			bad := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.status == 429 {
					w.Header().Set("Retry-After", "7")
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			})
			s := begin(t, 80, 20, "mono")
			s.front = bad
			s.open(nav.Blocks())
			s.sees(c.first...)
			if subject := s.screen.Subject(); string(subject.Raw) != c.body {
				t.Errorf("the raw view has %q", subject.Raw)
			}
			s.front = s.server
			s.now = s.now.Add(7 * time.Second)
			s.do(s.screen.Refresh())
			tip, _ := s.screen.Tips()
			s.sees(comma(tip))
			s.front = bad
			s.now = s.now.Add(42 * time.Second)
			s.do(s.screen.Refresh())
			s.sees(comma(tip), "data of 42s ago", c.banner)
			if s.screen.Status().Err == nil {
				t.Error("the status has no error")
			}
		})
	}
}

func TestTheServersWishToWaitIsCountedDownAndKept(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.front = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":"slow down"}`))
	})
	s.open(nav.Blocks())
	s.sees("Too many requests", "again in 1m", "r tries now")
	before := s.sent.Load()
	s.pass(20 * time.Second)
	s.do(s.screen.Live())
	s.sees("again in 40s")
	if s.sent.Load() != before {
		t.Errorf("asked %d times while told to wait", s.sent.Load()-before)
	}
	s.front = s.server
	s.pass(40 * time.Second)
	tip, _ := s.screen.Tips()
	s.sees(comma(tip))
}

func TestAPageThatFailedIsRequestedAgain(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	s.front = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"out of order"}`))
	})
	s.press("]", "]", "]")
	s.sees("out of order", "░░░░")
	before := s.sent.Load()
	s.press("j", "k", "j")
	if s.sent.Load() != before {
		t.Error("every key asks again")
	}
	s.front = s.server
	s.sees("again in 10s")
	s.pass(10 * time.Second)
	s.seesNot("out of order")
	if s.screen.current() == nil {
		t.Error("the block under the cursor is not loaded")
	}
}
