package api

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
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

// stacking invents who stacks: until pox-5, pools, each of which signs by itself and has one
// Bitcoin address. Who they are follows from the seed; how much each has, from the cycle too. Since
// pox-5 they are the keys of the signers with whom accounts stake.
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
	signers map[string]*pool // since pox-5, by their keys, as far as they were needed
}

// pool is a signer and those who let it lock.
type pool struct {
	number  int64
	key     string // for signing
	account [20]byte
	members int64
}

// share is the part of a pool in a cycle, in micro-STX and in slots. Those follow the ones before.
type share struct {
	*pool
	staked, weight, before int64
}

func (x *Exchange) stacking() *stacking { return x.Service.stacking(x.transactions(), x.onTestnet()) }

func (srv *Service) stacking(t *transactions, testnet bool) *stacking {
	s := &stacking{era: srv.eraOf(&t.View), txs: t, key: splitmix.NewKey(srv.Seed, stackingPurpose), testnet: testnet, signers: map[string]*pool{}}
	length, prepare := facts.Cycle(testnet)
	s.first, s.length, s.slots = s.era.first(), length, 2*(length-prepare)
	now := stackedNow
	if testnet { // where no signers are invented
		now, _ = t.stacked(testnet)
	}
	s.unit = cmp.Or(now, stackedNow) / s.slots
	for i := range int64(poolCount) {
		secret := sha256.Sum256(fmt.Appendf(nil, "chainscope pool %d of seed %d", i, srv.Seed))
		public := secp256k1.PrivKeyFromBytes(secret[:]).PubKey().SerializeCompressed()
		s.pools = append(s.pools, pool{i, with0x(public), stxtx.Hash160(public), 4 + poolMembers/(i+1)})
	}
	return s
}

// now returns the cycle of the newest burn block.
func (s *stacking) now() int64 { return s.cycleOf(s.era.height) }

func (s *stacking) cycleOf(burn int64) int64 { return max(0, burn-s.first) / s.length }

// oldest returns the first cycle whose signers are known: those of pox-4.
func (s *stacking) oldest() int64 {
	return (max(s.first, s.era.since("2.5")) - s.first + s.length - 1) / s.length
}

// listed reports whether the signers of a cycle are known.
func (s *stacking) listed(cycle float64) bool {
	return cycle >= float64(s.oldest()) && cycle <= float64(s.now())
}

// signer returns the signer of a key since pox-5.
func (s *stacking) signer(key string) *pool {
	if s.signers[key] == nil {
		public, _ := hex.DecodeString(key[2:]) // it was encoded here
		s.signers[key] = &pool{key: key, account: stxtx.Hash160(public)}
	}
	return s.signers[key]
}

// shares divides the slots of a cycle, the largest part first. Among those of one weight, who has more
// is before.
func (s *stacking) shares(cycle int64) (all []share) {
	if now := s.txs.Staked(); !s.pooled(cycle) {
		now.Cycle = cycle
		for _, one := range signingNow(now) {
			all = append(all, share{pool: s.signer(one.key), staked: int64(one.staked), weight: int64(one.weight)})
		}
	}
	if len(all) == 0 { // or nobody stakes any more
		all = s.poolShares(cycle)
	}
	slices.SortFunc(all, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.staked, a.staked), cmp.Compare(a.key, b.key))
	})
	for i := 1; i < len(all); i++ {
		all[i].before = all[i-1].before + all[i-1].weight
	}
	return all
}

func (s *stacking) poolShares(cycle int64) []share {
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
	for i := range all {
		all[i].staked = all[i].weight * s.unit
	}
	return all
}

// payee returns the pool whose slot is the nth that is paid in a cycle. Where the weights are fewer than the
// slots, each has its part of the slots.
func (s *stacking) payee(shares []share, nth int64) *pool {
	at := (nth*slotStep + 1) % s.slots * totalWeight(shares) / s.slots
	i, _ := slices.BinarySearchFunc(shares, at, func(one share, at int64) int {
		return cmp.Compare(one.before+one.weight, at+1)
	})
	return shares[i].pool
}

func totalStaked(shares []share) (sum int64) {
	for _, one := range shares {
		sum += one.staked
	}
	return sum
}

func totalWeight(shares []share) int64 {
	last := shares[len(shares)-1]
	return last.before + last.weight
}

func (s *stacking) address(account [20]byte) c32.Address {
	c := stxtx.SpendingCondition{Signer: account}
	return c.Address(!s.testnet)
}

// bitcoinAddress returns where an account is paid.
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

// pooled reports whether pools have the slots of a cycle: all of the network for which nobody stakes.
func (s *stacking) pooled(cycle int64) bool {
	return s.testnet != s.txs.Staked().Runs() || s.stacked(cycle)
}

// poolLock returns the lock of an account whose STX a pool stacks, by the contract before pox-5. It
// ends with the cycle.
func (t *transactions) poolLock(p clarity.Principal) (lock, bool) {
	height, ok := t.Joined(p.Address.Hash160)
	n := height - firstDelegation
	if !ok || p.Contract != "" || n < 0 || n/joinSpan >= poolCount || n%joinSpan >= poolMembers+4 || t.most > 0 && height > t.most {
		return lock{}, false
	}
	s := t.service.stacking(t, p.Address.Testnet())
	burn := s.era.height
	if b, before := t.View.Block(t.most); before {
		burn = b.BurnHeight
	}
	cycle := s.cycleOf(burn)
	for _, one := range s.shares(cycle) {
		if one.members == 0 || one.number != n/joinSpan {
			continue
		}
		for _, m := range s.stackers(cycle, one) {
			if m.account == p.Address.Hash160 {
				b, _ := t.View.Block(m.height)
				return lock{uint64(m.locked), 4, m.id.String(), m.height, b.BurnHeight, s.first + (cycle+1)*s.length}, true
			}
		}
	}
	return lock{}, false
}
