package apiclient

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/wire"
)

// TestAnHourOfUseKeepsToALimitOf25AMinute uses a server that takes 25 requests a
// minute and does not say so: live tail, a user who opens something every quarter
// of a minute, and the reading of a namespace of 12,000 names.
func TestAnHourOfUseKeepsToALimitOf25AMinute(t *testing.T) {
	names := &namespace{base: 0, invalid: true, pages: somePages(full(120)...)}
	l := &limiter{perMinute: 25, refused: map[time.Time]int{}, next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/namespaces") {
			names.ServeHTTP(w, r)
			return
		}
		answer(w, 200, `{"hash":"0x1",`+emptyList[1:])
	})}
	inBubble(t, l.ServeHTTP, func(t *testing.T, c *Client) {
		const hour = time.Hour
		start := time.Now()
		read := make(chan *NameList, 1)
		go func() {
			list, err := c.AllNames(wire.AtBulkPriority(t.Context()), "btc", AllNamesQuery{Workers: 1})
			if err != nil {
				t.Error(err)
			}
			read <- list
		}()
		live := make(chan int)
		go func() {
			polls := 0
			for time.Since(start) < hour {
				if c.Gate().ClosedToLowPriority().IsZero() {
					if _, err := c.Blocks(wire.AtLowPriority(t.Context()), Page{}); err == nil {
						polls++
					} else if KindOf(err) != RateLimited {
						t.Error(err)
					}
				}
				time.Sleep(15 * time.Second)
			}
			live <- polls
		}()
		failed := 0
		for i := 0; time.Since(start) < hour; i++ {
			if _, err := c.BlockByBurnHeight(t.Context(), int64(i)); err != nil && KindOf(err) != NotFound {
				failed++
			}
			time.Sleep(15 * time.Second)
		}
		if polls := <-live; polls < 100 {
			t.Errorf("live tail requested %d times in an hour", polls)
		}
		if list := <-read; list == nil || list.Len() != 12_000 {
			t.Errorf("not every name was read: %v", list)
		}
		for end, n := range l.refused {
			if n > 1 {
				t.Errorf("%d requests were refused in the window that ended at %s", n, end)
			}
		}
		if failed > 3 || len(l.refused) > 6 {
			t.Errorf("%d requests of the person failed; refused in %d windows", failed, len(l.refused))
		}
		t.Logf("%d requests in an hour, refused in %d windows; %d of the person's failed", l.sent, len(l.refused), failed)
	})
}
