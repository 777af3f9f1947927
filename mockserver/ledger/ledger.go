// Package ledger is what a Stacks node keeps between the transactions that it
// is sent and the blocks that carry them: accounts with nonce and balance, the
// mempool with its checks and rejections, and the transactions that were mined.
//
// It runs no contracts: its caller says what a call answers and what it moves. What is
// not there to be moved, and what post-conditions refuse, aborts the transaction: its fee
// is paid and its nonce used, and nothing else has happened. Amounts are micro-STX (1 STX
// is 1,000,000). An account is the hash160 of an address; the main and the test network
// have a Ledger each.
//
// The package imports the pure encodings of the wallet. It must not import
// anything of HTTP, nor the chain.
package ledger

import (
	"math/big"

	iradix "github.com/hashicorp/go-immutable-radix/v2"

	"chainscope/wallet/clarity"
)

// startBalance holds what every account that can sign begins with, in micro-STX.
// Contracts begin with nothing.
const startBalance uint64 = 1_000_000_000_000

// Limits of what one ledger keeps.
const (
	maxPending       = 10_000   // transactions in the mempool
	maxPendingBytes  = 64 << 20 // their length
	maxMined         = 10_000   // mined transactions that can be looked up
	maxMinedBytes    = 64 << 20 // their length
	maxDropped       = 1_000    // dropped transactions that can be looked up
	maxAccounts      = 200_000  // accounts that a transaction used
	maxContractBytes = 96 << 20 // sources of deployed contracts
	maxChaining      = 25       // nonces that may be ahead of the next one, as in the real node
)

// party is a key of accounts: the hash160, and the name where it is a contract.
type party struct {
	hash160  [20]byte
	contract string
}

func partyOf(p clarity.Principal) party { return party{p.Address.Hash160, p.Contract} }

func (p party) key() []byte { return append(p.hash160[:], p.contract...) }

// account is one that a block or a user of the ledger changed.
type account struct {
	nonce, balance uint64 // the sum of all balances is below 2^64 for 18 million accounts
	sent, fees     uint64 // since the beginning
}

// Ledger is a value: a copy of it is what the ledger was when it was copied,
// and shares with it what did not change since. Changes need exclusive access.
type Ledger struct {
	accounts  *iradix.Tree[*account] // by party; none is ever changed
	contracts *iradix.Tree[*Tx]      // deployed or about to be, by party
	pool      *iradix.Tree[*Tx]      // by id
	pending   *iradix.Tree[*Tx]      // of the pool, by hash160 and nonce
	scheduled *iradix.Tree[*Tx]      // of the pool, those that a coming block carries, by height and place
	received  *iradix.Tree[*Tx]      // of the pool, by the block after which they came, and place
	mined     *iradix.Tree[*Tx]      // by id
	order     *iradix.Tree[*Tx]      // of mined, by height and place
	dropped   *iradix.Tree[*Tx]      // by id
	forgotten *iradix.Tree[*Tx]      // the same, by place
	holdings  *iradix.Tree[*Holding] // by party and asset; none is ever changed
	tokens    *iradix.Tree[*Owned]   // non-fungible ones, by asset and bytes
	supplies  *iradix.Tree[*big.Int] // of backed assets
	data      *iradix.Tree[Set]      // what calls left, by contract, name and key
	locks     *iradix.Tree[*locked]  // the last of each account, by party
	unmoved   Unmoved                // tokens that the others do not have yet, nil for none
	before    Before                 // what strangers did, nil for nothing
	origin    Origin                 // of accounts on a fork, nil where there is none
	stakes    Stakes                 // what is staked, nil for nothing
	height    int64                  // of the block that is being made, or as of which it is read
	outside   *Outside               // where notes is set
	notes     bool

	held                                 bool   // no block carries anything
	place                                uint64 // counts up with everything that gets a place
	poolBytes, minedBytes, contractBytes int
}

// New returns an empty ledger.
func New() Ledger {
	txs := iradix.New[*Tx]()
	return Ledger{
		accounts: iradix.New[*account](), contracts: txs, pool: txs, pending: txs, scheduled: txs, received: txs,
		mined: txs, order: txs, dropped: txs, forgotten: txs,
		holdings: iradix.New[*Holding](), tokens: iradix.New[*Owned](), supplies: iradix.New[*big.Int](), data: iradix.New[Set](), locks: iradix.New[*locked](),
	}
}

// at returns the account to read.
func (l *Ledger) at(p party) account {
	if a, ok := l.accounts.Get(p.key()); ok {
		return *a
	}
	return l.beginning(p)
}

func (l *Ledger) set(p party, a account) {
	l.accounts, _, _ = l.accounts.Insert(p.key(), &a)
}

// storeContract remembers what a transaction deploys.
func (l *Ledger) storeContract(t *Tx) {
	name, ok := t.deploys()
	if !ok {
		return
	}
	var known bool
	if l.contracts, _, known = l.contracts.Insert(name.key(), t); !known {
		l.contractBytes += t.Size
	}
}

func (l *Ledger) dropContract(t *Tx) {
	name, ok := t.deploys()
	if !ok {
		return
	}
	var known bool
	if l.contracts, _, known = l.contracts.Delete(name.key()); known {
		l.contractBytes -= t.Size
	}
}
