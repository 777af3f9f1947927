package wire

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Budget is the number of requests that a server still takes in its present window.
type Budget struct {
	// Limit is the number of requests of a window, 0 when no limit is known.
	Limit int
	// Left holds what remains of it.
	Left int
	// Resets is the time when the window ends, the zero time when none has begun.
	Resets time.Time
	// Reported reports whether the server says so itself. Otherwise the limit is a guess
	// that holds back only what runs in the background, and after a refusal all for a while.
	Reported bool
}

// Low reports whether so little is left that the user has to know it.
func (b Budget) Low() bool { return b.Limit > 0 && b.Left <= b.Limit/5 }

const (
	// window is the time that a limit counts where the server does not say.
	window = time.Minute
	// windowMargin is added to it, since the server counts from when a request
	// arrives.
	windowMargin = time.Second
	// guessedLimit holds what a server on the network is taken to allow in a minute
	// before it says.
	guessedLimit = 25
	// bindsFor is the time that a guess counts for all requests after a refusal.
	bindsFor = 10 * time.Minute
	// reserve is the number of requests that are kept from background work for what the user
	// does next.
	reserve = 5
)

// Priority orders the requests of one server when its limit is short.
type Priority int

const (
	// awaited requests are those that the user waits for. They take all that is left.
	awaited Priority = iota
	// bulk requests leave the last few to awaited ones.
	bulk
	// low requests leave the last few too, and take at most half of the limit.
	low
)

type priorityKey struct{}

// AtLowPriority marks the calls of a context as work that nobody waits for, such as live
// tail and rows that are fetched ahead. It gets at most half of a server's limit and
// leaves the last few requests to what the user requests. When nothing is left for
// it, a call fails with RateLimited and RetryAfter, and nothing was sent.
func AtLowPriority(ctx context.Context) context.Context {
	return context.WithValue(ctx, priorityKey{}, low)
}

// AtBulkPriority marks the calls of a context as parts of one long reading, such as all
// names of a namespace. They leave the last few requests of a server's limit to what
// the user requests meanwhile.
func AtBulkPriority(ctx context.Context) context.Context {
	return context.WithValue(ctx, priorityKey{}, bulk)
}

// PriorityOf returns the priority of the calls of a context.
func PriorityOf(ctx context.Context) Priority {
	p, _ := ctx.Value(priorityKey{}).(Priority)
	return p
}

// budget holds what is known of a server's limit: it counts the requests of a window. Its
// fields are guarded by the gate's mu.
type budget struct {
	// closed is until when the server refused all requests; streak counts refusals without
	// a Retry-After since the last other answer.
	closed   time.Time
	streak   int
	limit    int  // 0 when nothing is known
	reported bool // by the server, else the limit is a guess
	// binds is until when a guess counts for all requests, since the server has refused one.
	binds  time.Time
	resets time.Time
	// left holds what the window still allows, ahead counts its requests that ran in the
	// background, inFlight those without an answer.
	left, ahead, inFlight int
	// together is true from when a second request is in flight until none is.
	together bool
	// times are those of the newest requests, at most limit of them: a server that does not
	// report its limit may count the last minute at each request, in place of windows.
	times []time.Time
}

// guess takes a limit for granted until the server reports one.
func (g *Gate) guess(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b := &g.budget; b.limit == 0 {
		b.limit = limit
		b.begin()
	}
}

// OnNetwork reports whether a server is another machine, whose limits are unknown.
func OnNetwork(u *url.URL) bool {
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
	return Budget{Limit: b.limit, Left: max(0, b.left), Resets: b.resets, Reported: b.reported}
}

// roll begins a new window when the last one has ended.
func (b *budget) roll(now time.Time) {
	if !b.resets.IsZero() && !now.Before(b.resets) {
		b.begin()
	}
}

// begin lets the next request begin a window.
func (b *budget) begin() { b.resets, b.ahead, b.left = time.Time{}, 0, b.limit }

// opens returns when a request may be sent, the zero time for now.
func (b *budget) opens(now time.Time, p Priority) time.Time {
	b.roll(now)
	opens := time.Time{}
	if now.Before(b.closed) {
		opens = b.closed
	}
	if b.limit == 0 || b.resets.IsZero() {
		return opens
	}
	room := b.limit // of a window, for requests like this one
	if p != awaited {
		room -= min(reserve, b.limit/4)
	}
	held := time.Time{}
	switch {
	case p == low && b.ahead >= b.limit/2, b.reported && b.left <= b.limit-room:
		held = b.resets
	case !b.reported && (p == low || now.Before(b.binds)) && len(b.times) >= room:
		held = b.times[len(b.times)-room].Add(window + windowMargin)
	}
	if held.After(now) && held.After(opens) {
		return held
	}
	return opens
}

// spend counts a request that is about to be sent.
func (b *budget) spend(now time.Time, p Priority) {
	if b.resets.IsZero() {
		b.resets = now.Add(window + windowMargin)
	}
	b.left--
	b.inFlight++
	b.together = b.together || b.inFlight > 1
	if b.times = append(b.times, now); len(b.times) > max(1, b.limit) {
		b.times = b.times[1:]
	}
	if p == low {
		b.ahead++
	}
}

// refund uncounts a request that never reached the server.
func (b *budget) refund(p Priority) {
	if b.left >= b.limit {
		return // its window has ended
	}
	b.left++
	b.times = b.times[:max(0, len(b.times)-1)]
	if p == low && b.ahead > 0 {
		b.ahead--
	}
	if b.left == b.limit {
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
	if left, known := wholeHeader(resp.Header, "ratelimit-remaining"); known {
		b.report(resp.Header, left, now)
	}
	if resp.StatusCode != http.StatusTooManyRequests {
		b.streak = 0
		return
	}
	pause := RetryAfter(resp.Header.Get("Retry-After"), now)
	if pause == 0 {
		if now.Before(b.closed) {
			return // the answer to a request that was sent before the gate closed
		}
		pause = min(firstPause<<min(b.streak, 16), lastPause)
		b.streak++
	}
	opens := now.Add(pause)
	if opens.After(b.closed) {
		b.closed = opens
	}
	b.binds = now.Add(bindsFor)
}

// report takes over what the server says of its limit. Answers to requests that were in flight
// together come in any order: among them the lowest number counts.
func (b *budget) report(h http.Header, left int, now time.Time) {
	if limit, ok := wholeHeader(h, "ratelimit-limit"); ok && limit > 0 {
		b.limit = limit
	}
	b.limit = max(b.limit, left, 1)
	resets := resetTime(h.Get("ratelimit-reset"), now)
	own, next := b.left, resets.Sub(b.resets) > window/2
	b.left = left - b.inFlight
	if b.reported && b.together && !next {
		b.left = min(own, left)
	}
	b.reported = true
	if resets.After(now) {
		b.resets = resets
	}
}

// resetTime reads ratelimit-reset: a Unix time, or seconds from now when the number
// is below a day. It returns the zero time when it is neither.
func resetTime(s string, now time.Time) time.Time {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	day := int64(MaxRetryAfter / time.Second)
	switch {
	case err != nil || n < 0:
		return time.Time{}
	case n < day:
		return now.Add(time.Duration(n) * time.Second)
	}
	at := time.Unix(n, 0)
	if at.Sub(now) > MaxRetryAfter {
		return time.Time{}
	}
	return at
}

// wholeHeader reads a header that is a whole number of 0 to a million.
func wholeHeader(h http.Header, name string) (n int, known bool) {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get(name)))
	return n, err == nil && n >= 0 && n <= 1_000_000
}
