package ledger

import (
	"encoding/binary"

	"chainscope/wallet/clarity"
)

// Outcome returns the result of a transaction in a block, nil for (ok true).
type Outcome func(t *Tx) clarity.Value

// Settle applies what the blocks up to a height carry.
func (l *Ledger) Settle(tip int64, outcome Outcome) {
	for {
		_, t, ok := l.scheduled.Root().Minimum()
		if !ok || t.Height > tip {
			break
		}
		l.apply(t, outcome)
	}
	for l.mined.Len() > maxMined || l.minedBytes > maxMinedBytes {
		key, old, _ := l.order.Root().Minimum()
		l.order, _, _ = l.order.Delete(key)
		l.mined, _, _ = l.mined.Delete(old.ID[:])
		l.minedBytes -= old.Size
	}
}

// apply moves a transaction from the mempool into the accounts.
func (l *Ledger) apply(waiting *Tx, outcome Outcome) {
	l.drop(waiting)
	done := *waiting
	t := &done
	if t.Result = outcome(t); t.Result == nil {
		t.Result = clarity.OK{Value: clarity.Bool(true)}
	}
	origin := l.at(t.origin)
	origin.nonce++
	l.set(t.origin, origin)
	payer := l.at(t.payer)
	if t.payer != t.origin {
		payer.nonce++
	}
	payer.balance -= t.Fee()
	payer.fees += t.Fee()
	l.set(t.payer, payer)
	if to, amount, ok := t.transfer(); ok && !t.Aborted() {
		l.move(t.origin, to, amount)
	}
	if t.Aborted() {
		l.dropContract(t)
	} else {
		l.keepContract(t)
	}
	l.mined, _, _ = l.mined.Insert(t.ID[:], t)
	l.order, _, _ = l.order.Insert(t.orderKey(), t)
	l.minedBytes += t.Size
}

// move pays an amount that is there.
func (l *Ledger) move(from, to party, amount uint64) {
	sender := l.at(from)
	sender.balance -= amount
	sender.sent += amount
	l.set(from, sender)
	recipient := l.at(to)
	recipient.balance += amount
	l.set(to, recipient)
}

// undo takes a transaction back from the accounts into the mempool, without a
// block. Accounts that were set by hand in between do not fall below zero.
func (l *Ledger) undo(done *Tx) {
	l.mined, _, _ = l.mined.Delete(done.ID[:])
	l.order, _, _ = l.order.Delete(done.orderKey())
	l.minedBytes -= done.Size
	if to, amount, ok := done.transfer(); ok && !done.Aborted() {
		recipient := l.at(to)
		recipient.balance -= min(recipient.balance, amount)
		l.set(to, recipient)
		sender := l.at(done.origin)
		sender.balance += amount
		sender.sent -= min(sender.sent, amount)
		l.set(done.origin, sender)
	}
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
	waiting.Height, waiting.Result = 0, nil
	l.keep(&waiting)
}

// Rewind takes back what blocks from a height on hold or will hold: the
// transactions are in the mempool and wait for Return.
func (l *Ledger) Rewind(from int64) {
	for {
		_, t, ok := l.order.Root().Maximum()
		if !ok || t.Height < from {
			break
		}
		l.undo(t)
	}
	for {
		_, t, ok := l.scheduled.Root().Maximum()
		if !ok || t.Height < from {
			return
		}
		waiting := *t
		waiting.Height = 0
		l.keep(&waiting)
	}
}

// Return schedules a transaction for a height after Rewind. It reports false,
// and forgets the transaction, if an account that was set by hand in between
// leaves no room for it; and if the ledger has no such transaction.
func (l *Ledger) Return(id [32]byte, height int64) bool {
	t, ok := l.pool.Get(id[:])
	if !ok {
		return false
	}
	if reason, _ := l.check(t); reason != "" || !l.isDue(t) || !l.canPay(t) {
		l.dropContract(t)
		l.drop(t)
		return false
	}
	l.schedule(t, height)
	return true
}

// canPay reports whether the accounts of a transaction can pay for it after
// everything that is scheduled before it.
func (l *Ledger) canPay(t *Tx) bool {
	origin, payer := l.at(t.origin).balance, l.at(t.payer).balance
	l.scheduled.Root().Walk(func(_ []byte, before *Tx) bool {
		if to, amount, ok := before.transfer(); ok {
			if to == t.origin {
				origin += amount
			}
			if to == t.payer {
				payer += amount
			}
		}
		origin -= min(origin, before.spends(t.origin))
		payer -= min(payer, before.spends(t.payer))
		return false
	})
	return t.spends(t.origin) <= origin && t.spends(t.payer) <= payer
}

// schedule puts a transaction of the mempool into a block.
func (l *Ledger) schedule(t *Tx, height int64) {
	l.place++
	next := *t
	next.Height, next.place = height, l.place
	l.keep(&next)
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

// orderKey sorts by height, and within a block by place.
func (t *Tx) orderKey() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(t.Height)), t.place)
}
