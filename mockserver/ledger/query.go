package ledger

import (
	"fmt"
	"iter"
	"slices"

	"chainscope/wallet/clarity"
)

// Account is the state of a principal at the newest block. Amounts are micro-STX;
// the balance is what was received less what was sent and paid in fees.
type Account struct {
	Nonce    uint64 // of the next transaction, the mempool not counted
	Balance  uint64
	Sent     uint64
	Received uint64 // what the account began with included
	Fees     uint64
}

// Account reads a principal's account.
func (l *Ledger) Account(p clarity.Principal) Account {
	a := l.at(partyOf(p))
	return Account{a.nonce, a.balance, a.sent, a.balance + a.sent + a.fees, a.fees}
}

// Before returns the account of a principal as it was before a transaction that a block has.
func (a Account) Before(t *Tx, p clarity.Principal) Account {
	spent, received := t.Spends(p)
	if t.payer == partyOf(p) {
		spent -= t.Fee()
		a.Fees -= min(a.Fees, t.Fee())
	}
	a.Sent -= min(a.Sent, spent)
	a.Received -= min(a.Received, received)
	a.Balance = a.Received - min(a.Received, a.Sent+a.Fees)
	return a
}

// SetAccount gives an account another balance or nonce, nil to leave it. It is
// refused where a transaction of the mempool depends on the old ones.
func (l *Ledger) SetAccount(p clarity.Principal, balance, nonce *uint64) error {
	of := partyOf(p)
	a := l.at(of)
	var waiting int
	var spends uint64
	if of.contract == "" {
		l.eachWaiting(of, func(_ uint64, t *Tx) {
			waiting++
			spends += t.spends(of)
		})
	}
	if nonce != nil {
		if waiting > 0 && *nonce != a.nonce {
			return fmt.Errorf("%d transactions of the account wait in the mempool; mine a block first, then set the nonce", waiting)
		}
		if of.contract != "" && *nonce != 0 {
			return fmt.Errorf("a contract sends no transactions, its nonce is 0")
		}
		a.nonce = *nonce
	}
	if balance != nil {
		if *balance < spends {
			return fmt.Errorf("transactions of the account that wait in the mempool spend %d micro-STX; mine a block first, or set at least that balance", spends)
		}
		a.balance = *balance
	}
	if _, known := l.accounts.Get(of.key()); !known && l.accounts.Len() >= maxAccounts {
		return fmt.Errorf("the mock keeps %d accounts; reset it or revert to a snapshot", l.accounts.Len())
	}
	l.set(of, a)
	return nil
}

// Nonces are those of an account in blocks and mempool.
type Nonces struct {
	Executed *uint64  // the last one in a block, nil for none
	Mempool  *uint64  // the highest one in the mempool, nil for none
	Next     uint64   // one above both
	Missing  []uint64 // below the mempool's highest and in no transaction, highest first
	Pending  []uint64 // in the mempool, below its highest, highest first
}

// Nonces reads the nonces of a principal.
func (l *Ledger) Nonces(p clarity.Principal) Nonces {
	of := partyOf(p)
	n := Nonces{Next: l.at(of).nonce}
	if n.Next > 0 {
		last := n.Next - 1
		n.Executed = &last
	}
	if of.contract != "" {
		return n
	}
	expected := n.Next
	l.eachWaiting(of, func(nonce uint64, _ *Tx) {
		if n.Mempool != nil {
			n.Pending = append(n.Pending, *n.Mempool)
		}
		for ; expected < nonce; expected++ {
			n.Missing = append(n.Missing, expected)
		}
		expected = nonce + 1
		n.Mempool, n.Next = &nonce, nonce+1
	})
	slices.Reverse(n.Missing)
	slices.Reverse(n.Pending)
	return n
}

// Lookup finds a transaction by its id, in the mempool, in a block or among
// those that were dropped. It is pending while its Height is 0 or above the
// newest block and it was not dropped.
func (l *Ledger) Lookup(txid [32]byte) (*Tx, bool) {
	if t, ok := l.pool.Get(txid[:]); ok {
		return t, true
	}
	if t, ok := l.mined.Get(txid[:]); ok {
		return t, true
	}
	return l.dropped.Get(txid[:])
}

// Contract finds the transaction that deployed a contract or is about to: it is
// in a block if its Result is set.
func (l *Ledger) Contract(p clarity.Principal) (*Tx, bool) {
	if t, ok := l.contracts.Get(partyOf(p).key()); ok {
		return t, true
	}
	return l.deployed(p)
}

// Mined lists the transactions in blocks that are still known, the newest first.
func (l *Ledger) Mined() iter.Seq[*Tx] {
	return func(yield func(*Tx) bool) {
		all := l.order.Root().ReverseIterator()
		for _, t, ok := all.Previous(); ok && yield(t); _, t, ok = all.Previous() {
		}
	}
}

// Mempool lists the transactions that no block holds, in no order.
func (l *Ledger) Mempool() iter.Seq[*Tx] {
	return func(yield func(*Tx) bool) {
		all := l.pool.Root().Iterator()
		for _, t, ok := all.Next(); ok && yield(t); _, t, ok = all.Next() {
		}
	}
}

// Begin gives an account a nonce and what it has sent and paid in fees before the
// ledger began, in micro-STX; its balance stays.
func (l *Ledger) Begin(p clarity.Principal, nonce, sent, fees uint64) {
	a := l.at(partyOf(p))
	a.nonce, a.sent, a.fees = nonce, sent, fees
	l.set(partyOf(p), a)
}
