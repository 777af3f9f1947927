// Package ledger is what a Stacks node keeps between the transactions that it
// is sent and the blocks that carry them: accounts with nonce and balance, the
// mempool with its checks and rejections, and the transactions that were mined.
//
// It runs no contracts: a transaction in a block has paid its fee, moved its
// STX if it is a transfer, and succeeded. Amounts are micro-STX (1 STX is
// 1,000,000). An account is the hash160 of an address, so that the addresses of
// one key on the main and the test network share nonce and balance.
//
// The package imports the pure encodings of the wallet. It must not import
// anything of HTTP, nor the chain: a Chain is handed to it.
package ledger

import (
	"sync"

	"chainscope/wallet/clarity"
)

// startBalance is what every account that can sign begins with, in micro-STX.
// Contracts begin with nothing.
const startBalance uint64 = 1_000_000_000_000

// Limits of what one process keeps.
const (
	maxPending      = 10_000   // transactions in the mempool
	maxPendingBytes = 64 << 20 // their length
	maxMined        = 10_000   // mined transactions that can be looked up
	maxMinedBytes   = 64 << 20 // their length
	maxReplaced     = 1_000    // replaced transactions that can be looked up
	maxChaining     = 25       // nonces that may be ahead of an account's, as in the real node
)

// Chain carries what the ledger accepted. The ledger calls it under its lock.
type Chain interface {
	// Tip is the newest height and the instant of the chain's clock in Unix
	// milliseconds.
	Tip() (height, nowMS int64)
	// AddTx puts a transaction into the next block and gives its height.
	AddTx(txid [32]byte) int64
	// ReplaceTx puts one in the place of another that no block holds yet.
	ReplaceTx(old, txid [32]byte) (height int64, replaced bool)
}

// party is a key of accounts: the hash160, and the name where it is a contract.
type party struct {
	hash160  [20]byte
	contract string
}

func partyOf(p clarity.Principal) party { return party{p.Address.Hash160, p.Contract} }

// account is one that a block or the mempool knows.
type account struct {
	nonce   uint64
	balance uint64 // the sum of all is below 2^64 for 18 million accounts
	// pending holds what the account pays for or counts a nonce of, by nonce.
	pending map[uint64]*Tx
}

// Ledger is safe for concurrent use.
type Ledger struct {
	chain Chain

	mu            sync.Mutex
	accounts      map[party]*account
	contracts     map[party]bool // deployed or about to be
	pool          map[[32]byte]*Tx
	poolBytes     int
	scheduled     []*Tx // of the pool, those that a coming block carries, in order
	mined         map[[32]byte]*Tx
	minedOrder    []*Tx // oldest first
	minedBytes    int
	replaced      map[[32]byte]*Tx
	replacedOrder [][32]byte // oldest first
}

// New makes an empty ledger.
func New(chain Chain) *Ledger {
	l := &Ledger{chain: chain}
	l.forget()
	return l
}

func (l *Ledger) forget() {
	l.accounts, l.contracts = map[party]*account{}, map[party]bool{}
	l.pool, l.mined = map[[32]byte]*Tx{}, map[[32]byte]*Tx{}
	l.replaced = map[[32]byte]*Tx{}
	l.scheduled, l.minedOrder, l.replacedOrder, l.poolBytes, l.minedBytes = nil, nil, nil, 0, 0
}

// Reset forgets everything, together with what chain does: nobody sees one
// without the other.
func (l *Ledger) Reset(chain func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	chain()
	l.forget()
}

// at returns the account to read; one that nobody used is not kept.
func (l *Ledger) at(p party) account {
	if a := l.accounts[p]; a != nil {
		return *a
	}
	if p.contract != "" {
		return account{}
	}
	return account{balance: startBalance}
}

// open returns the account to change.
func (l *Ledger) open(p party) *account {
	a := l.accounts[p]
	if a == nil {
		fresh := l.at(p)
		a = &fresh
		l.accounts[p] = a
	}
	return a
}

// settle applies what the blocks up to now hold, and gives the tip.
func (l *Ledger) settle() (tip, nowMS int64) {
	tip, nowMS = l.chain.Tip()
	n := 0
	for ; n < len(l.scheduled) && l.scheduled[n].Height <= tip; n++ {
		l.apply(l.scheduled[n])
	}
	l.scheduled = l.scheduled[n:]
	for len(l.minedOrder) > maxMined || l.minedBytes > maxMinedBytes {
		old := l.minedOrder[0]
		l.minedOrder = l.minedOrder[1:]
		l.minedBytes -= old.Size
		delete(l.mined, old.ID)
	}
	return tip, nowMS
}

// apply moves a transaction from the mempool into the accounts.
func (l *Ledger) apply(t *Tx) {
	l.drop(t)
	origin, payer := l.open(t.origin), l.open(t.payer)
	origin.nonce++
	if t.payer != t.origin {
		payer.nonce++
	}
	payer.balance -= t.Fee()
	if recipient, amount, ok := t.transfer(); ok {
		origin.balance -= amount
		l.open(recipient).balance += amount
	}
	l.mined[t.ID] = t
	l.minedOrder = append(l.minedOrder, t)
	l.minedBytes += t.Size
}

// drop takes a transaction out of the mempool.
func (l *Ledger) drop(t *Tx) {
	delete(l.pool, t.ID)
	l.poolBytes -= t.Size
	delete(l.accounts[t.origin].pending, t.originNonce())
	delete(l.accounts[t.payer].pending, t.payerNonce())
}

// keep puts a transaction into the mempool.
func (l *Ledger) keep(t *Tx) {
	l.pool[t.ID] = t
	l.poolBytes += t.Size
	for _, one := range []struct {
		party party
		nonce uint64
	}{{t.origin, t.originNonce()}, {t.payer, t.payerNonce()}} {
		a := l.open(one.party)
		if a.pending == nil {
			a.pending = map[uint64]*Tx{}
		}
		a.pending[one.nonce] = t
	}
	if name, ok := t.deploys(); ok {
		l.contracts[name] = true
	}
}
