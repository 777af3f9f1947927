package apiclient

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// chainClock holds what a mock says of the time on its chain; the zero value is a server
// that lives in the present.
type chainClock struct {
	mu     sync.Mutex
	mock   bool          // the server has said what time it is on its chain
	frozen time.Time     // what the clock shows while it is frozen, the zero time while it runs
	ahead  time.Duration // of the machine's clock
}

// ChainTime returns what time it is on the chain when the machine's clock shows now. A
// mock says with every answer whether its clock is frozen or runs ahead (X-Mock-Clock, see
// docs/mock.md); any other server lives in the present.
func (c *Client) ChainTime(now time.Time) time.Time {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	if !c.clock.frozen.IsZero() {
		return c.clock.frozen
	}
	return now.Add(c.clock.ahead)
}

// TimeOnChain returns ChainTime now, after asking a server that may be a mock and has said nothing
// yet.
func (c *Client) TimeOnChain(ctx context.Context) (time.Time, error) {
	if about := c.About(); about.Network == "" || about.Mock {
		if _, err := c.Server(ctx); err != nil {
			return time.Time{}, err
		}
	}
	return c.ChainTime(c.opt.Now()), nil
}

// MayGoBack reports whether the chain of the server may lose blocks that no others
// replace: a mock's may. A server with fewer blocks than before lags behind another one
// otherwise, with which it shares the address.
func (c *Client) MayGoBack() bool {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return c.clock.mock
}

// mostAhead bounds what is believed of a clock: a hundred years.
const mostAhead = 100 * 365 * 24 * time.Hour

// answered reads the clock of an answer.
func (c *chainClock) answered(h http.Header) {
	value := h.Get("X-Mock-Clock")
	if value == "" {
		return
	}
	at, how, _ := strings.Cut(value, "; ")
	seconds, runs := strings.CutPrefix(how, "ahead=")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mock = true
	if ahead, err := strconv.ParseFloat(seconds, 64); runs && err == nil && ahead > -mostAhead.Seconds() && ahead < mostAhead.Seconds() {
		c.frozen, c.ahead = time.Time{}, time.Duration(ahead*float64(time.Second)).Round(time.Millisecond)
		return
	}
	if t, err := time.Parse(time.RFC3339, at); err == nil && how == "frozen" {
		c.frozen, c.ahead = t, 0
	}
}
