package tokens

import (
	"maps"
	"sync"
	"time"
)

// pendingFor is the time from the first request of a token in progress until it is ready.
const pendingFor = 5 * time.Second

// Progress remembers when tokens in progress were first requested. It is safe for
// concurrent use.
type Progress struct {
	now func() time.Time

	mu        sync.Mutex
	requested Requested
}

// Requested holds when each token in progress was first requested. It never changes.
type Requested map[*token]time.Time

// NewProgress returns the state in which no token was requested; now is the wall
// clock by which tokens get ready.
func NewProgress(now func() time.Time) *Progress { return &Progress{now: now} }

// ready starts the fetch at the first request and reports whether it has ended.
func (p *Progress) ready(tok *token) bool {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	first, requested := p.requested[tok]
	if !requested {
		next := Requested{tok: now}
		maps.Copy(next, p.requested)
		p.requested = next
		return false
	}
	return now.Sub(first) >= pendingFor
}

// fetched reports whether a token in progress is ready, and begins nothing.
func (p *Progress) fetched(tok *token) bool {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	first, requested := p.requested[tok]
	return requested && now.Sub(first) >= pendingFor
}

// Requested returns what to give to Restore to come back to this state.
func (p *Progress) Requested() Requested {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requested
}

// Restore goes back to a state of so long ago: what a token had left then it has
// left again.
func (p *Progress) Restore(requested Requested, ago time.Duration) {
	back := make(Requested, len(requested))
	for tok, first := range requested {
		back[tok] = first.Add(ago)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requested = back
}
