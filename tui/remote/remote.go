// Package remote holds a value that comes from afar: what is there, since
// when, whether more is under way and what went wrong. Screens switch over its
// state instead of keeping flags of their own.
//
// It must not import bubbletea, the REST client or a screen.
package remote

import (
	"context"
	"errors"
	"time"
)

// ErrNotNow is the error of a request that nobody waits for and that was not sent,
// because other requests have to go first. To a Value it is no failure.
var ErrNotNow = errors.New("not now")

// State is the state of a value.
type State int

// The states. A value that once was ready keeps its last good value in
// Refreshing and Failed.
const (
	Idle       State = iota // nothing was requested
	Loading                 // requested the first time
	Ready                   // there
	Refreshing              // there, and requested again
	Failed                  // the last request failed
)

// String names the state.
func (s State) String() string {
	return [...]string{"idle", "loading", "ready", "refreshing", "failed"}[s]
}

// Key names one request: an answer counts only while its key is current.
type Key struct {
	of  *status // the value that it is for
	gen uint64  // which request for it
}

// Value is a remote value. The zero value is idle. Not safe for concurrent use.
type Value[T any] struct {
	status
	value T
}

// status is the state of a value, whatever its type.
type status struct {
	state     State
	has       bool
	err       error
	key       Key
	cancel    context.CancelFunc
	started   time.Time
	requested time.Time // when the request that was answered last was made
	expired   bool      // since the request under way was made
	fetched   time.Time
}

// Start begins a request at the given time and gives up the one before. The
// context ends with Cancel, with the next Start, or when the answer is there.
func (s *status) Start(ctx context.Context, now time.Time) (context.Context, Key) {
	s.stop()
	s.key = Key{of: s, gen: s.key.gen + 1}
	s.started, s.expired = now, false
	s.state = Loading
	if s.has {
		s.state = Refreshing
	}
	ctx, s.cancel = context.WithCancel(ctx)
	return ctx, s.key
}

// Current reports whether a key is that of the request under way.
func (s *status) Current(k Key) bool { return k == s.key && s.Busy() }

// Settle takes the answer of a request and reports whether it was the current
// one; any other is dropped, and so is one that failed with ErrNotNow.
func (v *Value[T]) Settle(k Key, value T, err error, at time.Time) bool {
	current := v.settle(k, err, at)
	if current && err == nil {
		v.value = value
	}
	return current
}

func (s *status) settle(k Key, err error, at time.Time) bool {
	if !s.Current(k) {
		return false
	}
	if errors.Is(err, ErrNotNow) {
		s.Cancel()
		return false
	}
	s.stop()
	if s.requested = s.started; s.expired {
		s.requested = time.Time{}
	}
	if err != nil {
		s.err, s.state = err, Failed
		return true
	}
	s.has, s.err, s.state, s.fetched = true, nil, Ready, at
	return true
}

// Partial takes a first part of the answer of a request that continues, and
// reports whether it was the current one. From then on there is a value, so
// that the request counts as one for more.
func (v *Value[T]) Partial(k Key, value T, at time.Time) bool {
	if !v.Current(k) {
		return false
	}
	v.value, v.has, v.fetched, v.state = value, true, at, Refreshing
	return true
}

// Cancel cancels the current request. What was there stays.
func (s *status) Cancel() {
	s.stop()
	switch {
	case s.state == Loading && s.err != nil:
		s.state = Failed
	case s.state == Loading:
		s.state = Idle
	case s.state == Refreshing:
		s.state = Ready
		if s.err != nil {
			s.state = Failed
		}
	}
}

// Reset forgets everything, except that answers under way are stale.
func (v *Value[T]) Reset() {
	v.stop()
	*v = Value[T]{status: status{key: Key{gen: v.key.gen + 1}}}
}

// stop ends the context of the request.
func (s *status) stop() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// State returns the state.
func (s *status) State() State { return s.state }

// Get returns the last good value; false when there never was one.
func (v *Value[T]) Get() (T, bool) { return v.value, v.has }

// Err returns what the last request failed with, also while another is under
// way; nil after a success.
func (s *status) Err() error { return s.err }

// Busy reports whether a request is under way.
func (s *status) Busy() bool { return s.state == Loading || s.state == Refreshing }

// Since returns when the current request began.
func (s *status) Since() time.Time { return s.started }

// Expire makes the value count as one that came long ago, and so one that is under way.
func (s *status) Expire() { s.fetched, s.requested, s.expired = time.Time{}, time.Time{}, s.Busy() }

// RequestedAt returns when the request was made that was answered last, with a value or a failure:
// what has changed since may not be in it.
func (s *status) RequestedAt() time.Time { return s.requested }

// FetchedAt returns when the last good value came.
func (s *status) FetchedAt() time.Time { return s.fetched }
