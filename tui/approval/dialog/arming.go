package dialog

import "time"

const (
	// quietTime is the time that the question must have been on screen with no key
	// coming before keys count. Browsers wait as long before they let the user
	// grant a permission.
	quietTime = time.Second
	// escapeTime is after how long esc counts even while keys keep coming.
	escapeTime = 1500 * time.Millisecond
	// repeatTime is the time that a key that came too early stays dead: longer than
	// keyboards wait before they repeat a key that is held.
	repeatTime = time.Second
)

// press is a key as it arrived.
type press struct {
	name string
	// alone is false for a key of a paste, and for one that came in one read
	// with others: no person has pressed it after reading the question.
	alone bool
}

// arming decides which keys count: those that were pressed by somebody who had
// stopped typing and could have read the question.
type arming struct {
	shown time.Time // when the question came on screen
	last  time.Time // the last key since then
	quiet bool      // the keyboard was quiet once since then
	// early holds when keys last came that did not count: those before the
	// question was seen, and while they are held.
	early map[string]time.Time

	before   string // the last key before the question
	beforeAt time.Time
}

// observe takes note of a key that went elsewhere before the question came.
func (a *arming) observe(key string, now time.Time) { a.before, a.beforeAt = key, now }

// start begins the wait for a question that has just come on screen.
func (a *arming) start(now time.Time) {
	a.shown, a.last, a.quiet = now, now, false
	a.early = map[string]time.Time{}
	if a.before != "" {
		a.early[a.before] = a.beforeAt
	}
}

// armed reports whether keys count.
func (a *arming) armed(now time.Time) bool { return a.quiet || now.Sub(a.last) >= quietTime }

// counts takes a key and reports whether it counts. A key that did not come
// alone never does, and the keyboard has to be quiet again after it.
func (a *arming) counts(p press, now time.Time) bool {
	a.quiet = a.armed(now)
	a.before, a.beforeAt = p.name, now
	a.last = now
	at, dead := a.early[p.name]
	dead = dead && now.Sub(at) < repeatTime
	escape := p.name == "esc" && now.Sub(a.shown) >= escapeTime
	if p.alone && !dead && (a.quiet || escape) {
		return true
	}
	a.early[p.name] = now
	if !p.alone {
		a.quiet = false
	}
	return false
}

// left returns how long no key may come before keys count, 0 when they do.
func (a *arming) left(now time.Time) time.Duration {
	if a.armed(now) {
		return 0
	}
	return quietTime - now.Sub(a.last)
}

// hurried reports whether a key was pressed too early just now.
func (a *arming) hurried(key string, now time.Time) bool {
	at, ok := a.early[key]
	return ok && now.Sub(at) < repeatTime
}
