package apiclient

import (
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient/wire"
)

// metered is a server that takes so many requests in each minute and reports what is
// left, as the hosted service does.
type metered struct {
	limit, used, refused int
	resets               time.Time
	unix                 bool
}

func (m *metered) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	now := time.Now()
	if !now.Before(m.resets) {
		m.used, m.resets = 0, now.Add(time.Minute)
	}
	reset := int64(m.resets.Sub(now)/time.Second) + 1
	if m.unix {
		reset = m.resets.Unix() + 1
	}
	h := w.Header()
	h.Set("RateLimit-Limit", strconv.Itoa(m.limit))
	h.Set("RateLimit-Reset", strconv.FormatInt(reset, 10))
	if m.used >= m.limit {
		m.refused++
		h.Set("RateLimit-Remaining", "0")
		h.Set("Retry-After", strconv.FormatInt(int64(m.resets.Sub(now)/time.Second)+1, 10))
		answer(w, 429, `{"error":"slow down"}`)
		return
	}
	m.used++
	h.Set("RateLimit-Remaining", strconv.Itoa(m.limit-m.used))
	answer(w, 200, emptyList)
}

func TestNothingIsRefusedByAServerThatPublishesItsLimit(t *testing.T) {
	for _, unix := range []bool{false, true} {
		m := &metered{limit: 25, unix: unix}
		inBubble(t, m.ServeHTTP, func(t *testing.T, c *Client) {
			start := time.Now()
			for i := range 80 {
				if _, err := c.Blocks(t.Context(), Page{Offset: i}); err != nil {
					t.Fatalf("request %d: %v", i, err)
				}
			}
			if took := time.Since(start); m.refused != 0 || took < 3*time.Minute || took > 190*time.Second {
				t.Errorf("%d refused, took %s", m.refused, took)
			}
			if b := c.Gate().Budget(); b.Limit != 25 || b.Left != 20 || !b.Reported {
				t.Errorf("left: %+v", b)
			}
		}, func(o *Options) { o.Timeout = 2 * time.Minute })
	}
}

func TestBackgroundWorkGetsAtMostHalfAndAPersonGoesFirst(t *testing.T) {
	m := &metered{limit: 20}
	inBubble(t, m.ServeHTTP, func(t *testing.T, c *Client) {
		ahead := 0
		for i := range 20 {
			if _, err := c.Blocks(wire.AtLowPriority(t.Context()), Page{Offset: i}); err == nil {
				ahead++
			} else if KindOf(err) != RateLimited {
				t.Error(err)
			}
		}
		if ahead != 10 {
			t.Errorf("%d requests ran in the background", ahead)
		}
		for i := range 10 {
			if _, err := c.Blocks(t.Context(), Page{Offset: 100 + i}); err != nil {
				t.Errorf("a person's request %d: %v", i, err)
			}
		}
		if m.refused != 0 {
			t.Errorf("%d refused", m.refused)
		}
	})
}

func TestTheLastRequestsAreKeptForAPerson(t *testing.T) {
	m := &metered{limit: 20}
	inBubble(t, m.ServeHTTP, func(t *testing.T, c *Client) {
		for i := range 15 {
			if _, err := c.Blocks(t.Context(), Page{Offset: i}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Blocks(wire.AtLowPriority(t.Context()), Page{}); KindOf(err) != RateLimited {
			t.Errorf("with 5 left background work got %v", err)
		}
	})
}

func TestAGuessCountsAfterTheFirstRefusal(t *testing.T) {
	used, refused := 0, []time.Time{}
	var resets time.Time
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		now := time.Now()
		if !now.Before(resets) {
			used, resets = 0, now.Add(time.Minute)
		}
		if used++; used > 25 {
			refused = append(refused, now)
			w.Header().Set("Retry-After", "61")
			answer(w, 429, `{"error":"slow down"}`)
			return
		}
		answer(w, 200, emptyList)
	}, func(t *testing.T, c *Client) {
		for i := range 120 {
			if _, err := c.Blocks(t.Context(), Page{Offset: i}); err != nil {
				t.Fatal(err)
			}
		}
		if len(refused) != 1 {
			t.Errorf("refused at %v", refused)
		}
	}, func(o *Options) { o.Timeout = 5 * time.Minute })
}

func TestALoopbackServerWithoutHeadersHasNoLimit(t *testing.T) {
	n := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) { n++; answer(w, 200, emptyList) }, func(t *testing.T, c *Client) {
		start := time.Now()
		for i := range 200 {
			if _, err := c.Blocks(wire.AtLowPriority(t.Context()), Page{Offset: i}); err != nil {
				t.Fatal(err)
			}
		}
		if n != 200 || time.Since(start) != 0 || c.Gate().Budget().Limit != 0 {
			t.Errorf("%d requests took %s; %+v", n, time.Since(start), c.Gate().Budget())
		}
	}, func(o *Options) { o.BaseURL = "http://127.0.0.1:3999" })
}

func TestAServerOnTheNetworkIsTakenToAllow25AMinuteInTheBackground(t *testing.T) {
	n := 0
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) { n++; answer(w, 200, emptyList) }, func(t *testing.T, c *Client) {
		for i := range 30 {
			_, _ = c.Blocks(wire.AtLowPriority(t.Context()), Page{Offset: i})
		}
		if n != 12 {
			t.Errorf("%d low requests were sent in the first minute", n)
		}
		time.Sleep(62 * time.Second)
		for i := range 30 {
			if _, err := c.Blocks(t.Context(), Page{Offset: i}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestARequestThatReachesNoServerIsNotCounted(t *testing.T) {
	for name, err := range map[string]error{
		"no such host":       &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.test", IsNotFound: true}},
		"connection refused": &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t, Options{BaseURL: "http://api.test", Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, err })})
			if _, err := c.Blocks(t.Context(), Page{}); KindOf(err) != Offline {
				t.Errorf("%s: %v", name, err)
			}
			if b := c.Gate().Budget(); b.Limit != 25 || b.Left != 25 || !b.Resets.IsZero() {
				t.Errorf("%s: left of the limit: %+v", name, b)
			}
		})
	}
}
