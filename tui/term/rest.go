package term

import (
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Rest makes ticks that come when the screen has been at rest: every frame shows
// the time anyway, so as long as frames are made, by keys or by answers, nothing
// has to be drawn for its sake. The zero value is ready; give it to [Run] in
// [Options].
//
// The framework's renderer has a clock of its own that cannot be stopped, of one
// second. Ticks of a second or more come just before it strikes, so that an idle
// program is woken once and not twice.
type Rest struct {
	// last is when the last frame was made, clock when the framework's clock
	// was started, both in nanoseconds of Unix time.
	last, clock atomic.Int64
}

const (
	// clockTime is how often the framework's clock strikes, with WithFPS(1).
	clockTime = time.Second
	// ahead is how long before that a tick comes: what comes first wakes the
	// processor for both.
	ahead = 200 * time.Microsecond
)

// Tick makes the command that sends a message when d has passed since it began
// and since the last frame. One of a second or more comes with the framework's
// clock: between half of d and a second after that.
func (r *Rest) Tick(d time.Duration, message func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		began := time.Now()
		for {
			from := began
			if last := time.Unix(0, r.last.Load()); last.After(began) {
				from = last
			}
			left := time.Until(r.due(from, d))
			if left <= 0 {
				return message(time.Now())
			}
			// A clock that is set back must not keep the message for long.
			time.Sleep(min(left, 2*d))
		}
	}
}

// due is when a tick of d comes whose time begins at from.
func (r *Rest) due(from time.Time, d time.Duration) time.Time {
	clock := r.clock.Load()
	if d < clockTime || clock == 0 {
		return from.Add(d)
	}
	strikes := time.Unix(0, clock).Add(-ahead)
	earliest := from.Add(d / 2)
	past := earliest.Sub(strikes) % clockTime
	if past < 0 {
		past += clockTime
	}
	return earliest.Add(clockTime - past)
}

// framed notes that a frame was made, started that the framework's clock began.
func (r *Rest) framed(now time.Time) {
	if r != nil {
		r.last.Store(now.UnixNano())
	}
}

func (r *Rest) started(now time.Time) {
	if r != nil {
		r.clock.Store(now.UnixNano())
	}
}
