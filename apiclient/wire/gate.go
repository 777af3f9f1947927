package wire

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Gate decides when a request may be sent to one origin. The first answer with
// status 429 closes it for every caller until the time that the server named in
// Retry-After. It counts what the server's limit still allows, keeps requests back
// when nothing is left, and lets those that the user waits for go before those of
// AtLowPriority. Every request to the origin passes it. It is safe for concurrent use.
type Gate struct {
	now func() time.Time

	mu     sync.Mutex
	budget budget
	// insists is set when the user retries at a closed gate, for the next request
	// to pass.
	insists bool
}

// NewGate returns an open gate; now is time.Now if it is nil.
func NewGate(now func() time.Time) *Gate {
	if now == nil {
		now = time.Now
	}
	return &Gate{now: now}
}

// Opens returns when a request of ctx may be sent, the zero time for now.
func (g *Gate) Opens(ctx context.Context) time.Time { return g.enter(PriorityOf(ctx), false, false) }

// ClosedUntil returns when the gate opens, the zero time when it is open.
func (g *Gate) ClosedUntil() time.Time { return g.enter(awaited, false, false) }

// ClosedToLowPriority returns when calls of low priority may be sent, the zero time for
// now.
func (g *Gate) ClosedToLowPriority() time.Time { return g.enter(low, false, false) }

// enter returns when a request may be sent: the zero time for now, and always if force is
// true. Then it counts the request if sent is true.
func (g *Gate) enter(p Priority, sent, force bool) (opens time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if opens = g.budget.opens(now, p); force {
		opens = time.Time{}
	}
	if sent && opens.IsZero() {
		g.budget.spend(now, p)
	}
	return opens
}

// through sends a request when the gate lets it pass, and reads what the answer says of
// the server's limit.
func (g *Gate) through(ctx context.Context, send func() (*http.Response, error)) (*http.Response, error) {
	if err := g.Wait(ctx); err != nil {
		return nil, err
	}
	resp, err := send()
	if err != nil {
		g.Unanswered(ctx, err)
		return nil, err
	}
	g.note(resp)
	return resp, nil
}

// note reads what an answer says of the server's limit.
func (g *Gate) note(resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.budget.answered(resp, g.now())
}

// Unanswered notes a request of which no answer is read; err is nil when it was sent.
func (g *Gate) Unanswered(ctx context.Context, err error) {
	p := PriorityOf(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.budget.ended()
	g.budget.alone()
	if neverSent(err) {
		g.budget.refund(p)
	}
}

// neverSent reports whether a request failed before the server could have seen it: its
// name was not found, or no connection was made.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// Wait returns when the gate is open for one more request, and counts it. If that
// takes longer than ctx lasts, it fails at once with a *ClosedError.
func (g *Gate) Wait(ctx context.Context) error { return g.pass(ctx, true) }

// WaitUncounted returns when the gate is open, and counts no request.
func (g *Gate) WaitUncounted(ctx context.Context) error { return g.pass(ctx, false) }

// pass returns Wait, but counts the request only if sent is true.
func (g *Gate) pass(ctx context.Context, sent bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := PriorityOf(ctx)
	opens := g.enter(p, sent, sent && p == awaited && g.insisted())
	for !opens.IsZero() {
		before := g.now()
		pause := opens.Sub(before)
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return &ClosedError{pause}
		}
		if err := Sleep(ctx, pause); err != nil {
			return err
		}
		next := g.enter(p, sent, false)
		// The clock may be stopped: a request that has waited continues, unless the gate was closed
		// for longer meanwhile.
		if next.Equal(opens) && g.now().Equal(before) {
			next = g.enter(p, sent, true)
		}
		opens = next
	}
	return nil
}

// Reopen opens the gate although the server requested a wait, for a user who retries
// once more. The next refusal closes it again; but a request that the user waits for
// and that is sent next passes even then, since that refusal may answer an older one.
func (g *Gate) Reopen() {
	if g.ClosedUntil().IsZero() {
		return // nobody is kept back: the next refusal is to count
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.insists = true
	g.budget.closed, g.budget.binds, g.budget.streak = time.Time{}, time.Time{}, 0
	g.budget.begin()
}

// insisted reports, once, whether the user retries.
func (g *Gate) insisted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	insists := g.insists
	g.insists = false
	return insists
}

// ClosedError is the cause of a request that was not sent because the gate stays
// closed for longer than the call may take.
type ClosedError struct{ Pause time.Duration }

func (e *ClosedError) Error() string {
	return "not sent: the server takes no more requests for " + Roughly(e.Pause)
}

// MaxRetryAfter is the longest wait that a server may request.
const MaxRetryAfter = 24 * time.Hour

// RetryAfter reads the header Retry-After (RFC 9110, section 10.2.3): seconds or
// an HTTP date. It returns 0 when it is neither or past.
func RetryAfter(s string, now time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseFloat(s, 64); err == nil && n > 0 {
		return time.Duration(math.Min(n, MaxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil && at.After(now) {
		return min(at.Sub(now), MaxRetryAfter)
	}
	return 0
}

// Roughly writes a wait in whole seconds, minutes or hours, rounded up.
func Roughly(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "min"}} {
		if d > 2*unit.length {
			return fmt.Sprintf("%d %s", (d+unit.length-1)/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second)
}

// Sleep waits for d, or until ctx ends and returns its error.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
