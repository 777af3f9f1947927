package bridge

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// How many calls may wait: for the user, and for an answer without one. Of the
// places before the user, origins that are not yet allowed hold only a few: two
// each and half in all, so that they cannot keep others out.
const (
	maxAttended        = 32
	maxUndecided       = maxAttended / 2
	maxUndecidedOrigin = 2
	maxUnattended      = 4096
)

var (
	errQueueFull = errors.New("too many requests wait for an answer")
	errDropped   = errors.New("the origin was blocked")
)

// queue gives each call its turn. Calls of one lane take turns in the order in
// which they came; with the user there is one lane, without one a lane for
// each origin.
type queue struct {
	single  bool
	limit   int
	changed func()

	mu    sync.Mutex
	lanes map[string][]*ticket
	order []*ticket
}

type ticket struct {
	call    Call
	allowed bool          // its origin was when it came
	turn    chan struct{} // closed when the call is at the head of its lane
	end     context.CancelCauseFunc
}

func newQueue(single bool, changed func()) *queue {
	q := &queue{single: single, limit: maxUnattended, changed: changed, lanes: map[string][]*ticket{}}
	if single {
		q.limit = maxAttended
	}
	if q.changed == nil {
		q.changed = func() {}
	}
	return q
}

func (q *queue) lane(call Call) string {
	if q.single {
		return ""
	}
	return call.Origin
}

// enter waits for the call's turn and returns the context to decide it in, which
// ends when its origin is blocked, and a function that ends the turn.
func (q *queue) enter(ctx context.Context, call Call, allowed bool) (context.Context, func(), error) {
	ctx, end := context.WithCancelCause(ctx)
	t := &ticket{call: call, allowed: allowed, turn: make(chan struct{}), end: end}
	q.mu.Lock()
	if !q.hasCapacity(call.Origin, allowed) {
		q.mu.Unlock()
		end(nil)
		return nil, nil, errQueueFull
	}
	lane := q.lane(call)
	q.lanes[lane] = append(q.lanes[lane], t)
	q.order = append(q.order, t)
	if len(q.lanes[lane]) == 1 {
		close(t.turn)
	}
	q.mu.Unlock()
	q.changed()

	select {
	case <-t.turn:
	case <-ctx.Done():
		q.leave(t)
		end(nil)
		return nil, nil, context.Cause(ctx)
	}
	return ctx, func() { end(nil); q.leave(t) }, nil
}

// hasCapacity reports whether another call of an origin may wait. The caller must
// hold q.mu.
func (q *queue) hasCapacity(origin string, allowed bool) bool {
	if len(q.order) >= q.limit {
		return false
	}
	if allowed {
		return true
	}
	undecided, ofOrigin := 0, 0
	for _, t := range q.order {
		if !t.allowed {
			undecided++
			if t.call.Origin == origin {
				ofOrigin++
			}
		}
	}
	return undecided < maxUndecided && ofOrigin < maxUndecidedOrigin
}

// leave takes a call out, wherever it is, and lets the next of its lane on.
func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	name := q.lane(t.call)
	lane := q.lanes[name]
	i := slices.Index(lane, t)
	lane = slices.Delete(lane, i, i+1)
	if len(lane) == 0 {
		delete(q.lanes, name)
	} else {
		q.lanes[name] = lane
		if i == 0 {
			close(lane[0].turn)
		}
	}
	i = slices.Index(q.order, t)
	q.order = slices.Delete(q.order, i, i+1)
	q.mu.Unlock()
	q.changed()
}

// drop ends all calls of an origin.
func (q *queue) drop(origin string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range q.order {
		if t.call.Origin == origin {
			t.end(errDropped)
		}
	}
}

func (q *queue) waiting() []Call {
	q.mu.Lock()
	defer q.mu.Unlock()
	calls := make([]Call, len(q.order))
	for i, t := range q.order {
		calls[i] = t.call
	}
	return calls
}
