package world

import "time"

const (
	// patience is the time that a reader waits for a block in which contracts run. Then it sees the
	// chain without it.
	patience = time.Second
	// answerTime is the time that who sends a transaction waits for the block in which it runs. A
	// node answers when it has the transaction, and is not waited for either.
	answerTime = 4 * time.Second
)

// lock begins a change.
func (w *World) lock() {
	w.changing.Lock()
	w.mu.Lock()
}

// unlock ends a change.
func (w *World) unlock() {
	w.until = 0
	w.mu.Unlock()
	w.changing.Unlock()
}

// seen holds what is shown, and at which instant.
func (w *World) seen() (*content, int64) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	instant := w.now.clock.Instant(w.wallMS())
	if w.until != 0 {
		instant = min(instant, w.until)
	}
	return w.now, instant
}

// settling is under way in blocks that came with time.
type settling struct {
	since time.Time
	done  chan struct{}
}

// settleDue does what the blocks have that came with time. Where contracts run it does so beside
// its caller, who waits for them no longer than patience.
func (w *World) settleDue() {
	if w.vm == nil {
		w.settleNow()
		return
	}
	w.mu.Lock()
	s := w.settling
	if s == nil {
		s = &settling{time.Now(), make(chan struct{})}
		w.settling = s
		go func() {
			defer func() { _ = recover() }() // the chain then stays where it is
			defer w.settledAll(s)
			w.settleNow()
		}()
	}
	w.mu.Unlock()
	waits := time.NewTimer(patience - time.Since(s.since))
	defer waits.Stop()
	select {
	case <-s.done:
	case <-waits.C:
	}
}

func (w *World) settleNow() {
	w.lock()
	defer w.unlock()
	w.now = w.settled(w.now, w.now.clock.Instant(w.wallMS()))
}

func (w *World) settledAll(s *settling) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settling = nil
	close(s.done)
}
