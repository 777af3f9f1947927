package staking

import (
	"math/big"
	"slices"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// stakerInfo is the map of what accounts stake by themselves.
const stakerInfo = "staker-info"

// The errors of the contract (pox-5 of stacks-core 4.0.2).
const (
	errUnauthorized      = 1
	errNoBond            = 7
	errTooLittleSTX      = 8
	errRegisteredAlready = 9
	errTooMuchSats       = 10
	errNotAllowed        = 11
	errStakedAlready     = 19
	errCycles            = 20
	errNoSigner          = 23
	errStartBurnHeight   = 24
	errNotStaking        = 27
	errInPreparePhase    = 28
	errNothingToClaim    = 32
	errNotInBond         = 34
	errOtherSigner       = 36
	errSBTCAmount        = 37
	errNoSuchHeader      = 40
	errBondStarted       = 43
	errSameSigner        = 44
)

// Played is pox-5, or the contract of a signer, as the mock plays it.
type Played struct {
	*Staking
	id clarity.Principal
}

// Played returns a contract that is played here.
func (s *Staking) Played(id clarity.Principal) (Played, bool) {
	if s == nil || s.runs {
		return Played{}, false
	}
	if id == Contract(id.Address.Testnet()) {
		return Played{s, id}, true
	}
	if !slices.Contains(names, id.Contract) {
		return Played{}, false
	}
	for _, p := range s.all().periods {
		for _, signer := range p.signers {
			if signer.ID == id {
				return Played{s, id}, true
			}
		}
	}
	return Played{}, false
}

// Source returns the text of the contract.
func (p Played) Source() string {
	if p.id.Contract != facts.PoX5 {
		return signerSource
	}
	return source
}

// Read answers who stakes, and who has or may have a part in a bond.
func (p Played) Read(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool) {
	reads := map[string]int{"get-staker-info": 1, "get-bond-membership": 1, "get-bond-allowance": 2}
	if p.id.Contract != facts.PoX5 || len(args) == 0 || reads[function] != len(args) {
		return nil, false
	}
	who, isPrincipal := args[len(args)-1].(clarity.Principal)
	if !isPrincipal {
		return nil, false
	}
	c := call{Now: p.At(l.Height(), l), caller: who, args: args}
	switch function {
	case "get-staker-info":
		if k, ok := c.StakeOf(who); ok && k.First+k.Cycles > c.Cycle {
			return clarity.Some{Value: info(k)}, true
		}
	case "get-bond-membership":
		if r := c.member(); r != nil {
			return clarity.Some{Value: tuple("amount-ustx", r.STX, "bond-index", r.Bond.Index, "is-l1-lock", clarity.Bool(r.Lockups != nil), "signer", r.Signer)}, true
		}
	default:
		b, _ := c.Bond(float64(c.number(0)))
		if sats, listed := c.allowance(b); listed {
			return clarity.Some{Value: clarity.NewUInt(sats)}, true
		}
	}
	return clarity.None{}, true
}

// Call returns the effect of a call. It reports false for what is not played.
func (p Played) Call(l *ledger.Ledger, caller clarity.Principal, function string, args []clarity.Value) (ledger.Effect, bool) {
	if p.id.Contract != facts.PoX5 {
		if function == "register-self" {
			return fails(errUnauthorized), true
		}
		return ledger.Effect{}, function == "validate-stake!" || function == "checkpoint-staker"
	}
	now := p.At(l.Height(), l)
	c := call{now, l, p.id, caller, args, nil}
	if k, ok := now.StakeOf(caller); ok && k.First+k.Cycles > now.Cycle {
		c.staked = k
	}
	switch function {
	case "stake":
		return c.stake(), true
	case "stake-update":
		return c.update(), true
	case "unstake":
		return c.unstake(), true
	case "announce-l1-early-exit":
		if now.Member(c.principal(0)) == nil {
			return fails(errNotInBond), true
		}
		return fails(errUnauthorized), true
	case "setup-bond", "set-bond-admin", "register-signer":
		return fails(errUnauthorized), true // others may
	case "register-for-bond":
		return c.register(), true
	case "update-bond-registration":
		return c.move(), true
	case "unstake-sbtc":
		return c.withdraw(), true
	case "claim-rewards":
		return fails(errNothingToClaim), true
	}
	return ledger.Effect{}, false
}

func fails(code uint64) ledger.Effect {
	return ledger.Effect{Result: clarity.Err{Value: clarity.NewUInt(code)}}
}

// call is a call of a public function of pox-5, whose arguments have the right types.
type call struct {
	Now
	l        *ledger.Ledger
	contract clarity.Principal
	caller   clarity.Principal
	args     []clarity.Value
	staked   *Stake // what the caller stakes, nil for nothing
}

// number returns an argument, no more than what an amount can be.
func (c *call) number(at int) uint64 {
	n, _ := c.args[at].(clarity.UInt)
	if n.N == nil || !n.N.IsUint64() || n.N.Uint64() > 1<<62 {
		return 1 << 62
	}
	return n.N.Uint64()
}

func (c *call) principal(at int) clarity.Principal {
	p, _ := c.args[at].(clarity.Principal)
	return p
}

// lasts reports whether a stake may last for as many cycles.
func lasts(cycles uint64) bool { return cycles > 0 && cycles <= facts.MostCycles }

// spendable returns the balance of the caller that is not locked, in micro-STX.
func (c *call) spendable() uint64 { return c.l.Spendable(c.caller) }

func (c *call) stake() ledger.Effect {
	k := &Stake{Staker: c.caller, Signer: c.principal(0), Amount: c.number(1), First: c.Cycle + 1}
	cycles, start := c.number(2), c.number(3)
	_, registered := c.Signer(k.Signer)
	switch {
	case !registered:
		return fails(errNoSigner)
	case start < uint64(c.first) || c.cycleAt(int64(start)) != c.Cycle:
		return fails(errStartBurnHeight)
	case !lasts(cycles):
		return fails(errCycles)
	case c.staked != nil || c.member() != nil:
		return fails(errStakedAlready)
	case k.Amount > c.spendable():
		return fails(errTooLittleSTX)
	}
	k.Cycles = int64(cycles)
	return c.leaves(k, staked(c.Staking, k))
}

// leaves returns the effect that lets the caller stake something from now on.
func (c *call) leaves(k *Stake, result clarity.Value) ledger.Effect {
	return ledger.Effect{
		Result: clarity.OK{Value: result}, Locks: []ledger.Lock{c.lock(k)},
		Sets: []ledger.Set{{Contract: c.contract, Name: stakerInfo, Key: c.caller, Value: info(k)}},
	}
}

func (c *call) update() ledger.Effect {
	k := c.staked
	if k == nil {
		return fails(errNotStaking)
	}
	more, extend := c.number(3), c.number(2)
	next := &Stake{Staker: c.caller, Signer: c.principal(0), Amount: k.Amount + more, First: k.First}
	left := uint64(k.First+k.Cycles-c.Cycle-1) + extend
	_, registered := c.Signer(next.Signer)
	switch {
	case c.principal(1) != k.Signer:
		return fails(errOtherSigner)
	case !registered:
		return fails(errNoSigner)
	case !lasts(left):
		return fails(errCycles)
	case more > c.spendable():
		return fails(errTooLittleSTX)
	}
	next.Cycles = k.Cycles + int64(extend)
	return c.leaves(next, tuple(
		"amount-ustx", next.Amount, "num-cycles", left, "prev-unlock-height", k.First+k.Cycles, "signer", next.Signer, "staker", c.caller,
		"unlock-burn-height", c.Unlock(next), "unlock-cycle", next.First+next.Cycles,
	))
}

func (c *call) unstake() ledger.Effect {
	k := c.staked
	switch {
	case k == nil:
		return fails(errNotStaking)
	case c.principal(0) != k.Signer:
		return fails(errOtherSigner)
	case c.Burn >= c.beginOf(c.Cycle+1)-c.prepare:
		return fails(errInPreparePhase)
	}
	next := *k
	next.Cycles = c.Cycle + 1 - k.First
	return c.leaves(&next, tuple(
		"amount-ustx", k.Amount, "first-reward-cycle", k.First, "staker", c.caller,
		"unlock-burn-height", c.Unlock(&next), "unlock-cycle", c.Cycle+1,
	))
}

// lock returns the lock of a stake.
func (s *Staking) lock(k *Stake) ledger.Lock {
	return ledger.Lock{Amount: k.Amount, Unlock: s.unlockOf(k.First + k.Cycles), Of: k.Staker, Contract: facts.PoX5}
}

// info returns the entry of a stake in the map.
func info(k *Stake) clarity.Value {
	return tuple("amount-ustx", k.Amount, "first-reward-cycle", k.First, "num-cycles", k.Cycles, "signer", k.Signer)
}

// staked returns the result of a call that stakes.
func staked(s *Staking, k *Stake) clarity.Value {
	unlock := k.First + k.Cycles
	return tuple(
		"amount-ustx", k.Amount, "first-reward-cycle", k.First, "num-cycle", k.Cycles, "signer", k.Signer, "staker", k.Staker,
		"unlock-burn-height", s.unlockOf(unlock), "unlock-cycle", unlock,
	)
}

// tuple makes a tuple of names and values, which are numbers or principals.
func tuple(parts ...any) clarity.Tuple {
	var t clarity.Tuple
	for i := 0; i < len(parts); i += 2 {
		f := clarity.Field{Name: parts[i].(string)}
		switch v := parts[i+1].(type) {
		case uint64:
			f.Value = clarity.NewUInt(v)
		case int64:
			f.Value = clarity.UInt{N: big.NewInt(v)}
		case clarity.Value:
			f.Value = v
		}
		t.Fields = append(t.Fields, f)
	}
	return t
}
