package term

import (
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Rest makes ticks for an idle screen. A tick of a second or less comes after the screen has
// been idle that long: every frame shows the time anyway, so no frame is needed just for it
// while keys or answers cause others. A longer tick ignores frames. The zero value is ready;
// give it to [Run] in [Options].
//
// The framework's renderer ticks every second and cannot be stopped. Ticks of a second or
// more come just before, so that an idle program wakes up once instead of twice.
type Rest struct {
	// last is the time of the last frame, clock that of the start of the
	// framework's clock, both in nanoseconds of Unix time.
	last, clock atomic.Int64
}

const (
	// clockTime is the period of the framework's clock, with WithFPS(1).
	clockTime = time.Second
	// ahead is how long before it a tick comes: the first of the two wakes the
	// processor for both.
	ahead = 200 * time.Microsecond
)

// Tick returns the command that sends a message when d has passed since its start,
// and for a second or less since the last frame. One of a second comes with the
// framework's clock, after half a second or more; a longer one with the first tick of
// that clock after d.
func (r *Rest) Tick(d time.Duration, message func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		began := time.Now()
		for {
			from := began
			if last := time.Unix(0, r.last.Load()); d <= clockTime && last.After(began) {
				from = last
			}
			left := time.Until(r.due(from, d))
			if left <= 0 {
				return message(time.Now())
			}
			// A clock that is set back must not delay the message for long.
			time.Sleep(min(left, 2*d))
		}
	}
}

// due returns the time of a tick of d that is counted from a time.
func (r *Rest) due(from time.Time, d time.Duration) time.Time {
	clock := r.clock.Load()
	if d < clockTime || clock == 0 {
		return from.Add(d)
	}
	ticks := time.Unix(0, clock).Add(-ahead)
	earliest := from.Add(d)
	if d == clockTime {
		earliest = from.Add(d / 2)
	}
	past := earliest.Sub(ticks) % clockTime
	if past < 0 {
		past += clockTime
	}
	return earliest.Add(clockTime - past)
}

// framed records the time of a frame.
func (r *Rest) framed(now time.Time) {
	if r != nil {
		r.last.Store(now.UnixNano())
	}
}

// started records when the framework's clock was started.
func (r *Rest) started(now time.Time) {
	if r != nil {
		r.clock.Store(now.UnixNano())
	}
}
