package mockserver

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

const (
	poolCount   = 24
	poolMembers = 230 // of the largest pool
	// delegated is the amount that a member lets a pool lock, in micro-STX.
	delegated int64 = 1_000_000_000_000
	// firstDelegation is the block in which the first member of a pool joins, and joinSpan how
	// far apart those of two pools are.
	firstDelegation, joinSpan = 500_000, 1_000
	stackingPurpose           = 3_000 // of the keys that draw
	slotStep                  = 7_919 // walks all reward slots: a prime that divides no number of them
)

// stacking invents who stacks: pools, each of which signs by itself and has one
// Bitcoin address. Who they are follows from the seed; how much each has, from the cycle too.
type stacking struct {
	era     era
	txs     *transactions
	key     splitmix.Key
	testnet bool
	first   int64 // burn block at which cycle 0 begins
	length  int64 // of a cycle, in burn blocks
	slots   int64 // two in each block that pays
	unit    int64 // what has one slot, in micro-STX
	pools   []pool
}

// pool is a signer and those who let it lock.
type pool struct {
	number  int64
	key     string // for signing
	account [20]byte
	members int64
}

// share is the part of a pool in a cycle. The slots of its payments follow those of the ones before.
type share struct {
	*pool
	weight, before int64
}

func (x *exchange) stacking() *stacking {
	s := &stacking{era: x.era(), txs: x.transactions(), key: splitmix.NewKey(x.s.cfg.Seed, stackingPurpose), testnet: x.onTestnet()}
	length, prepare := facts.Cycle(s.testnet)
	s.first, s.length, s.slots = s.era.first(), length, 2*(length-prepare)
	now, _ := s.txs.stacked()
	s.unit = now / s.slots
	for i := range int64(poolCount) {
		secret := sha256.Sum256(fmt.Appendf(nil, "chainscope pool %d of seed %d", i, x.s.cfg.Seed))
		public := secp256k1.PrivKeyFromBytes(secret[:]).PubKey().SerializeCompressed()
		s.pools = append(s.pools, pool{i, with0x(public), stxtx.Hash160(public), 4 + poolMembers/(i+1)})
	}
	return s
}

// now is the cycle of the newest burn block.
func (s *stacking) now() int64 { return s.cycleOf(s.era.height) }

func (s *stacking) cycleOf(burn int64) int64 { return max(0, burn-s.first) / s.length }

// oldest is the first cycle whose signers are known: those of pox-4.
func (s *stacking) oldest() int64 {
	return (max(s.first, s.era.since("2.5")) - s.first + s.length - 1) / s.length
}

// listed reports whether the signers of a cycle are known.
func (s *stacking) listed(cycle float64) bool {
	return cycle >= float64(s.oldest()) && cycle <= float64(s.now())
}

// shares divides the slots of a cycle, the largest part first.
func (s *stacking) shares(cycle int64) []share {
	all, sum := make([]share, poolCount), int64(0)
	for i := range all {
		all[i] = share{pool: &s.pools[i], weight: int64(90+splitmix.Below(s.key.At(uint64(cycle*poolCount+int64(i))), 21)) * 1_000 / int64(i+2)}
		sum += all[i].weight
	}
	left := s.slots
	for i := range all {
		all[i].weight = all[i].weight * s.slots / sum
		left -= all[i].weight
	}
	all[0].weight += left
	slices.SortFunc(all, func(a, b share) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key)) })
	for i := 1; i < len(all); i++ {
		all[i].before = all[i-1].before + all[i-1].weight
	}
	return all
}

// payee is the pool whose slot is the nth that is paid in a cycle.
func (s *stacking) payee(shares []share, nth int64) *pool {
	at := (nth*slotStep + 1) % s.slots
	i, _ := slices.BinarySearchFunc(shares, at, func(one share, at int64) int {
		return cmp.Compare(one.before+one.weight, at+1)
	})
	return shares[i].pool
}

func (s *stacking) address(account [20]byte) c32.Address {
	c := stxtx.SpendingCondition{Signer: account}
	return c.Address(!s.testnet)
}

// bitcoinAddress is where an account is paid.
func (s *stacking) bitcoinAddress(account [20]byte) string {
	network := bitcoin.Mainnet
	if s.testnet {
		network = bitcoin.Testnet
	}
	return network.AddressOf(payToHash(account))
}

// member is an account that lets a pool lock, with the transaction in which it joined.
type member struct {
	account [20]byte
	height  int64
	id      chain.Hash
}

// members lists those of a pool, the last who joined first. A chain that is too young has none.
func (s *stacking) members(p *pool) (all []member) {
	for n := p.members - 1; n >= 0; n-- {
		b, ok := s.txs.View.Block(firstDelegation + p.number*joinSpan + n)
		if !ok || b.TxCount == 0 {
			continue
		}
		id := s.txs.View.TxID(&b, 0)
		if tx, known := s.txs.find(id); known {
			all = append(all, member{tx.Principal().Address.Hash160, b.Height, id})
		}
	}
	return all
}

// stacked reports whether the members of pools stacked in a cycle by the contract that the lists
// of stackers know, pox-4.
func (s *stacking) stacked(cycle int64) bool {
	return s.first+cycle*s.length < s.era.since("4.0")
}
