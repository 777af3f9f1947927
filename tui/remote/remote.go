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

// State says how a value stands.
type State int

// The states. A value that once was ready keeps its last good value in
// Refreshing and Failed.
const (
	Idle       State = iota // nothing was asked for
	Loading                 // asked for the first time
	Ready                   // there
	Refreshing              // there, and asked for again
	Failed                  // the last request failed
)

// String names the state.
func (s State) String() string {
	return [...]string{"idle", "loading", "ready", "refreshing", "failed"}[s]
}

// Key names one request: an answer counts only while its key is current.
type Key struct {
	Slot string // which value of the screen
	Gen  uint64 // which request for it
}

// Value is a remote value. The zero value is idle. Not safe for concurrent use.
type Value[T any] struct {
	state    State
	value    T
	has      bool
	err      error
	key      Key
	cancel   context.CancelFunc
	started  time.Time
	fetched  time.Time
	failures int
}

// Start begins a request at the given time and gives up the one before. The
// context ends with Cancel, with the next Start, or when the answer is there.
func (v *Value[T]) Start(ctx context.Context, slot string, now time.Time) (context.Context, Key) {
	v.stop()
	v.key = Key{Slot: slot, Gen: v.key.Gen + 1}
	v.started = now
	v.state = Loading
	if v.has {
		v.state = Refreshing
	}
	ctx, v.cancel = context.WithCancel(ctx)
	return ctx, v.key
}

// Settle takes the answer of a request and reports whether it was the current
// one; any other is dropped, and so is one that failed with ErrNotNow.
func (v *Value[T]) Settle(k Key, value T, err error, at time.Time) bool {
	if k != v.key || !v.Busy() {
		return false
	}
	if errors.Is(err, ErrNotNow) {
		v.Cancel()
		return false
	}
	v.stop()
	if err != nil {
		v.err, v.state = err, Failed
		v.failures++
		return true
	}
	v.value, v.has, v.err, v.state, v.fetched, v.failures = value, true, nil, Ready, at, 0
	return true
}

// Partial takes a first part of the answer of a request that goes on, and
// reports whether it was the current one. From then on there is a value, so
// that the request counts as one for more.
func (v *Value[T]) Partial(k Key, value T, at time.Time) bool {
	if k != v.key || !v.Busy() {
		return false
	}
	v.value, v.has, v.fetched, v.state = value, true, at, Refreshing
	return true
}

// Cancel gives up the current request. What was there stays.
func (v *Value[T]) Cancel() {
	v.stop()
	switch {
	case v.state == Loading && v.err != nil:
		v.state = Failed
	case v.state == Loading:
		v.state = Idle
	case v.state == Refreshing:
		v.state = Ready
		if v.err != nil {
			v.state = Failed
		}
	}
}

// Reset forgets everything, except that answers under way are stale.
func (v *Value[T]) Reset() {
	v.stop()
	*v = Value[T]{key: Key{Slot: v.key.Slot, Gen: v.key.Gen + 1}}
}

func (v *Value[T]) stop() {
	if v.cancel != nil {
		v.cancel()
		v.cancel = nil
	}
}

// State returns the state.
func (v *Value[T]) State() State { return v.state }

// Get returns the last good value; false when there never was one.
func (v *Value[T]) Get() (T, bool) { return v.value, v.has }

// Err returns what the last request failed with, also while another is under
// way; nil after a success.
func (v *Value[T]) Err() error { return v.err }

// Busy reports whether a request is under way.
func (v *Value[T]) Busy() bool { return v.state == Loading || v.state == Refreshing }

// Since returns when the current request began.
func (v *Value[T]) Since() time.Time { return v.started }

// FetchedAt returns when the last good value came.
func (v *Value[T]) FetchedAt() time.Time { return v.fetched }

// Failures counts failed requests since the last good one.
func (v *Value[T]) Failures() int { return v.failures }
