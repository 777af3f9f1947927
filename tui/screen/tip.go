package screen

import "time"

// Tip is the newest block that is known of the chain, whoever has read it: a place, the
// watch of the frame, or the server's push. The zero value is none.
type Tip struct {
	Height int64
	rose   []risen // the oldest first
}

// risen is the time when the chain was seen to have grown, and from which height.
type risen struct {
	at   time.Time
	from int64
}

// maxRises bounds how many times of growth are kept.
const maxRises = 200

// Reach takes the height of the newest block, as it is at a time.
func (t *Tip) Reach(height int64, at time.Time) {
	if t.Height > 0 && height > t.Height {
		t.rose = append(t.rose, risen{at, t.Height})
		t.rose = t.rose[max(0, len(t.rose)-maxRises):]
	}
	if height < t.Height {
		t.rose = nil // the chain was rolled back: who shows of it hears of that
	}
	t.Height = height
}

// Since returns how many blocks have come since a time, as far as is known.
func (t *Tip) Since(at time.Time) int64 {
	for _, r := range t.rose {
		if r.at.After(at) {
			return t.Height - r.from
		}
	}
	return 0
}

// Outdates reports whether what was read at a time may be another by now: a block has
// come, or no place has blocks.
func (t *Tip) Outdates(at time.Time) bool {
	return t.Height == 0 || at.IsZero() || t.Since(at) > 0
}

// itemPause is the least time between two readings of one thing where the server has a
// limit.
const itemPause = 30 * time.Second

// Rested reports whether one thing that was read at a time may be read again by now, while
// nobody waits for it. One that was never read, or of another chain, need not rest.
func (e *Env) Rested(at time.Time) bool {
	return at.IsZero() || e.Limit() == 0 || e.Now().Sub(at) >= itemPause
}

// Outdated reports whether one thing that was read may be another by now, and may be read again.
func (e *Env) Outdated(v interface {
	Busy() bool
	RequestedAt() time.Time
},
) bool {
	return !v.Busy() && e.Rested(v.RequestedAt()) && e.Tip.Outdates(v.RequestedAt())
}
