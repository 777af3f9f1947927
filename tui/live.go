package tui

import (
	"errors"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/screen"
)

// keyPause is how long no key must have come before live tail changes what is on
// screen.
const keyPause = 500 * time.Millisecond

// pauses are the waits of live tail after one failure, two failures and so on;
// the last one repeats. It never stops for good.
var pauses = []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}

// liveTail decides when the screen is asked for what is new.
type liveTail struct {
	on   bool
	poll time.Duration
	next time.Time
	held time.Time // until when the server's limit has no room for it
	// pushed is true while the server pushes blocks, so that polling rests.
	pushed bool

	failures int       // in a row, as last observed
	limited  bool      // the server said to wait
	told     uint64    // the exchange that was observed last
	pressed  time.Time // when the last key came
}

// rest starts a new interval: something was just asked for.
func (l *liveTail) rest(now time.Time) {
	l.next = now.Add(l.poll)
	l.failures, l.limited, l.told = 0, false, 0
}

// observe takes how the last request of the screen came out. After a failure the
// next question comes after a pause that grows; a server that limits requests
// has not failed, and is asked again when it said so.
func (l *liveTail) observe(s screen.Status, now time.Time) {
	var err *apiclient.Error
	limited := errors.As(s.Err, &err) && err.Kind == apiclient.RateLimited
	switch {
	case s.Err == nil:
		if l.failures > 0 || l.limited {
			l.next = now.Add(l.poll)
		}
		l.failures, l.limited, l.told = 0, false, s.ExchangeID
	case limited && (!l.limited || s.ExchangeID != l.told):
		l.failures, l.limited, l.told = 0, true, s.ExchangeID
		l.next = now.Add(max(l.poll, err.RetryAfter))
	case !limited && s.Failures > 0 && s.Failures != l.failures:
		l.failures, l.limited, l.told = s.Failures, false, s.ExchangeID
		l.next = now.Add(pauses[min(s.Failures, len(pauses))-1])
	}
}

// due reports whether the screen is to be asked now, and starts the next
// interval if so. While keys come, it waits for a pause, but not for ever.
func (l *liveTail) due(now time.Time) bool {
	if !l.on || now.Before(l.next) || now.Before(l.held) {
		return false
	}
	if now.Sub(l.pressed) < keyPause && now.Before(l.next.Add(2*l.poll)) {
		return false
	}
	l.next = now.Add(l.poll)
	return true
}

// slowPoll is how often live tail asks a server that limits requests: every 5 s would
// take half of 25 a minute.
const slowPoll = 15 * time.Second

// restPoll is how often live tail asks while blocks are pushed: a channel may be silent
// for another reason than a quiet chain.
const restPoll = time.Minute

// fewRequests is the greatest limit of a minute that counts as a small one.
const fewRequests = 100

// keepTo makes live tail keep to the limit of a server.
func (l *liveTail) keepTo(g *apiclient.Gate, usual time.Duration) {
	l.poll, l.held = usual, g.ClosedToBackground()
	switch limit := g.Budget().Limit; {
	case l.pushed:
		l.poll = max(usual, restPoll)
	case limit > 0 && limit <= fewRequests:
		l.poll = max(usual, slowPoll)
	}
}

// waiting reports whether live tail waits longer than usual, and how long.
func (l *liveTail) waiting(now time.Time) (time.Duration, bool) {
	next := l.next
	if l.held.After(next) {
		next = l.held
	}
	return max(0, next.Sub(now)), l.on && (l.failures > 0 || l.limited || now.Before(l.held))
}
