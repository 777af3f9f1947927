package ledger

import (
	"cmp"
	"container/heap"
)

// dearestFirst puts the transactions of a block into the order in which a miner takes
// them: of those whose nonce is next, the one with the highest fee, and of equal fees the
// one that came first.
func dearestFirst(all []*Tx) []*Tx {
	type turn struct {
		of    party
		nonce uint64
	}
	at := make(map[turn]*Tx, len(all))
	for _, t := range all {
		at[turn{t.origin, t.originNonce()}] = t
		at[turn{t.payer, t.payerNonce()}] = t
	}
	// before counts the transactions that must come first.
	before := make(map[*Tx]int, len(all))
	after := make(map[*Tx][]*Tx, len(all))
	wait := func(t, first *Tx) {
		if first != nil && first != t {
			before[t]++
			after[first] = append(after[first], t)
		}
	}
	var ready byFee
	for _, t := range all {
		origin := at[turn{t.origin, t.originNonce() - 1}]
		wait(t, origin)
		if payer := at[turn{t.payer, t.payerNonce() - 1}]; payer != origin {
			wait(t, payer)
		}
		if before[t] == 0 {
			ready = append(ready, t)
		}
	}
	heap.Init(&ready)
	ordered := make([]*Tx, 0, len(all))
	for len(ready) > 0 {
		t := heap.Pop(&ready).(*Tx)
		ordered = append(ordered, t)
		for _, next := range after[t] {
			if before[next]--; before[next] == 0 {
				heap.Push(&ready, next)
			}
		}
	}
	return ordered
}

// byFee is a heap of transactions, the dearest at the top.
type byFee []*Tx

func (h byFee) Len() int { return len(h) }
func (h byFee) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].Fee(), h[i].Fee()), byPlace(h[i], h[j])) < 0
}
func (h byFee) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byFee) Push(t any)   { *h = append(*h, t.(*Tx)) }

// Pop takes the last.
func (h *byFee) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = (*h)[:last]
	return t
}
