package staking

import (
	"math"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// Now holds the stakes at a height of the chain.
type Now struct {
	*Staking
	*period
	Height, Burn, Cycle int64
	ledgers             []*ledger.Ledger // what calls left in them
}

// At returns what is staked at a height, what calls left in ledgers included.
func (s *Staking) At(height int64, ledgers ...*ledger.Ledger) Now {
	if s == nil {
		return Now{period: &period{}}
	}
	burn := s.burnOf(height)
	now := Now{s, &period{}, height, burn, s.cycleAt(burn), ledgers}
	for _, p := range s.all().periods {
		if burn >= p.tips[0] && burn < p.tips[1] {
			now.period = p
		}
	}
	return now
}

// there reports whether a block has a transaction already.
func (n Now) there(tx *ledger.Tx) bool { return tx != nil && tx.Height <= n.Height }

// those leaves out what did not happen yet.
func those[T any](all []T, there func(T) bool) (out []T) {
	for _, one := range all {
		if there(one) {
			out = append(out, one)
		}
	}
	return out
}

// Signers lists those that have registered a key.
func (n Now) Signers() []*Signer {
	return those(append(n.running(), n.signers...), func(s *Signer) bool { return len(s.Keys) > 0 && n.there(s.Keys[0].Tx) })
}

// Signer finds a signer that has registered a key, whatever network its address is of.
func (n Now) Signer(id clarity.Principal) (*Signer, bool) {
	for _, s := range n.Signers() {
		if s.ID.Address.Hash160 == id.Address.Hash160 && s.ID.Contract == id.Contract {
			return s, true
		}
	}
	return nil, false
}

// Newest returns the key that a signer registered last.
func (n Now) Newest(s *Signer) Key {
	known := those(s.Keys, func(k Key) bool { return n.there(k.Tx) })
	return known[len(known)-1]
}

// Signing returns the key with which a signer signs in the reward cycle, and the one that takes its
// place with the next, nil for none. Those of a cycle are known with the prepare phase before it.
func (n Now) Signing(s *Signer) (key Key, pending *Key) {
	key = s.Keys[0]
	for _, k := range s.Keys[1:] {
		switch {
		case !n.there(k.Tx):
		case k.Burn < n.beginOf(n.Cycle)-n.prepare:
			key = k
		default:
			pending = &k
		}
	}
	return key, pending
}

// Granted returns the keys that a signer was granted.
func (n Now) Granted(s *Signer) []Key {
	return those(s.Granted, func(k Key) bool { return n.there(k.Tx) })
}

// Bonds lists the bonds that are set up, by their numbers.
func (n Now) Bonds() []*Bond { return those(n.bonds, func(b *Bond) bool { return n.there(b.Tx) }) }

// Bond finds one that is set up.
func (n Now) Bond(index float64) (*Bond, bool) {
	for _, b := range n.Bonds() {
		if float64(b.Index) == index {
			return b, true
		}
	}
	return nil, false
}

// Schedule returns where a bond begins, and the cycle and the burn block with which it ends.
func (n Now) Schedule(b *Bond) (activation, unlock, cycle int64) {
	return n.beginOf(b.Start), n.unlockOf(b.Start + facts.BondLength), b.Start + facts.BondLength
}

// Status returns where a bond is in its schedule.
func (n Now) Status(b *Bond) string {
	switch activation, unlock, _ := n.Schedule(b); {
	case n.Burn < activation:
		return "upcoming"
	case n.Burn < unlock:
		return "active"
	}
	return "unlocked"
}

// Registered lists the registrations for a bond.
func (n Now) Registered(b *Bond) []*Registration {
	return append(those(b.Registered, func(r *Registration) bool { return n.there(r.Tx) }), n.ownRegistrations(b)...)
}

// RegistrationsOf lists those of an account, by their bonds.
func (n Now) RegistrationsOf(p clarity.Principal) (all []*Registration) {
	for _, b := range n.Bonds() {
		all = append(all, those(n.Registered(b), func(r *Registration) bool { return r.Staker == p })...)
	}
	return all
}

// OwnLock returns the registration through the mock by which STX of an account are locked, nil for none.
func (n Now) OwnLock(p clarity.Principal) *Registration {
	for _, r := range n.RegistrationsOf(p) {
		if _, unlock, _ := n.Schedule(r.Bond); r.own && n.Burn < unlock {
			return r
		}
	}
	return nil
}

// Left reports whether an early exit was announced.
func (n Now) Left(r *Registration) bool { return n.there(r.Exit) }

// rate returns what a registration earns in a cycle, in satoshi; there are 26 cycles in a year.
func (r *Registration) rate() uint64 { return r.Sats * uint64(r.Bond.Rate) / 10_000 / 26 }

// Earned returns what a registration has earned and claimed, in satoshi.
func (n Now) Earned(r *Registration) (accrued, claimed uint64) {
	last := n.Cycle
	if n.Left(r) {
		last = min(last, n.cycleAt(r.exit))
	}
	return n.earned(r.rate(), r.Bond.Start, facts.BondLength, last, r.claims)
}

// earned returns the rewards of a rate for the cycles that are over: the last of them is not claimed yet.
func (n Now) earned(rate uint64, first, cycles, now int64, claims bool) (accrued, claimed uint64) {
	over := uint64(max(0, min(now-first, cycles)))
	if accrued = rate * over; claims && over > 1 {
		claimed = rate * (over - 1)
	}
	return accrued, claimed
}

// Stakes lists what accounts stake by themselves, what has run out included.
func (n Now) Stakes() []*Stake {
	var all []*Stake
	own := map[clarity.Principal]bool{}
	for _, l := range n.ledgers {
		l.EachHeld(Contract(false), stakerInfo, func(key, value clarity.Value) { // on both networks at the same hash
			if k, ok := ownStake(l, key, value); ok {
				all, own[k.Staker] = append(all, k), true
			}
		})
	}
	for _, k := range n.stakes {
		if n.there(k.Tx) && !own[k.Staker] {
			all = append(all, k)
		}
	}
	return all
}

// StakeOf finds what an account stakes or staked by itself.
func (n Now) StakeOf(p clarity.Principal) (*Stake, bool) {
	for _, l := range n.ledgers {
		if info, ok := l.Held(Contract(p.Address.Testnet()), stakerInfo, p); ok {
			return ownStake(l, p, info)
		}
	}
	for _, k := range n.stakes {
		if k.Staker == p && n.there(k.Tx) {
			return k, true
		}
	}
	return nil, false
}

// Locked reports whether a stake has not run out. The service counts the burn block with which it
// does, where the virtual machine unlocks.
func (n Now) Locked(k *Stake) bool { return n.Unlock(k) > n.Burn || n.Unlock(k) == n.Burn && !n.runs }

// Unlock returns the burn block with which a stake runs out.
func (n Now) Unlock(k *Stake) int64 { return n.unlockOf(k.First + k.Cycles) }

// Since returns the burn block of a transaction.
func (n Now) Since(tx *ledger.Tx) int64 { return n.burnOf(tx.Height) }

// Yield returns what a stake has earned and claimed, in satoshi: about three for each STX and cycle, and
// nothing where contracts run, as nobody pays rewards there.
func (n Now) Yield(k *Stake) (accrued, claimed uint64) {
	if n.runs {
		return 0, 0
	}
	return n.earned(k.Amount/1_000_000*3, k.First, k.Cycles, n.Cycle, k.claims)
}

// StakedIn sums up what signers have of stakers in a reward cycle, in micro-STX.
func (n Now) StakedIn(cycle int64) map[clarity.Principal]uint64 {
	all := map[clarity.Principal]uint64{}
	add := func(signer clarity.Principal, amount uint64, first, cycles int64) {
		if s, ok := n.Signer(signer); ok && cycle >= first && cycle < first+cycles {
			all[s.ID] += amount
		}
	}
	for _, k := range n.Stakes() {
		add(k.Signer, k.Amount, k.First, k.Cycles)
	}
	for _, b := range n.Bonds() {
		for _, r := range n.Registered(b) {
			add(r.Signer, r.STX, b.Start, facts.BondLength)
		}
	}
	return all
}

// ownStake reads what a call left, and finds the call that locked it last.
func ownStake(l *ledger.Ledger, staker, info clarity.Value) (*Stake, bool) {
	p, ok := staker.(clarity.Principal)
	k := &Stake{Staker: p, Signer: principal(info, "signer"), Amount: uint64(number(info, "amount-ustx")), First: number(info, "first-reward-cycle"), Cycles: number(info, "num-cycles")}
	_, k.Tx, _ = l.LockOf(p, math.MaxInt64)
	return k, ok
}

// Of the accounts of one network, for the ledger of it.
type network struct {
	*Staking
	testnet bool
}

// ForLedger returns what the ledger of a network has to know.
func (s *Staking) ForLedger(testnet bool) ledger.Stakes {
	if s == nil {
		return nil
	}
	return network{s, testnet}
}

// Of returns what an account sent, as Staking.Of does; all that is invented is on mainnet.
func (s network) Of(hash160 [20]byte, height int64) ([]*ledger.Tx, uint64, bool) {
	if s.testnet {
		return nil, 0, false
	}
	return s.Staking.Of(hash160, height)
}

// Locked returns how much of an account is locked at a height, in micro-STX.
func (s network) Locked(l *ledger.Ledger, hash160 [20]byte, contract string, height int64) uint64 {
	if contract != "" {
		return 0
	}
	now := s.At(height, l)
	p := Contract(s.testnet)
	p.Address.Hash160, p.Contract = hash160, ""
	if k, ok := now.StakeOf(p); ok && now.Locked(k) {
		return k.Amount
	}
	registered := false // nearly nobody did, and reading all bonds takes long
	l.EachHeld(Contract(false), memberships, func(_, _ clarity.Value) { registered = true })
	if !registered {
		return 0
	}
	if r := now.OwnLock(p); r != nil {
		return r.STX
	}
	return 0
}
