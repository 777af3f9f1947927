package world

import (
	"sync"
	"sync/atomic"
	"time"

	"chainscope/wallet/clarity"
)

// Bounds of the requests that are remembered.
const (
	maxRequests = 1_000  // of one world
	maxTotal    = 65_536 // of all; above it a world remembers minRequests
	minRequests = 64
	maxPath     = 512 // bytes of a path
)

// Request is a request for something of a world.
type Request struct {
	N      int64     `json:"n"` // counts from 1
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Path   string    `json:"path"` // with its query, as sent
	Status int       `json:"status"`
	Fault  string    `json:"fault"` // what changed the answer, "" for nothing
	World  string    `json:"world"`
}

// Requests remembers the last requests of a world. The zero value is empty and
// safe for concurrent use.
type Requests struct {
	total *atomic.Int64 // how many all worlds remember, nil for no common bound

	mu   sync.Mutex
	last int64
	kept []Request // oldest first
}

// Add remembers a request and gives it its number.
func (r *Requests) Add(one Request) {
	one.Path = clarity.Brief(one.Path, maxPath)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	one.N = r.last
	switch {
	case len(r.kept) >= minRequests && (len(r.kept) >= maxRequests || r.total != nil && r.total.Load() >= maxTotal):
		r.kept = r.kept[1:]
	case r.total != nil:
		r.total.Add(1)
	}
	r.kept = append(r.kept, one)
}

// After lists the requests with a higher number, oldest first, and the number
// for the next request.
func (r *Requests) After(n int64) ([]Request, int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []Request{}
	for _, one := range r.kept {
		if one.N > n {
			all = append(all, one)
		}
	}
	return all, r.last
}

func (r *Requests) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.total != nil {
		r.total.Add(-int64(len(r.kept)))
	}
	r.kept, r.total = nil, nil
}
