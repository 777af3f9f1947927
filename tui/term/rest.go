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
type Rest struct {
	// last is when the last frame was made, in nanoseconds of Unix time.
	last atomic.Int64
}

// Tick makes the command that sends a message when d has passed since it began
// and since the last frame.
func (r *Rest) Tick(d time.Duration, message func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		due := time.Now().Add(d)
		for {
			if last := time.Unix(0, r.last.Load()).Add(d); last.After(due) {
				due = last
			}
			left := time.Until(due)
			if left <= 0 {
				return message(time.Now())
			}
			// A clock that is set back must not keep the message for long.
			time.Sleep(min(left, d))
		}
	}
}

// framed notes that a frame was made.
func (r *Rest) framed(now time.Time) {
	if r != nil {
		r.last.Store(now.UnixNano())
	}
}
