package ledger

import (
	"slices"

	iradix "github.com/hashicorp/go-immutable-radix/v2"

	"chainscope/wallet/clarity"
)

// Stakes returns what is staked on the network of a ledger: what some accounts did before the ledger
// knew of them, and how much of an account is locked.
type Stakes interface {
	// Of returns what an account sent up to a height, the newest last, and the least that it
	// began with. It reports false for one that did nothing.
	Of(hash160 [20]byte, height int64) (sent []*Tx, balance uint64, stakes bool)
	// Locked returns how many micro-STX of an account, or of a contract of it, are locked at a height.
	Locked(l *Ledger, hash160 [20]byte, contract string, height int64) uint64
}

// locked is the last lock of an account with its transaction.
type locked struct {
	Lock
	by *Tx
}

// replaced has what was locked of accounts before, nil for nothing.
type replaced map[party]*locked

// lock keeps what a transaction locks, and returns what was locked before.
func (l *Ledger) lock(t *Tx, locks []Lock) (before replaced) {
	for _, one := range locks {
		of := partyOf(one.Of)
		if _, again := before[of]; !again {
			old, _ := l.locks.Get(of.key())
			if before == nil {
				before = replaced{}
			}
			before[of] = old
		}
		l.locks, _, _ = l.locks.Insert(of.key(), &locked{one, t})
	}
	return before
}

// back returns locks with those that were replaced.
func (r replaced) back(locks *iradix.Tree[*locked]) *iradix.Tree[*locked] {
	for of, old := range r {
		if old == nil {
			locks, _, _ = locks.Delete(of.key())
			continue
		}
		locks, _, _ = locks.Insert(of.key(), old)
	}
	return locks
}

// LockOf returns what a transaction of the ledger locked last of a principal up to a height, and the
// transaction. It reports false where none did, or where only transactions that were forgotten did.
func (l *Ledger) LockOf(p clarity.Principal, height int64) (Lock, *Tx, bool) {
	last, ok := l.locks.Get(partyOf(p).key())
	if !ok {
		return Lock{}, nil, false
	}
	if last.by.Height <= height {
		return last.Lock, last.by, true
	}
	for tx := range l.Mined() {
		for _, lock := range slices.Backward(tx.Locks) {
			if partyOf(lock.Of) == partyOf(p) && tx.Height <= height {
				return lock, tx, true
			}
		}
	}
	return Lock{}, nil, false
}

// SetStakes lets accounts have staked, nil for none.
func (l *Ledger) SetStakes(s Stakes) { l.stakes = s }

// Height returns the block that is being made, or as of which the ledger is read.
func (l *Ledger) Height() int64 { return l.height }

// SetHeight lets the ledger be read as of a block.
func (l *Ledger) SetHeight(height int64) { l.height = height }

// Spendable returns the micro-STX of a principal that are not locked.
func (l *Ledger) Spendable(p clarity.Principal) uint64 { return l.spendable(partyOf(p)) }

func (l *Ledger) spendable(p party) uint64 {
	has := l.at(p).balance
	if l.stakes == nil {
		return has
	}
	return has - min(has, l.stakes.Locked(l, p.hash160, p.contract, l.height))
}

// staker returns the state of an account that staked before the ledger knew of it.
func (l *Ledger) staker(p party) (a account, stakes bool) {
	if l.stakes == nil {
		return a, false
	}
	sent, balance, stakes := l.stakes.Of(p.hash160, l.height)
	a.balance = max(startBalance, balance)
	for _, t := range sent {
		a.nonce = t.originNonce() + 1
		a.fees += t.Fee()
	}
	a.balance -= a.fees
	return a, stakes
}
