package world

import (
	"sync"

	"chainscope/mockserver/ledger"
)

// maxRefused bounds the refusals that a world remembers.
const maxRefused = 256

// Refusal is a transaction that was refused before its mempool.
type Refusal struct {
	*ledger.Rejection
	Contract, Function string // of a call
}

// Refusals remembers the last transactions that a world refused, by id: no state has them.
// The zero value is empty and safe for concurrent use.
type Refusals struct {
	mu    sync.Mutex
	kept  map[string]Refusal
	order []string
}

// Add remembers a refusal.
func (r *Refusals) Add(one Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = map[string]Refusal{}
	}
	if _, known := r.kept[one.TxID]; !known {
		r.order = append(r.order, one.TxID)
	}
	r.kept[one.TxID] = one
	if len(r.order) > maxRefused {
		delete(r.kept, r.order[0])
		r.order = r.order[1:]
	}
}

// Find returns why a transaction was refused; its id has 64 hexadecimal digits.
func (r *Refusals) Find(id string) (Refusal, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, known := r.kept[id]
	return one, known
}
