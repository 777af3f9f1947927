// Package staking invents who stakes on the chain since it has pox-5: signers, bonds with their
// allowlists and registrations, and accounts that stake STX. It is a function of the chain and of
// the epoch that is played, so two servers with the same seed agree. What accounts stake through
// the mock itself is in the ledger; the contract is played here too.
//
// Everything comes from a transaction of the chain's blocks, under an id that the blocks list. The
// package must not import anything of HTTP.
package staking

import (
	"sync"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// Signer is a contract that runs a signer. Keys are those that it registered, the oldest first.
type Signer struct {
	ID   clarity.Principal
	Keys []Key
	// Granted are the keys that it was granted.
	Granted []Key
}

// Key is a key of a signer, and the transaction that it came with.
type Key struct {
	Bytes [33]byte
	Auth  uint64 // of a grant
	Tx    *ledger.Tx
	Burn  int64 // the burn block of the transaction
}

// Bond is a protocol bond. Start is its first reward cycle.
type Bond struct {
	Index, Start                 int64
	Rate, ValueRatio, LeastStake int // basis points, micro-STX for 100 satoshi, basis points
	Allowed                      []Allowance
	Registered                   []*Registration
	Tx                           *ledger.Tx
}

// Allowance lets an account register for a bond.
type Allowance struct {
	Staker  clarity.Principal
	MaxSats uint64
}

// Registration is the part that an account has in a bond.
type Registration struct {
	Bond           *Bond
	Staker, Signer clarity.Principal
	Sats, STX      uint64
	// Lockups are the outputs on Bitcoin, nil where sBTC is locked.
	Lockups []Lockup
	Tx      *ledger.Tx
	Exit    *ledger.Tx // that announced an early exit, nil for none
	exit    int64      // the burn block of it
	claims  bool
	own     bool // sent through the mock
}

// Lockup is an output of a Bitcoin transaction.
type Lockup struct {
	TxID  chain.Hash
	Index int
}

// Stake is STX that an account stakes by itself: for Cycles reward cycles, from First on.
type Stake struct {
	Staker, Signer clarity.Principal
	Amount         uint64
	First, Cycles  int64
	Tx             *ledger.Tx // nil where no block has it any more
	claims         bool
}

// Staking holds the stakes of a chain. A nil one is that of a chain without pox-5.
type Staking struct {
	chain           *chain.Chain
	first           int64 // burn block with which reward cycles begin
	length, prepare int64 // of a cycle and its prepare phase, in burn blocks
	runs            bool  // pox-5, in a virtual machine: nothing is invented
	known           []clarity.Principal
	all             func() *invented
}

// invented is all of it: the periods do not overlap.
type invented struct {
	periods []*period
	txs     []*ledger.Tx // the newest first
	senders map[[20]byte][]*ledger.Tx
	stakes  map[[20]byte]uint64 // what an account needs to have, in micro-STX
}

// period holds the stakes of the time while the network was taken to be in the epoch since one burn block:
// a chain whose clock is before the epoch's real start has begun it earlier.
type period struct {
	tips    [2]int64 // the burn blocks of the tips that show it, the last one excluded
	since   int64
	signers []*Signer
	bonds   []*Bond
	stakes  []*Stake
}

// New returns what is staked on a chain in an epoch, nil where nothing can be. Accounts whose keys are
// known may register for every bond. On a young chain pox-5 runs, with the cycles of testnet.
func New(c *chain.Chain, played facts.Epoch, known []clarity.Principal) *Staking {
	if played.PoX != facts.PoX5 {
		return nil
	}
	s := &Staking{chain: c, known: known, runs: c.Params().Born != 0}
	s.length, s.prepare = facts.Cycle(s.runs)
	if s.runs {
		s.all = func() *invented { return &invented{} }
		return s
	}
	s.first = facts.FirstBurnBlock
	s.all = sync.OnceValue(func() *invented { return s.invent(played) })
	return s
}

// Runs reports whether pox-5 runs in a virtual machine.
func (s *Staking) Runs() bool { return s != nil && s.runs }

// Transactions returns those with which everything came, the newest first.
func (s *Staking) Transactions() []*ledger.Tx {
	if s == nil {
		return nil
	}
	return s.all().txs
}

// Of returns what an account sent up to a height, and what it needs to have at first; nothing for
// one that does not stake.
func (s *Staking) Of(hash160 [20]byte, height int64) (txs []*ledger.Tx, balance uint64, stakes bool) {
	if s == nil {
		return nil, 0, false
	}
	for _, tx := range s.all().senders[hash160] {
		if tx.Height <= height {
			txs = append(txs, tx)
		}
	}
	balance, stakes = s.all().stakes[hash160]
	return txs, balance, stakes || len(txs) > 0
}

// cycleAt returns the reward cycle of a burn block.
func (s *Staking) cycleAt(burn int64) int64 { return (burn - s.first) / s.length }

// beginOf returns the burn block with which a reward cycle begins.
func (s *Staking) beginOf(cycle int64) int64 { return s.first + cycle*s.length }

// unlockOf returns the burn block at which what ends with a cycle is unlocked: half of that
// cycle later.
func (s *Staking) unlockOf(cycle int64) int64 { return s.beginOf(cycle) + s.length/2 }

// burnOf returns the burn block of a height.
func (s *Staking) burnOf(height int64) int64 {
	burn, _ := s.chain.Tenure(height)
	return burn
}

// Contract returns the id of pox-5 on a network.
func Contract(testnet bool) clarity.Principal {
	p, err := clarity.ParseContract(facts.Boot(testnet) + "." + facts.PoX5)
	if err != nil {
		panic("staking: " + err.Error()) // a constant
	}
	return p
}
