package apiclient

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Gate decides when a request may be sent to one origin. The first answer with
// status 429 closes it for every caller until the time that the server named in
// Retry-After. It is the one place that every request to the origin passes, and
// is safe for concurrent use.
type Gate struct {
	now func() time.Time

	mu     sync.Mutex
	opens  time.Time
	streak int // refusals without a Retry-After since the last other answer
}

// Pauses after refusals that name no time: the first, doubled for each that
// follows, up to the last.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 30 * time.Second
)

// NewGate returns an open gate; now is time.Now if it is nil.
func NewGate(now func() time.Time) *Gate {
	if now == nil {
		now = time.Now
	}
	return &Gate{now: now}
}

// ClosedUntil returns when the gate opens, the zero time when it is open.
func (g *Gate) ClosedUntil() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.now().Before(g.opens) {
		return time.Time{}
	}
	return g.opens
}

// wait returns when the gate is open. If that takes longer than ctx lasts, it
// fails at once with a *closedError.
func (g *Gate) wait(ctx context.Context) error {
	for {
		opens := g.ClosedUntil()
		if opens.IsZero() {
			return ctx.Err()
		}
		pause := opens.Sub(g.now())
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return &closedError{pause}
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		// The clock may stand still: who has waited goes on, unless the gate was
		// closed for longer meanwhile.
		if g.ClosedUntil().Equal(opens) {
			return nil
		}
	}
}

// note closes the gate if an answer says so.
func (g *Gate) note(resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if resp.StatusCode != http.StatusTooManyRequests {
		g.streak = 0
		return
	}
	now := g.now()
	pause := retryAfter(resp.Header.Get("Retry-After"), now)
	if pause == 0 {
		if now.Before(g.opens) {
			return // the answer to a request that was sent before the gate closed
		}
		pause = min(firstPause<<min(g.streak, 16), lastPause)
		g.streak++
	}
	if opens := now.Add(pause); opens.After(g.opens) {
		g.opens = opens
	}
}

// closedError is the cause of a request that was not sent because the gate stays
// closed for longer than the call may take.
type closedError struct{ pause time.Duration }

func (e *closedError) Error() string {
	return fmt.Sprintf("not sent: the server takes no more requests for %s", e.pause)
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
