package apiclient

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Budget is how many requests a server still takes in its present window.
type Budget struct {
	// Limit is the number of requests of a window, 0 when no limit is known.
	Limit int
	// Left is what remains of it.
	Left int
	// Resets is when the window ends, the zero time when none has begun.
	Resets time.Time
	// Told reports whether the server says so itself. Otherwise the limit is a guess
	// that holds back only what runs in the background, or was learned from a refusal.
	Told bool
}

// Low reports whether so little is left that a person has to know it.
func (b Budget) Low() bool { return b.Limit > 0 && b.Left <= b.Limit/5 }

const (
	// window is how long a limit counts where the server does not say.
	window = time.Minute
	// windowMargin is added to it, since the server counts from when a request
	// arrives.
	windowMargin = time.Second
	// windowJitter is by how much the ends of one window differ in answers, which are late
	// and told in whole seconds.
	windowJitter = 10 * time.Second
	// guessedLimit is what a server on the network is taken to allow in a minute
	// before it says.
	guessedLimit = 25
	// reserve is how many requests are kept from background work for what a person
	// does next.
	reserve = 5
	// maxTimes is how many times of requests are remembered: at least half of them.
	maxTimes = 1000
	// learnedFor is how long a limit counts that was learned from a refusal.
	learnedFor = 10 * time.Minute
)

// priority orders the requests of one server when its limit is short.
type priority int

const (
	// awaited requests are those that a person waits for. They take all that is left.
	awaited priority = iota
	// longRead requests leave the last few to awaited ones.
	longRead
	// background requests leave the last few too, and take at most half of the limit.
	background
)

type priorityKey struct{}

// Background marks the calls of a context as work that nobody waits for, such as live
// tail and rows that are fetched ahead. It gets at most half of a server's limit and
// leaves the last few requests to what a person asks for. When nothing is left for
// it, a call fails with RateLimited and RetryAfter, and nothing was sent.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, priorityKey{}, background)
}

// LongRead marks the calls of a context as parts of one long reading, such as all
// names of a namespace. They leave the last few requests of a server's limit to what
// a person asks for meanwhile.
func LongRead(ctx context.Context) context.Context {
	return context.WithValue(ctx, priorityKey{}, longRead)
}

func priorityOf(ctx context.Context) priority {
	p, _ := ctx.Value(priorityKey{}).(priority)
	return p
}

// budget is what is known of a server's limit: it counts the requests of a window. Its
// fields are guarded by the gate's mu.
type budget struct {
	// closed is until when the server refused all requests; streak counts refusals without
	// a Retry-After since the last other answer.
	closed  time.Time
	streak  int
	limit   int // 0 when nothing is known
	assumed int // what limit is while the server tells nothing and nothing was learned
	guessed bool
	told    bool
	learned time.Time
	// learning is true in the window of the refusal: requests that were in flight may
	// still be answered.
	learning bool
	resets   time.Time
	// sent counts the requests of the window, ahead those of them that ran in the
	// background; left is what the window still allows.
	sent, ahead, left int
	// times are those of the newest requests: a server that tells nothing and refused what is
	// beyond the assumed limit may count the last minute at each request, in place of windows.
	times []time.Time
	// inFlight counts requests without an answer.
	inFlight int
	// together is true from when a second request is in flight until none is: answers may come
	// in any order meanwhile.
	together bool
}

// guess takes a limit for granted until the server tells one.
func (g *Gate) guess(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.budget.limit == 0 {
		g.budget.assumed = limit
		g.budget.forget()
	}
}

// onNetwork reports whether a server is another machine, whose limits are unknown.
func onNetwork(u *url.URL) bool {
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host != "localhost" && !strings.HasSuffix(host, ".localhost") && (ip == nil || !ip.IsLoopback())
}

// Budget returns what is left of the server's limit.
func (g *Gate) Budget() Budget {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := &g.budget
	b.roll(g.now())
	return Budget{Limit: b.limit, Left: max(0, b.left), Resets: b.resets, Told: b.told}
}

// roll begins a new window when the last one has ended.
func (b *budget) roll(now time.Time) {
	if b.resets.IsZero() || now.Before(b.resets) {
		return
	}
	if !b.learned.IsZero() && now.Sub(b.learned) >= learnedFor {
		b.forget()
	}
	b.begin()
}

// forget begins a new window, without what was learned from a refusal.
func (b *budget) forget() {
	if !b.told {
		b.limit, b.guessed, b.learned = b.assumed, b.assumed > 0, time.Time{}
	}
	b.begin()
}

// begin lets the next request begin a window.
func (b *budget) begin() {
	b.resets, b.sent, b.ahead, b.left, b.learning = time.Time{}, 0, 0, b.limit, false
}

// opens returns when a request may be sent, the zero time for now.
func (b *budget) opens(now time.Time, p priority) time.Time {
	b.roll(now)
	opens := time.Time{}
	if now.Before(b.closed) {
		opens = b.closed
	}
	if b.limit == 0 || b.resets.IsZero() {
		return opens
	}
	if n := len(b.times) - b.limit; n >= 0 && b.limit == b.assumed && !b.told && !b.guessed {
		if at := b.times[n].Add(window + windowMargin); at.After(now) && at.After(opens) {
			opens = at
		}
	}
	kept := min(reserve, b.limit/4)
	held := b.left <= 0 && !b.guessed
	switch p {
	case longRead:
		held = b.left <= kept && !b.guessed
	case background:
		held = b.left <= kept || b.ahead >= b.limit/2
	}
	if held && b.resets.After(opens) {
		return b.resets
	}
	return opens
}

// spend counts a request that is about to be sent.
func (b *budget) spend(now time.Time, p priority) {
	if b.resets.IsZero() {
		b.resets = now.Add(window + windowMargin)
	}
	b.sent++
	b.left--
	b.inFlight++
	b.together = b.together || b.inFlight > 1
	if b.times = append(b.times, now); len(b.times) > maxTimes {
		b.times = slices.Delete(b.times, 0, len(b.times)-maxTimes/2)
	}
	if p == background {
		b.ahead++
	}
}

// refund takes back a request that was counted and never reached the server.
func (b *budget) refund(p priority) {
	if b.sent == 0 {
		return // its window has ended
	}
	b.sent--
	b.left++
	b.times = b.times[:max(0, len(b.times)-1)]
	if p == background && b.ahead > 0 {
		b.ahead--
	}
	if b.sent == 0 && !b.told && b.learned.IsZero() {
		b.begin()
	}
}

// Pauses after refusals that name no time: the first, doubled for each that
// follows, up to the last.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 30 * time.Second
)

// ended notes that a request is not in flight any more, alone that its answer was read.
func (b *budget) ended() { b.inFlight = max(0, b.inFlight-1) }

func (b *budget) alone() { b.together = b.together && b.inFlight > 0 }

// answered reads what an answer says of the limit, and closes the gate if it refuses the
// request.
func (b *budget) answered(resp *http.Response, now time.Time) {
	b.ended()
	defer b.alone()
	refused := resp.StatusCode == http.StatusTooManyRequests
	if left, known := wholeHeader(resp.Header, "ratelimit-remaining"); known {
		b.tell(resp.Header, left, now)
	} else if b.learning && !refused {
		b.limit++
	}
	if !refused {
		b.streak = 0
		return
	}
	b.times = b.times[:max(0, len(b.times)-1)] // what is refused is not counted
	pause := retryAfter(resp.Header.Get("Retry-After"), now)
	if pause == 0 {
		if now.Before(b.closed) {
			return // the answer to a request that was sent before the gate closed
		}
		pause = min(firstPause<<min(b.streak, 16), lastPause)
		b.streak++
	}
	if opens := now.Add(pause); opens.After(b.closed) {
		b.closed = opens
		b.learn(opens, now)
	}
}

// tell takes over what the server says of its limit. Answers to requests that were in flight
// together come in any order, and may or may not have counted each other: among them the number
// counts only where it is lower than our own, since somebody else takes of the limit too.
func (b *budget) tell(h http.Header, left int, now time.Time) {
	if limit, ok := wholeHeader(h, "ratelimit-limit"); ok && limit > 0 {
		b.limit = limit
	}
	b.limit = max(b.limit, left, 1)
	own := b.left
	if !b.told {
		own = b.limit - b.sent
	}
	b.told, b.guessed, b.learned, b.learning = true, false, time.Time{}, false
	resets := resetTime(h.Get("ratelimit-reset"), now)
	another := resets.Sub(b.resets) > windowJitter
	b.left = left - b.inFlight
	if !another && b.together && left >= own {
		b.left = own
	}
	if resets.After(now) && (another || resets.Before(b.resets)) {
		b.resets = resets
	}
}

// learn learns from a refusal how many requests the server takes in a window.
func (b *budget) learn(opens, now time.Time) {
	const shortest = 10 * time.Second // a shorter pause is not that of a window
	taken := len(b.times)             // in the last minute, if that is what the server counts
	for taken > 0 && now.Sub(b.times[len(b.times)-taken]) >= window {
		taken--
	}
	guessRight := b.guessed && taken-b.inFlight >= b.limit
	if b.told || opens.Sub(now) < shortest && !guessRight {
		return
	}
	if taken = b.sent - b.inFlight - 1; guessRight {
		taken = b.limit
	}
	if b.learned.IsZero() && taken > 0 {
		b.limit, b.guessed, b.learned, b.learning = taken, false, now, true
	}
	b.left, b.resets = 0, opens
}

// resetTime reads ratelimit-reset: a Unix time, or seconds from now when the number
// is below a day. It returns the zero time when it is neither.
func resetTime(s string, now time.Time) time.Time {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	day := int64(maxRetryAfter / time.Second)
	switch {
	case err != nil || n < 0:
		return time.Time{}
	case n < day:
		return now.Add(time.Duration(n) * time.Second)
	}
	at := time.Unix(n, 0)
	if at.Sub(now) > maxRetryAfter {
		return time.Time{}
	}
	return at
}

// wholeHeader reads a header that is a whole number of 0 to a million.
func wholeHeader(h http.Header, name string) (n int, known bool) {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get(name)))
	return n, err == nil && n >= 0 && n <= 1_000_000
}
