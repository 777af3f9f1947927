package wire

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// LogOptions bound an ExchangeLog. Zero fields mean the defaults.
type LogOptions struct {
	// Capacity is the number of exchanges that are kept: 500.
	Capacity int
	// BodyLimit is the number of bytes that are kept of one body: 64 KiB.
	BodyLimit int
	// BodyTotal is the number of bytes that are kept of all bodies together: 1 MiB. The
	// oldest bodies go first; their exchanges stay.
	BodyTotal int
}

// ExchangeLog keeps the last exchanges with servers, secrets masked. It may be
// shared by several clients and is safe for concurrent use.
type ExchangeLog struct {
	opt LogOptions

	mu      sync.Mutex
	kept    []*Exchange // the oldest first, with IDs that follow each other
	lastID  uint64
	bodies  int // bytes
	subs    map[int]chan uint64
	lastSub int
}

// NewExchangeLog returns an empty log.
func NewExchangeLog(o LogOptions) *ExchangeLog {
	o.Capacity, o.BodyLimit, o.BodyTotal = cmp.Or(max(0, o.Capacity), 500), cmp.Or(max(0, o.BodyLimit), 64<<10), cmp.Or(max(0, o.BodyTotal), 1<<20)
	return &ExchangeLog{opt: o, subs: map[int]chan uint64{}}
}

// Snapshot returns a copy of the log, oldest first. Headers and bodies are shared
// and must not be changed.
func (l *ExchangeLog) Snapshot() []Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Exchange, len(l.kept))
	for i, e := range l.kept {
		out[i] = *e
	}
	return out
}

// Len returns the number of exchanges that are kept.
func (l *ExchangeLog) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.kept)
}

// UnderWay reports whether an exchange has not ended.
func (l *ExchangeLog) UnderWay() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.kept, func(e *Exchange) bool { return !e.Done })
}

// Get returns an exchange that is still kept.
func (l *ExchangeLog) Get(id uint64) (Exchange, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.find(id); e != nil {
		return *e, true
	}
	return Exchange{}, false
}

// find returns an exchange that is still kept, or nil. The caller must hold l.mu.
func (l *ExchangeLog) find(id uint64) *Exchange {
	if len(l.kept) == 0 || id < l.kept[0].ID || id > l.lastID {
		return nil
	}
	return l.kept[id-l.kept[0].ID]
}

// Subscribe returns a channel with the id of each exchange that begins or ends,
// until stop is called. A slow reader misses ids but never delays a request.
func (l *ExchangeLog) Subscribe() (ids <-chan uint64, stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastSub++
	key, ch := l.lastSub, make(chan uint64, 64)
	l.subs[key] = ch
	return ch, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if _, ok := l.subs[key]; ok {
			delete(l.subs, key)
			close(ch)
		}
	}
}

// notify sends an id to the subscribers. The caller must hold l.mu.
func (l *ExchangeLog) notify(id uint64) {
	for _, ch := range l.subs {
		select {
		case ch <- id:
		default:
		}
	}
}

// begin adds an exchange and returns its id.
func (l *ExchangeLog) begin(e Exchange) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastID++
	e.ID = l.lastID
	if len(l.kept) == l.opt.Capacity {
		l.drop(l.kept[0])
		l.kept[0], l.kept = nil, l.kept[1:]
	}
	l.kept = append(l.kept, &e)
	l.notify(e.ID)
	return e.ID
}

// end replaces an exchange by its outcome.
func (l *ExchangeLog) end(e Exchange) {
	e.Done = true
	e.RequestBody, e.RequestBodyCut = l.bound(e.RequestBody)
	e.ResponseBody, e.ResponseBodyCut = l.bound(e.ResponseBody)
	l.mu.Lock()
	defer l.mu.Unlock()
	if kept := l.find(e.ID); kept != nil {
		*kept = e
		l.bodies += len(e.RequestBody) + len(e.ResponseBody)
		for i := 0; l.bodies > l.opt.BodyTotal && l.kept[i].ID < e.ID; i++ {
			l.drop(l.kept[i])
		}
	}
	l.notify(e.ID)
}

// drop forgets the bodies of an exchange, but not that there were some. The caller must
// hold l.mu.
func (l *ExchangeLog) drop(e *Exchange) {
	l.bodies -= len(e.RequestBody) + len(e.ResponseBody)
	e.RequestBodyCut = e.RequestBodyCut || len(e.RequestBody) > 0
	e.ResponseBodyCut = e.ResponseBodyCut || len(e.ResponseBody) > 0
	e.RequestBody, e.ResponseBody = "", ""
}

// bound cuts a body to what one exchange may keep, and reports whether it did.
// The rest is not held in memory.
func (l *ExchangeLog) bound(body string) (string, bool) {
	if len(body) <= l.opt.BodyLimit {
		return body, false
	}
	return strings.Clone(body[:l.opt.BodyLimit]), true
}
