package ledger

import "chainscope/wallet/clarity"

// Account is what the newest block knows of a principal.
type Account struct {
	Nonce   uint64 // of the next transaction, the mempool not counted
	Balance uint64 // micro-STX
}

// Account reads a principal's account.
func (l *Ledger) Account(p clarity.Principal) Account {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle()
	a := l.at(partyOf(p))
	return Account{a.nonce, a.balance}
}

// Nonces is what blocks and mempool know of an account's nonces.
type Nonces struct {
	Executed *uint64  // the last one in a block, nil for none
	Mempool  *uint64  // the highest one in the mempool, nil for none
	Next     uint64   // one above both
	Missing  []uint64 // below the mempool's highest and in no transaction, highest first
	Pending  []uint64 // in the mempool, below its highest, highest first
}

// Nonces reads the nonces of a principal.
func (l *Ledger) Nonces(p clarity.Principal) Nonces {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle()
	a := l.at(partyOf(p))
	n := Nonces{Next: a.nonce}
	if a.nonce > 0 {
		last := a.nonce - 1
		n.Executed = &last
	}
	for nonce := range a.pending {
		if n.Mempool == nil || nonce > *n.Mempool {
			n.Mempool = &nonce
		}
	}
	if n.Mempool == nil {
		return n
	}
	n.Next = *n.Mempool + 1
	for nonce := *n.Mempool; nonce > a.nonce; {
		nonce--
		if a.pending[nonce] == nil {
			n.Missing = append(n.Missing, nonce)
		} else {
			n.Pending = append(n.Pending, nonce)
		}
	}
	return n
}

// Lookup finds a transaction by its id, in the mempool, in a block or among
// those that were replaced. It is pending while its Height is 0 or above the
// newest block and nothing replaced it.
func (l *Ledger) Lookup(txid [32]byte) (Tx, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle()
	for _, from := range []map[[32]byte]*Tx{l.pool, l.mined, l.replaced} {
		if t := from[txid]; t != nil {
			return *t, true
		}
	}
	return Tx{}, false
}
