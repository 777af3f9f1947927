package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient/wire"
)

// limiter takes so many requests a minute, each answered after a while, and
// refuses the others until the minute is over.
type limiter struct {
	perMinute int
	next      http.Handler

	mu      sync.Mutex
	taken   []time.Time
	refused map[time.Time]int // by the end of the window
	sent    int
}

func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	pause(r.Context(), 30*time.Millisecond)
	l.mu.Lock()
	l.sent++
	now := time.Now()
	for len(l.taken) > 0 && now.Sub(l.taken[0]) >= time.Minute {
		l.taken = l.taken[1:]
	}
	if len(l.taken) < l.perMinute {
		l.taken = append(l.taken, now)
		l.mu.Unlock()
		l.next.ServeHTTP(w, r)
		return
	}
	end := l.taken[0].Add(time.Minute)
	l.refused[end]++
	l.mu.Unlock()
	// Whole seconds, rounded up, as a gateway writes them.
	w.Header().Set("Retry-After", strconv.Itoa(int((end.Sub(now)+time.Second-1)/time.Second)))
	answer(w, 429, `{"error":"slow down"}`)
}

func TestReadingAllNamesOutlastsARateLimit(t *testing.T) {
	s := &namespace{base: 0, invalid: true, pages: somePages(full(121)...)}
	l := &limiter{perMinute: 25, next: s, refused: map[time.Time]int{}}
	inBubble(t, l.ServeHTTP, func(t *testing.T, c *Client) {
		start := time.Now()
		var waits []time.Time
		list, err := c.AllNames(t.Context(), "btc", AllNamesQuery{OnWait: func(until time.Time) { waits = append(waits, until) }})
		if err != nil {
			t.Fatal(err)
		}
		if list.Len() != 12_100 || list.At(12_099) != "name012099.btc" {
			t.Errorf("%d names", list.Len())
		}
		if took := time.Since(start); took < 4*time.Minute || took > 5*time.Minute {
			t.Errorf("it took %s", took)
		}
		for end, n := range l.refused {
			if n > defaultNamesWorkers {
				t.Errorf("%d requests were refused in the window that ends %s after the start", n, end.Sub(start))
			}
		}
		if len(l.refused) > 1 {
			t.Errorf("requests were refused in %d windows: %v", len(l.refused), l.refused)
		}
		// Pages requested beyond the end may meet the fifth window.
		if len(waits) != 4 && len(waits) != 5 {
			t.Errorf("%d waits were reported: %v", len(waits), waits)
		}
		for i, until := range waits {
			if i > 0 && until.Sub(waits[i-1]) < 50*time.Second {
				t.Errorf("waits until %s and %s were reported", waits[i-1], until)
			}
		}
	})
}

func TestReadingAllNamesGivesUpOnAServerThatOnlyRefuses(t *testing.T) {
	n := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		w.Header().Set("Retry-After", "60")
		answer(w, 429, `{"error":"never"}`)
	}, func(t *testing.T, c *Client) {
		start := time.Now()
		_, err := c.AllNames(t.Context(), "btc", AllNamesQuery{Workers: 1})
		if KindOf(err) != RateLimited || n != maxRefusals+1 || time.Since(start) != maxRefusals*time.Minute {
			t.Errorf("%v after %d requests and %s", err, n, time.Since(start))
		}
	})
}

func TestTheFirstRefusalHoldsBackEveryCaller(t *testing.T) {
	n := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Retry-After", "30")
			answer(w, 429, `{"error":"slow down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(t *testing.T, c *Client) {
		if until := c.Gate().ClosedUntil(); !until.IsZero() {
			t.Errorf("closed until %s before anything was sent", until)
		}
		_, _ = c.Blocks(t.Context(), Page{})
		if until := c.Gate().ClosedUntil(); time.Until(until) != 30*time.Second {
			t.Errorf("closed until %s", until)
		}
		time.Sleep(10 * time.Second)
		start := time.Now()
		for i := range 5 {
			_, err := c.Blocks(t.Context(), Page{Offset: i})
			var e *Error
			if !errors.As(err, &e) || e.Kind != RateLimited || e.RetryAfter != 20*time.Second {
				t.Errorf("got %#v", err)
			}
			if want := "blocks: the server requested a wait; try again in 20 s"; err.Error() != want {
				t.Errorf("says %q, want %q", err, want)
			}
		}
		if n != 1 || !time.Now().Equal(start) {
			t.Errorf("%d requests, %s", n, time.Since(start))
		}
		// A call in whose time the gate opens waits for it.
		time.Sleep(12 * time.Second)
		start = time.Now()
		if _, err := c.Blocks(t.Context(), Page{}); err != nil || time.Since(start) != 8*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		if until := c.Gate().ClosedUntil(); !until.IsZero() {
			t.Errorf("still closed until %s", until)
		}
	})
}

func TestTheGateIsOfOneOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := wire.NewGate(nil)
		sent := map[string]int{}
		base := inMemory(func(w http.ResponseWriter, r *http.Request) {
			sent[r.URL.Host]++
			w.Header().Set("Retry-After", "5")
			answer(w, 429, `{}`)
		})
		tr, err := wire.NewTransport(wire.TransportOptions{BaseURL: "http://api.test", Base: base, Gate: gate})
		if err != nil {
			t.Fatal(err)
		}
		get := func(url string) time.Duration {
			start := time.Now()
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
			resp, err := tr.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			return time.Since(start)
		}
		var took []string
		for _, url := range []string{"http://other.test/a", "http://api.test/a", "http://other.test/b", "http://api.test/b"} {
			took = append(took, get(url).String())
		}
		if want := "[0s 0s 0s 5s]"; fmt.Sprint(took) != want || sent["other.test"] != 2 {
			t.Errorf("took %v, want %s; sent %v", took, want, sent)
		}
	})
}

// A server may request a wait for years, and may be wrong.
func TestAPersonCanAskOnceMoreWhileTheGateIsClosed(t *testing.T) {
	for name, headers := range map[string]map[string]string{
		"Retry-After":         {"Retry-After": "99999999999999999999"},
		"ratelimit-remaining": {"Ratelimit-Limit": "50", "Ratelimit-Remaining": "0", "Ratelimit-Reset": "86000"},
		"both":                {"Retry-After": "86000", "Ratelimit-Limit": "50", "Ratelimit-Remaining": "0", "Ratelimit-Reset": "86000"},
	} {
		t.Run(name, func(t *testing.T) {
			sent, refuses := 0, true
			inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
				sent++
				if !refuses {
					answer(w, 200, emptyList)
					return
				}
				for k, v := range headers {
					w.Header().Set(k, v)
				}
				answer(w, 429, `{"error":"slow down"}`)
			}, func(t *testing.T, c *Client) {
				send := func(wantSent int, wantKind Kind) {
					t.Helper()
					if _, err := c.Blocks(t.Context(), Page{}); KindOf(err) != wantKind || sent != wantSent {
						t.Fatalf("%d requests were sent, want %d; %v", sent, wantSent, err)
					}
				}
				send(1, RateLimited)
				send(1, RateLimited)
				c.Gate().Reopen()
				send(2, RateLimited)
				send(2, RateLimited)
				refuses = false
				send(2, RateLimited)
				c.Gate().Reopen()
				send(3, "")
				send(4, "")
			})
		})
	}
}

// After a refusal a guess counts for all, and may be wrong when the server only had a bad minute.
// A user who tries once more gets through at once, with all that the place requests.
func TestAGuessedLimitDoesNotHoldAPersonBack(t *testing.T) {
	sent := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		if sent++; sent == 2 {
			w.Header().Set("Retry-After", "61")
			answer(w, 429, `{"error":"slow down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(t *testing.T, c *Client) {
		_, _ = c.Blocks(t.Context(), Page{})
		if _, err := c.Blocks(t.Context(), Page{Offset: 1}); KindOf(err) != RateLimited {
			t.Fatal(err)
		}
		c.Gate().Reopen()
		start := time.Now()
		for i := range 5 {
			if _, err := c.Blocks(t.Context(), Page{Offset: i}); err != nil {
				t.Errorf("request %d: %v", i, err)
			}
		}
		if took := time.Since(start); took != 0 || sent != 7 {
			t.Errorf("took %s, %d requests", took, sent)
		}
	})
}

// An older request may be refused after the user has retried at a closed gate:
// what they request passes, once.
func TestAnOlderRefusalDoesNotHoldAPersonBack(t *testing.T) {
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		if offset := r.FormValue("offset"); offset == "1" || offset == "2" {
			pause(r.Context(), map[string]time.Duration{"1": time.Second}[offset])
			w.Header().Set("Retry-After", "600")
			answer(w, 429, `{"error":"slow down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(t *testing.T, c *Client) {
		refused := make(chan error)
		go func() {
			_, err := c.Blocks(t.Context(), Page{Offset: 1})
			refused <- err
		}()
		synctest.Wait()
		if _, err := c.Blocks(t.Context(), Page{Offset: 2}); KindOf(err) != RateLimited {
			t.Fatal(err)
		}
		c.Gate().Reopen() // the older request is under way
		if err := <-refused; KindOf(err) != RateLimited {
			t.Fatal(err)
		}
		for i, want := range []Kind{"", RateLimited} {
			if _, err := c.Blocks(t.Context(), Page{Offset: 10 + i}); KindOf(err) != want {
				t.Errorf("request %d: %v", i, err)
			}
		}
	})
}

// Who retries while the gate is open has no request to spare for when it is closed.
func TestAskingAgainAtAnOpenGateLeavesNoPassBehind(t *testing.T) {
	sent := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		sent++
		w.Header().Set("Retry-After", "600")
		answer(w, 429, `{"error":"slow down"}`)
	}, func(t *testing.T, c *Client) {
		c.Gate().Reopen()
		for _, ctx := range []context.Context{wire.AtLowPriority(t.Context()), t.Context()} {
			if _, err := c.Blocks(ctx, Page{}); KindOf(err) != RateLimited || sent != 1 {
				t.Errorf("%d requests were sent; %v", sent, err)
			}
		}
	})
}

// A page is read in a goroutine, whose panic would end the program with the terminal
// in raw mode.
func TestAPanicWhileAPageIsReadIsAnError(t *testing.T) {
	s := &namespace{base: 0, invalid: true, pages: somePages(full(40)...)}
	l := &limiter{perMinute: 5, next: s, refused: map[time.Time]int{}}
	inBubble(t, l.ServeHTTP, func(t *testing.T, c *Client) {
		_, err := c.AllNames(t.Context(), "btc", AllNamesQuery{OnWait: func(time.Time) { panic("broken wait") }})
		if err == nil || !strings.Contains(err.Error(), "internal error: broken wait") {
			t.Errorf("got %v", err)
		}
	})
}
