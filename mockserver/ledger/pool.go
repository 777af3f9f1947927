package ledger

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// maxWait is the number of blocks after which a transaction that no block took is dropped.
const maxWait = 256

// Drop is the reason why a transaction left the mempool without a block, in the words of the API
// without its "dropped_".
type Drop string

// The reasons to drop a transaction.
const (
	ReplaceByFee        Drop = "replace_by_fee"
	StaleGarbageCollect Drop = "stale_garbage_collect"
	TooExpensive        Drop = "too_expensive"
	Problematic         Drop = "problematic"
)

func pendingKey(p party, nonce uint64) []byte {
	return binary.BigEndian.AppendUint64(p.hash160[:], nonce)
}

// waiting returns the transaction of the mempool with a nonce of an account.
func (l *Ledger) waiting(p party, nonce uint64) *Tx {
	t, _ := l.pending.Get(pendingKey(p, nonce))
	return t
}

// eachWaiting calls f with what the mempool holds of an account, the lowest
// nonce first.
func (l *Ledger) eachWaiting(p party, f func(nonce uint64, t *Tx)) {
	l.pending.Root().WalkPrefix(p.hash160[:], func(key []byte, t *Tx) bool {
		f(binary.BigEndian.Uint64(key[len(p.hash160):]), t)
		return false
	})
}

// insert puts a transaction into the mempool, or another version of it in its
// place.
func (l *Ledger) insert(t *Tx) {
	var old *Tx
	l.pool, old, _ = l.pool.Insert(t.ID[:], t)
	if old == nil {
		l.poolBytes += t.Size
	} else {
		l.forgetPlaces(old)
	}
	if t.Height != 0 {
		l.scheduled, _, _ = l.scheduled.Insert(t.orderKey(), t)
	}
	l.received, _, _ = l.received.Insert(t.receivedKey(), t)
	l.pending, _, _ = l.pending.Insert(pendingKey(t.origin, t.originNonce()), t)
	l.pending, _, _ = l.pending.Insert(pendingKey(t.payer, t.payerNonce()), t)
	l.storeContract(t)
}

func (l *Ledger) forgetPlaces(t *Tx) {
	if t.Height != 0 {
		l.scheduled, _, _ = l.scheduled.Delete(t.orderKey())
	}
	l.received, _, _ = l.received.Delete(t.receivedKey())
}

// remove removes a transaction from the mempool.
func (l *Ledger) remove(t *Tx) { l.removeAll([]*Tx{t}) }

// removeAll removes transactions from the mempool, at once: each tree is copied once where it
// changes.
func (l *Ledger) removeAll(all []*Tx) {
	pool, scheduled, received, pending := l.pool.Txn(), l.scheduled.Txn(), l.received.Txn(), l.pending.Txn()
	for _, t := range all {
		if _, known := pool.Delete(t.ID[:]); !known {
			continue
		}
		l.poolBytes -= t.Size
		if t.Height != 0 {
			scheduled.Delete(t.orderKey())
		}
		received.Delete(t.receivedKey())
		pending.Delete(pendingKey(t.origin, t.originNonce()))
		if t.payer != t.origin {
			pending.Delete(pendingKey(t.payer, t.payerNonce()))
		}
	}
	l.pool, l.scheduled, l.received, l.pending = pool.Commit(), scheduled.Commit(), received.Commit(), pending.Commit()
}

// drop takes a transaction out of the mempool for good and keeps it for requests of what
// became of it; by is the transaction that took its place, nil for none.
func (l *Ledger) drop(t *Tx, why Drop, by *[32]byte) {
	l.remove(t)
	l.dropContract(t)
	gone := *t
	gone.Height, gone.Dropped, gone.ReplacedBy = 0, why, by
	l.place++
	gone.place = l.place
	l.dropped, _, _ = l.dropped.Insert(gone.ID[:], &gone)
	l.forgotten, _, _ = l.forgotten.Insert(gone.orderKey(), &gone)
	if l.forgotten.Len() > maxDropped {
		key, oldest, _ := l.forgotten.Root().Minimum()
		l.forgotten, _, _ = l.forgotten.Delete(key)
		l.dropped, _, _ = l.dropped.Delete(oldest.ID[:])
	}
}

// recall forgets that a transaction was dropped, since it is sent again.
func (l *Ledger) recall(id [32]byte) {
	var gone *Tx
	if l.dropped, gone, _ = l.dropped.Delete(id[:]); gone != nil {
		l.forgotten, _, _ = l.forgotten.Delete(gone.orderKey())
	}
}

// Drop takes a transaction out of the mempool. What comes after it waits for its nonce then.
// It reports false if the transaction does not wait.
func (l *Ledger) Drop(id [32]byte, why Drop) bool {
	t, waits := l.pool.Get(id[:])
	if waits {
		l.drop(t, why, nil)
		l.unscheduleAfter(t)
	}
	return waits
}

// Hold keeps blocks from carrying anything until Release.
func (l *Ledger) Hold() {
	l.held = true
	l.scheduled.Root().Walk(func(_ []byte, t *Tx) bool {
		l.schedule(t, 0)
		return false
	})
}

// Release ends Hold. It reports whether the block of height next carries something.
func (l *Ledger) Release(next int64) bool {
	l.held = false
	l.resume(next)
	return l.scheduled.Len() > 0
}

// OnHold reports whether blocks carry nothing.
func (l *Ledger) OnHold() bool { return l.held }

// resume schedules everything that waits for nothing.
func (l *Ledger) resume(next int64) {
	var waiting []*Tx
	for t := range l.Mempool() {
		if t.Height == 0 {
			waiting = append(waiting, t)
		}
	}
	slices.SortFunc(waiting, byPlace)
	for _, t := range waiting {
		l.scheduleFrom(t, next)
	}
}

func byPlace(a, b *Tx) int { return cmp.Compare(a.place, b.place) }

// scheduleFrom puts t and everything that waited for it into a block. It reports whether
// that was anything.
func (l *Ledger) scheduleFrom(t *Tx, height int64) (added bool) {
	if l.held {
		return false
	}
	for queue := []*Tx{t}; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if now, _ := l.pool.Get(t.ID[:]); now.Height == 0 {
			if !l.isDue(t) {
				continue
			}
			l.schedule(t, height)
			added = true
		}
		for _, next := range l.following(t) {
			if next.Height == 0 {
				queue = append(queue, next)
			}
		}
	}
	return added
}

// unscheduleAfter takes what came after a transaction that is gone out of the coming block.
func (l *Ledger) unscheduleAfter(gone *Tx) {
	for queue := l.following(gone); len(queue) > 0; queue = queue[1:] {
		if t := queue[0]; t.Height != 0 && !l.isDue(t) {
			l.schedule(t, 0)
			queue = append(queue, l.following(t)...)
		}
	}
}

// following lists what waits for the nonces of t, once each.
func (l *Ledger) following(t *Tx) (all []*Tx) {
	of := [2]*Tx{l.waiting(t.origin, t.originNonce()+1), l.waiting(t.payer, t.payerNonce()+1)}
	for i, next := range of {
		if next != nil && (i == 0 || next != of[0]) {
			all = append(all, next)
		}
	}
	return all
}

// schedule puts a transaction of the mempool into a block, into none for height 0.
func (l *Ledger) schedule(t *Tx, height int64) {
	next := *t
	next.Height = height
	l.insert(&next)
}

// isDue reports whether every nonce before those of t is in the blocks, those
// to come included.
func (l *Ledger) isDue(t *Tx) bool {
	return l.reaches(t.origin, t.originNonce()) && l.reaches(t.payer, t.payerNonce())
}

func (l *Ledger) reaches(p party, n uint64) bool {
	for nonce := l.at(p).nonce; nonce < n; nonce++ {
		if t := l.waiting(p, nonce); t == nil || t.Height == 0 {
			return false
		}
	}
	return true
}

// expire drops what has waited too long when the block of a height comes.
func (l *Ledger) expire(height int64) {
	for {
		_, t, ok := l.received.Root().Minimum()
		if !ok || t.ReceivedAfter+maxWait > height {
			return
		}
		l.drop(t, StaleGarbageCollect, nil)
		l.unscheduleAfter(t)
	}
}

// NextHeight returns the height of the lowest block that was not settled yet and changes
// the mempool, the largest int64 if there is none.
func (l *Ledger) NextHeight() int64 {
	next := int64(math.MaxInt64)
	if _, t, ok := l.scheduled.Root().Minimum(); ok {
		next = t.Height
	}
	if _, t, ok := l.received.Root().Minimum(); ok {
		next = min(next, t.ReceivedAfter+maxWait)
	}
	return next
}

// orderKey sorts by height, and within a block by place.
func (t *Tx) orderKey() []byte { return placeKey(t.Height, t.place) }

func (t *Tx) receivedKey() []byte { return placeKey(t.ReceivedAfter, t.place) }

func placeKey(height int64, place uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(height)), place)
}
