package tui

import (
	"time"

	"chainscope/apiclient/wire"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// keyPause is the time that the keys must be idle before live tail changes the screen.
const keyPause = 500 * time.Millisecond

// liveTail decides when to request new data. Retries are the screen's business: see
// browser.Frame.RetryLater.
type liveTail struct {
	on          bool
	poll        time.Duration
	least       time.Duration // between two requests caused by pushed blocks
	next        time.Time
	requestedAt time.Time // time of the last request
	held        time.Time // until then the rate limit has no room for it
	// pushed is true while the server pushes blocks, and known the block that it pushed
	// last.
	pushed bool
	known  string

	pressed time.Time // when the last key came
}

// rest starts a new interval: something was just requested.
func (l *liveTail) rest(now time.Time) { l.requestedAt, l.next = now, now.Add(l.poll) }

// due reports whether the screen is to be updated now, and starts the next
// interval if so. While keys come, it waits for a pause, but not for ever.
func (l *liveTail) due(now time.Time) bool {
	if !l.on || now.Before(l.next) || now.Before(l.held) {
		return false
	}
	if now.Sub(l.pressed) < keyPause && now.Before(l.next.Add(2*l.poll)) {
		return false
	}
	l.rest(now)
	return true
}

// slowPoll is the interval for a server with a rate limit: every 5 s would use half of 25
// a minute. It is also how long the push channel may be silent, since a quiet chain is not
// the only possible reason.
const slowPoll = 15 * time.Second

// eventPause is the least time between two requests caused by pushed blocks, for a server
// without a rate limit.
const eventPause = time.Second

// fewRequests is the largest limit per minute that counts as small.
const fewRequests = 100

// restlessPoll is the interval for what changes without a block: a transaction that is dropped.
const restlessPoll = 2 * time.Second

// adapt adapts the intervals to the rate limit and to what the place shows.
func (l *liveTail) adapt(g *wire.Gate, usual time.Duration, s screen.Status) {
	l.poll, l.least, l.held = usual, eventPause, g.ClosedToLowPriority()
	limit := g.Budget().Limit
	few := limit > 0 && limit <= fewRequests
	if few {
		l.poll, l.least = max(usual, slowPoll), slowPoll
	}
	switch {
	case s.Restless && !few:
		l.poll = min(usual, restlessPoll)
		if soon := l.requestedAt.Add(l.poll); soon.Before(l.next) {
			l.next = soon
		}
	case l.pushed:
		l.poll = max(l.poll, slowPoll)
	}
}

// waiting returns the time of the next request if it is later than usual, else the zero
// time. A failed request has its own retry time.
func (l *liveTail) waiting(s screen.Status, now time.Time) time.Time {
	switch {
	case s.Again.After(now):
		return s.Again
	case l.on && !s.Still && !s.Busy && now.Before(l.held) && l.held.After(l.next):
		return l.held
	}
	return time.Time{}
}

// refresh requests again, even if the server requested a wait: the user knows better.
func (n *navigator) refresh() tea.Cmd {
	n.env.Client.Gate().Reopen()
	n.live.rest(n.env.Now())
	return n.currentScreen().Refresh()
}

// toggleLive turns live tail on or off.
func (n *navigator) toggleLive() tea.Cmd {
	n.live.on = !n.live.on
	if !n.live.on {
		return n.showNotice("live tail is off", false)
	}
	n.live.rest(n.env.Now())
	n.showNotice("live tail is on", false)
	return n.currentScreen().Live()
}
