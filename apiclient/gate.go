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
// Retry-After. It counts what the server's limit still allows, keeps requests back
// when nothing is left, and lets those that a person waits for go before those of
// Background. It is the one place that every request to the origin passes, and
// is safe for concurrent use.
type Gate struct {
	now func() time.Time

	mu     sync.Mutex
	opens  time.Time
	streak int // refusals without a Retry-After since the last other answer
	budget budget
	// insists is set when a person asks once more at a closed gate, for the next request
	// to pass.
	insists bool
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
	return g.closedUntil(g.now(), awaited)
}

// ClosedToBackground returns when calls of Background may be sent, the zero time for
// now.
func (g *Gate) ClosedToBackground() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closedUntil(g.now(), background)
}

// closedTo returns when a call of a context may be sent, the zero time for now.
func (g *Gate) closedTo(ctx context.Context) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closedUntil(g.now(), priorityOf(ctx))
}

// closedUntil is ClosedUntil for one sort of requests. The caller must hold g.mu.
func (g *Gate) closedUntil(now time.Time, p priority) time.Time {
	opens := g.budget.opens(now, p)
	if now.Before(g.opens) && g.opens.After(opens) {
		return g.opens
	}
	return opens
}

// enter counts a request if it may be sent now, or if force is true. Otherwise it
// returns when it may.
func (g *Gate) enter(p priority, force bool) (opens time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if opens = g.closedUntil(now, p); !opens.IsZero() && !force {
		return opens
	}
	g.budget.spend(now, p)
	return time.Time{}
}

// left notes a request that got no answer.
func (g *Gate) left() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.budget.inFlight = max(0, g.budget.inFlight-1)
}

// wait returns when the gate is open for one more request, and counts it. If that
// takes longer than ctx lasts, it fails at once with a *closedError.
func (g *Gate) wait(ctx context.Context) error {
	p := priorityOf(ctx)
	if p == awaited && g.insisted() {
		g.enter(p, true)
		return ctx.Err()
	}
	return g.passed(ctx, func(force bool) time.Time { return g.enter(p, force) })
}

// waitOpen is wait for one who will send nothing yet.
func (g *Gate) waitOpen(ctx context.Context) error {
	return g.passed(ctx, func(force bool) time.Time {
		if force {
			return time.Time{}
		}
		return g.closedTo(ctx)
	})
}

// passed waits until enter lets the caller pass: it returns when it will, or the
// zero time.
func (g *Gate) passed(ctx context.Context, enter func(force bool) time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	opens := enter(false)
	for !opens.IsZero() {
		pause := opens.Sub(g.now())
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < pause {
			return &closedError{pause}
		}
		before := g.now()
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		next := enter(false)
		// The clock may stand still: who has waited goes on, unless the gate was
		// closed for longer meanwhile.
		if next.Equal(opens) && g.now().Equal(before) {
			next = enter(true)
		}
		opens = next
	}
	return nil
}

// Reopen opens the gate although the server asked to wait, for a person who asks
// once more. The next refusal closes it again; but a request that the person waits for
// and that is sent next passes even then, since that refusal may answer an older one.
// A limit that was learned from refusals is forgotten.
func (g *Gate) Reopen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closedUntil(g.now(), awaited).IsZero() {
		return // nobody is kept back: the next refusal is to count
	}
	g.insists = true
	g.opens, g.streak = time.Time{}, 0
	g.budget.forget()
}

// insisted reports, once, whether a person asks once more.
func (g *Gate) insisted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	insists := g.insists
	g.insists = false
	return insists
}

// note reads what an answer says of the server's limit, and closes the gate if it
// refuses the request.
func (g *Gate) note(resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.budget.answered(resp, g.now())
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
		g.budget.refused(opens, now)
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
