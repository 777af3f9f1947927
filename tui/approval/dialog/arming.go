package dialog

import "time"

const (
	// quietTime is how long no key must have come before keys count.
	quietTime = 425 * time.Millisecond
	// longestWait is after how long keys count in any case, but for approving,
	// which always takes a quiet keyboard.
	longestWait = 1500 * time.Millisecond
	// repeatTime is how long a key that came too early stays dead: longer than
	// keyboards wait before they repeat a key that is held.
	repeatTime = time.Second
)

// arming decides which keys count. Keys come as their names.
type arming struct {
	shown time.Time // when the question came on screen
	last  time.Time // the last key since then
	quiet bool      // the keyboard was quiet once
	// early holds when keys last came that did not count: those before the
	// question was seen, and while they are held.
	early map[string]time.Time

	before   string // the last key before the question
	beforeAt time.Time
}

// passed is told of a key that went elsewhere before the question came.
func (a *arming) passed(key string, now time.Time) { a.before, a.beforeAt = key, now }

// start begins anew with a question on screen.
func (a *arming) start(now time.Time) {
	a.shown, a.last, a.quiet = now, now, false
	a.early = map[string]time.Time{}
	if a.before != "" {
		a.early[a.before] = a.beforeAt
	}
}

// armed tells whether keys count, and whether approving does.
func (a *arming) armed(now time.Time) (keys, approving bool) {
	if !a.quiet && now.Sub(a.last) >= quietTime {
		a.quiet = true
	}
	return a.quiet || now.Sub(a.shown) >= longestWait, a.quiet
}

// counts takes a key and tells whether it counts.
func (a *arming) counts(key string, approves bool, now time.Time) bool {
	a.before, a.beforeAt = key, now
	keys, approving := a.armed(now)
	a.last = now
	if at, ok := a.early[key]; ok && now.Sub(at) < repeatTime {
		a.early[key] = now
		return false
	}
	if !keys || approves && !approving {
		a.early[key] = now
		return false
	}
	return true
}

// left is how long keys do not count yet, 0 when they do.
func (a *arming) left(now time.Time) time.Duration {
	if keys, _ := a.armed(now); keys {
		return 0
	}
	return min(quietTime-now.Sub(a.last), longestWait-now.Sub(a.shown))
}

// hurried tells whether the key that approves was pressed too early just now.
func (a *arming) hurried(key string, now time.Time) bool {
	at, ok := a.early[key]
	return ok && now.Sub(at) < repeatTime
}
