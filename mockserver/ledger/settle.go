package ledger

import (
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Effect holds what a call or a deploy does if nothing prevents it.
type Effect struct {
	Result clarity.Value // an OK or an Err, nil for (ok true)
	Moves  []outcome.Move
	// Supposed reports that the moves are guesses: of an asset that was never given or minted,
	// what is moved is assumed to exist.
	Supposed bool
	Prints   []Print
	Sets     []Set
	Locks    []Lock // of STX that it locks
	// Error holds what a node says of a failure, "" where it says nothing.
	Error string
	// Cost holds what it cost to run, nil where nothing ran it.
	Cost *facts.Cost
	// Ran reports that a virtual machine ran it, which has checked that what moves exists.
	Ran bool
	// Trace is the text of what it called, "" where no virtual machine ran it.
	Trace string
	// Unread says why it is not known what it does: something of a live chain could not be read. It then
	// stays in the mempool.
	Unread error
	// Kept is called when it is in effect, if it is not nil.
	Kept func()
}

// Lock is the STX of an account that a transaction locks.
type Lock struct {
	Amount   uint64 // micro-STX
	Unlock   int64  // a burn block
	Of       clarity.Principal
	Contract string // of stacking, such as pox-5
}

// Print holds what a contract prints.
type Print struct {
	Contract clarity.Principal
	Value    clarity.Value
	// After is the number of movements of the transaction before it.
	After int
}

// Outcome returns the effect of a call or a deploy on a ledger, which it must not change.
type Outcome func(l *Ledger, t *Tx) Effect

// notEnough is the answer of a transfer that exceeds the balance.
var notEnough = clarity.Err{Value: clarity.NewUInt(1)}

// Settle applies what the block of a height carries and returns it in order. What cannot
// pay for itself then stays for the next block, and what has waited too long is dropped.
func (l *Ledger) Settle(height int64, effect Outcome) (carried []*Tx) {
	l.height = height
	var due []*Tx
	l.scheduled.Root().Walk(func(_ []byte, t *Tx) bool {
		if t.Height <= height {
			due = append(due, t)
		}
		return t.Height > height
	})
	var waiting []*Tx
	for _, t := range dearestFirst(due) {
		if !l.canRun(t) {
			l.schedule(t, height+1)
			continue
		}
		before := *l
		if done := l.apply(t, height, effect); done.Unread == "" {
			waiting, carried = append(waiting, t), append(carried, done)
		} else {
			*l = before
			later := *t
			later.Height, later.Unread = height+1, done.Unread
			l.insert(&later)
		}
	}
	l.removeAll(waiting)
	l.recordMined(carried)
	l.expire(height)
	for l.mined.Len() > maxMined || l.minedBytes > maxMinedBytes {
		key, old, _ := l.order.Root().Minimum()
		l.order, _, _ = l.order.Delete(key)
		l.mined, _, _ = l.mined.Delete(old.ID[:])
		l.minedBytes -= old.Size
	}
	return carried
}

// Carry lets the block of a height carry a transaction that nobody signed and that was in no
// mempool.
func (l *Ledger) Carry(tx *stxtx.Transaction, id [32]byte, height int64, effect Outcome) *Tx {
	t := l.apply(Mined(tx, id, height), height, effect)
	l.recordMined([]*Tx{t})
	return t
}

// recordMined remembers the transactions of a block.
func (l *Ledger) recordMined(carried []*Tx) {
	mined, order := l.mined.Txn(), l.order.Txn()
	for _, t := range carried {
		mined.Insert(t.ID[:], t)
		order.Insert(t.orderKey(), t)
		l.minedBytes += t.Size
	}
	l.mined, l.order = mined.Commit(), order.Commit()
}

// canRun reports whether a block can carry a transaction: what other transactions have
// moved before may leave an account without the fee, or without what a transfer sends.
func (l *Ledger) canRun(t *Tx) bool {
	origin, payer := l.at(t.origin), l.at(t.payer)
	return origin.nonce == t.originNonce() && payer.nonce == t.payerNonce() &&
		l.spendable(t.origin) >= t.spends(t.origin) && l.spendable(t.payer) >= t.spends(t.payer)
}

// apply does in the accounts what a transaction does. The caller takes it out of the mempool
// and keeps what is returned.
func (l *Ledger) apply(waiting *Tx, height int64, effect Outcome) *Tx {
	done := *waiting
	t := &done
	l.place++
	t.Height, t.place, t.Unread = height, l.place, ""
	if t.payer != t.origin {
		origin := l.at(t.origin)
		origin.nonce++
		l.set(t.origin, origin)
	}
	payer := l.at(t.payer)
	payer.nonce++
	payer.balance -= t.Fee()
	payer.fees += t.Fee()
	l.set(t.payer, payer)
	l.execute(t, effect)
	if t.Aborted() {
		l.dropContract(t)
	} else {
		l.storeContract(t)
	}
	return t
}

// execute does what a transaction does, and decides how it ends.
func (l *Ledger) execute(t *Tx, effect Outcome) {
	does := Effect{Moves: t.transfers()}
	if does.Moves == nil {
		does = effect(l, t)
	}
	if does.Unread != nil {
		t.Unread = does.Unread.Error()
		return
	}
	if t.Result = does.Result; t.Result == nil {
		t.Result = clarity.OK{Value: clarity.Bool(true)}
	}
	t.Error, t.Cost, t.Trace, t.ran = does.Error, does.Cost, does.Trace, does.Ran
	if t.Aborted() {
		if does.Error == "" { // it answered an error, which moves nothing
			t.violate(nil)
		}
		return
	}
	before := *l
	if !l.settle(t, does) {
		t.Result = notEnough
		t.violate(nil)
		return
	}
	if t.violate(does.Moves); t.Violation != nil {
		*l = before
		return
	}
	t.Moved, t.Prints, t.before = does.Moves, does.Prints, l.hold(does.Sets)
	t.Locks, t.locked = does.Locks, l.lock(t, does.Locks)
	if does.Kept != nil {
		does.Kept()
	}
}

// toMempool moves a transaction back from the accounts into the mempool, without a
// block, as if it had been received after the block of height tip. Accounts that were set
// by hand in between do not fall below zero.
func (l *Ledger) toMempool(done *Tx, tip int64) {
	l.mined, _, _ = l.mined.Delete(done.ID[:])
	l.order, _, _ = l.order.Delete(done.orderKey())
	l.minedBytes -= done.Size
	l.undo(done.Moved)
	if !done.ran {
		l.noteBack(done.Moved)
	}
	l.hold(done.before)
	l.locks = done.locked.back(l.locks)
	payer := l.at(done.payer)
	payer.balance += done.Fee()
	payer.fees -= min(payer.fees, done.Fee())
	if done.payer != done.origin {
		payer.nonce -= min(payer.nonce, 1)
	}
	l.set(done.payer, payer)
	origin := l.at(done.origin)
	origin.nonce -= min(origin.nonce, 1)
	l.set(done.origin, origin)
	waiting := *done
	waiting.ReceivedAfter = tip
	waiting.Height, waiting.Result, waiting.Moved, waiting.Prints, waiting.before = 0, nil, nil, nil, nil
	waiting.Violation, waiting.Error, waiting.Cost, waiting.Trace, waiting.ran, waiting.Locks = nil, "", nil, "", false, nil
	waiting.locked = nil
	l.insert(&waiting)
}

// Rewind reverts the blocks from a height on: their transactions are in the
// mempool again, for the block of height next. One for which an account that was set by
// hand in between leaves no room is dropped.
func (l *Ledger) Rewind(from, next int64) {
	l.scheduled.Root().Walk(func(_ []byte, t *Tx) bool {
		l.schedule(t, 0)
		return false
	})
	for {
		_, t, ok := l.order.Root().Maximum()
		if !ok || t.Height < from {
			break
		}
		l.toMempool(t, next-1)
	}
	for t := range l.Mempool() {
		if t.originNonce() < l.at(t.origin).nonce || t.payerNonce() < l.at(t.payer).nonce {
			l.drop(t, StaleGarbageCollect, nil)
		}
	}
	l.resume(next)
}
