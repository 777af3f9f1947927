package fault

import (
	"fmt"
	"strings"
	"time"
)

// Scenario is a named state of the whole server.
type Scenario string

const (
	// Healthy answers everything at once.
	Healthy Scenario = "healthy"
	// Slow answers after 2 s.
	Slow Scenario = "slow"
	// Flaky answers a fifth with 503 or a reset.
	Flaky Scenario = "flaky"
	// Limited answers 429 after 10 requests in 10 s.
	Limited Scenario = "limited"
	// Down resets every connection.
	Down Scenario = "down"
	// Corrupt damages a third of the bodies.
	Corrupt Scenario = "corrupt"
	// Reorg answers everything; the chain replaces its tip often.
	Reorg Scenario = "reorg"
)

const (
	slowDelay = 2 * time.Second

	limitWindow     = 10 * time.Second
	limitRequests   = 10
	limitRetryAfter = 2 // seconds
)

// Scenarios lists every scenario, the ordinary one first.
func Scenarios() []Scenario {
	return []Scenario{Healthy, Slow, Flaky, Limited, Down, Corrupt, Reorg}
}

// ParseScenario reads a scenario's name; "" is Healthy.
func ParseScenario(name string) (Scenario, error) {
	if name == "" {
		return Healthy, nil
	}
	var names []string
	for _, s := range Scenarios() {
		if name == string(s) {
			return s, nil
		}
		names = append(names, string(s))
	}
	return "", fmt.Errorf("no scenario %q; it is one of %s", name, strings.Join(names, ", "))
}

// limiter allows limitRequests in any limitWindow. The next one closes it for
// limitRetryAfter; then the count restarts, so that the Retry-After that was
// sent is true.
type limiter struct {
	passed [limitRequests]time.Time // ring, oldest at next
	next   int
	closed time.Time // until then everything is refused
}

func (l *limiter) allow(now time.Time) bool {
	if now.Before(l.closed) {
		return false
	}
	if oldest := l.passed[l.next]; !oldest.IsZero() && now.Sub(oldest) < limitWindow {
		*l = limiter{closed: now.Add(limitRetryAfter * time.Second)}
		return false
	}
	l.passed[l.next] = now
	l.next = (l.next + 1) % limitRequests
	return true
}

// later returns the limiter with everything it saw that much later.
func (l limiter) later(d time.Duration) limiter {
	for i, at := range l.passed {
		if !at.IsZero() {
			l.passed[i] = at.Add(d)
		}
	}
	if !l.closed.IsZero() {
		l.closed = l.closed.Add(d)
	}
	return l
}
