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
	// stays says that it waits for a key that is pressed when it could have been read.
	stays bool
}

// stay puts a sentence into the status line that waits to be read.
func (n *notice) stay(text string, bad bool, now time.Time) {
	n.show(text, bad, now)
	n.stays = true
}

// show puts a sentence into the status line.
func (n *notice) show(text string, bad bool, now time.Time) {
	*n = notice{text: text, bad: bad, until: now.Add(noticeTime)}
}

// expire removes a notice whose time is over.
func (n *notice) expire(now time.Time) {
	if !n.bad && !n.stays && !now.Before(n.until) {
		*n = notice{}
	}
}

// keyPressed removes a notice that a key acknowledges.
func (n *notice) keyPressed(now time.Time) {
	if n.bad && !n.stays || n.stays && !now.Before(n.until) {
		*n = notice{}
	}
}
