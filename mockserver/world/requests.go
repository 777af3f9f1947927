package world

import (
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the requests that are remembered.
const (
	maxRequests = 1_000  // of one world
	maxTotal    = 65_536 // of all; above it a world remembers minRequests
	minRequests = 64
	maxPath     = 512 // bytes of a path
)

// Request is a request that a world was asked.
type Request struct {
	N      int64     `json:"n"` // counts from 1
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Path   string    `json:"path"` // with its query, as sent
	Status int       `json:"status"`
	Fault  string    `json:"fault"` // what changed the answer, "" for nothing
	World  string    `json:"world"`
}

// Total counts the requests that all worlds remember.
type Total struct{ n atomic.Int64 }

// Requests remembers the last requests of a world. The zero value is empty and
// safe for concurrent use.
type Requests struct {
	total *Total // nil for no common bound

	mu   sync.Mutex
	last int64
	kept []Request // a ring, oldest at next once it is full
	next int
}

// Add remembers a request and gives it its number.
func (r *Requests) Add(one Request) {
	if len(one.Path) > maxPath {
		one.Path = one.Path[:maxPath] + "…"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	one.N = r.last
	if len(r.kept) >= minRequests && (len(r.kept) >= maxRequests || r.total != nil && r.total.n.Load() >= maxTotal) {
		r.next %= len(r.kept)
		r.kept[r.next] = one
		r.next++
		return
	}
	if r.next != 0 { // the ring was full and may grow again
		r.kept = append(append(make([]Request, 0, len(r.kept)+1), r.kept[r.next:]...), r.kept[:r.next]...)
		r.next = 0
	}
	r.kept = append(r.kept, one)
	if r.total != nil {
		r.total.n.Add(1)
	}
}

// After lists the requests with a higher number, oldest first, and the number
// to ask with the next time.
func (r *Requests) After(n int64) ([]Request, int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []Request{}
	for i := range r.kept {
		if one := r.kept[(r.next+i)%len(r.kept)]; one.N > n {
			all = append(all, one)
		}
	}
	return all, r.last
}

func (r *Requests) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.total != nil {
		r.total.n.Add(-int64(len(r.kept)))
	}
	r.kept, r.next, r.total = nil, 0, nil
}
