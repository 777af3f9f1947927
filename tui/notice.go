package tui

import "time"

// noticeTime is the time that a notice stays.
const noticeTime = 4 * time.Second

// notice is a sentence in the status line. The newest one wins; one about a
// failure stays until a key is pressed.
type notice struct {
	text  string // untrusted
	bad   bool
	until time.Time
}

// show puts a sentence into the status line.
func (n *notice) show(text string, bad bool, now time.Time) {
	*n = notice{text: text, bad: bad, until: now.Add(noticeTime)}
}

// expire removes a notice whose time is over.
func (n *notice) expire(now time.Time) {
	if !n.bad && !now.Before(n.until) {
		*n = notice{}
	}
}

// keyPressed removes a notice that a key acknowledges.
func (n *notice) keyPressed() {
	if n.bad {
		*n = notice{}
	}
}
