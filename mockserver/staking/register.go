package staking

import (
	"math/big"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// memberships is the map of who registered for bonds through the mock, by bond and account. The contract
// keeps the newest alone.
const memberships = "mock-memberships"

// member returns the part of an account in a bond that has not ended, nil for none.
func (c *call) member() *Registration { return c.Member(c.caller) }

// Member returns the part of an account in a bond that has not ended, nil for none.
func (n Now) Member(p clarity.Principal) *Registration {
	for _, r := range n.RegistrationsOf(p) {
		if r.Bond.Start+facts.BondLength > n.Cycle {
			return r
		}
	}
	return nil
}

// register registers for a bond, with sBTC: no transaction of Bitcoin is in a block here.
func (c *call) register() ledger.Effect {
	b, there := c.Bond(float64(c.number(0)))
	sats, onStacks := c.args[3].(clarity.Err)
	if !onStacks {
		if !there {
			return fails(errNoBond)
		}
		return fails(errNoSuchHeader)
	}
	lock, code := c.sendsSBTC(sats.Value)
	if code != 0 {
		return fails(code)
	}
	r := &Registration{Bond: b, Staker: c.caller, Signer: c.principal(1), STX: c.number(2), Sats: lock.Amount.Uint64()}
	allowed, listed := c.allowance(b)
	_, registered := c.Signer(r.Signer)
	switch {
	case !there:
		return fails(errNoBond)
	case !listed:
		return fails(errNotAllowed)
	case r.STX < b.least(r.Sats):
		return fails(errTooLittleSTX)
	case c.Burn >= c.beginOf(b.Start):
		return fails(errBondStarted)
	case c.staked != nil:
		return fails(errStakedAlready)
	case r.Sats > allowed:
		return fails(errTooMuchSats)
	case !registered:
		return fails(errNoSigner)
	case c.member() != nil:
		return fails(errRegisteredAlready)
	case r.STX > c.spendable():
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: "PoxInsufficientBalance"}
	}
	_, unlock, cycle := c.Schedule(b)
	does := c.keeps(r, tuple(
		"amount-ustx", r.STX, "bond-index", b.Index, "first-reward-cycle", b.Start, "signer", r.Signer, "staker", c.caller,
		"unlock-burn-height", unlock, "unlock-cycle", cycle,
	))
	does.Moves = []outcome.Move{lock}
	does.Locks = []ledger.Lock{{Amount: r.STX, Unlock: unlock, Of: c.caller, Contract: facts.PoX5}}
	return does
}

// sendsSBTC returns the transfer of sBTC to the contract, or the code with which the token refuses it.
func (c *call) sendsSBTC(amount clarity.Value) (outcome.Move, uint64) {
	n, _ := amount.(clarity.UInt)
	asset := sbtc(c.contract)
	switch {
	case n.N == nil || n.N.Sign() == 0:
		return outcome.Move{}, 3
	case n.N.Cmp(c.l.Balance(c.caller, asset)) > 0:
		return outcome.Move{}, 1
	}
	return outcome.Move{Asset: asset, Amount: n.N, From: &c.caller, To: &c.contract}, 0
}

// sbtc returns the asset that the contract of a network locks.
func sbtc(contract clarity.Principal) stxtx.Asset {
	asset, err := stxtx.ParseAsset(facts.SBTC(contract.Address.Testnet()) + ".sbtc-token::sbtc-token")
	if err != nil {
		panic("staking: " + err.Error()) // a constant
	}
	return asset
}

// allowance returns the most that the caller may have in a bond, in satoshi.
func (c *call) allowance(b *Bond) (uint64, bool) {
	if b != nil {
		for _, a := range b.Allowed {
			if a.Staker == c.caller {
				return a.MaxSats, true
			}
		}
	}
	return 0, false
}

// least returns the micro-STX that have to be locked beside an amount of satoshi.
func (b *Bond) least(sats uint64) uint64 {
	return sats * uint64(b.ValueRatio) / 100 * uint64(b.LeastStake) / 10_000
}

// keeps returns the effect that leaves a registration.
func (c *call) keeps(r *Registration, result clarity.Value) ledger.Effect {
	return ledger.Effect{Result: clarity.OK{Value: result}, Sets: []ledger.Set{{
		Contract: c.contract, Name: memberships, Key: tuple("bond-index", r.Bond.Index, "staker", r.Staker),
		Value: tuple("amount-sats", r.Sats, "amount-ustx", r.STX, "bond-index", r.Bond.Index, "signer", r.Signer, "staker", r.Staker),
	}}}
}

// move lets the caller have another signer.
func (c *call) move() ledger.Effect {
	r := c.member()
	if r == nil {
		return fails(errNotInBond)
	}
	next := *r
	next.Signer = c.principal(0)
	switch _, registered := c.Signer(next.Signer); {
	case c.principal(1) != r.Signer:
		return fails(errOtherSigner)
	case next.Signer == r.Signer:
		return fails(errSameSigner)
	case !registered:
		return fails(errNoSigner)
	}
	return c.keeps(&next, clarity.Bool(true))
}

// withdraw gives the caller sBTC back.
func (c *call) withdraw() ledger.Effect {
	all, sats := c.RegistrationsOf(c.caller), c.number(1)
	if len(all) == 0 {
		return fails(errNotInBond)
	}
	r := all[len(all)-1] // of a bond that has ended too
	switch {
	case sats > r.Sats:
		return fails(errSBTCAmount)
	case c.principal(0) != r.Signer:
		return fails(errOtherSigner)
	case sats == 0:
		return fails(3) // of the token
	}
	next := *r
	next.Sats -= sats
	does := c.keeps(&next, tuple("new-amount-sats", next.Sats, "signer", r.Signer, "staker", c.caller))
	does.Moves = []outcome.Move{{Asset: sbtc(c.contract), Amount: new(big.Int).SetUint64(sats), From: &c.contract, To: &c.caller}}
	return does
}

// ownRegistrations lists those for a bond that were sent through the mock and that a block has.
func (n Now) ownRegistrations(b *Bond) (all []*Registration) {
	for _, l := range n.ledgers {
		l.EachHeld(Contract(false), memberships, func(_, value clarity.Value) { // on both networks at the same hash
			if number(value, "bond-index") != b.Index {
				return
			}
			r := &Registration{Bond: b, own: true, Staker: principal(value, "staker"), Signer: principal(value, "signer"), Sats: uint64(number(value, "amount-sats")), STX: uint64(number(value, "amount-ustx"))}
			if r.Tx = registering(l, r.Staker, b.Index); n.there(r.Tx) {
				all = append(all, r)
			}
		})
	}
	return all
}

// registering finds the transaction with which an account registered for a bond.
func registering(l *ledger.Ledger, staker clarity.Principal, index int64) *ledger.Tx {
	for tx := range l.Mined() {
		call, is := tx.Payload.(stxtx.ContractCall)
		if !is || call.Function != "register-for-bond" || call.Contract.Contract != facts.PoX5 || tx.Aborted() || tx.Principal() != staker {
			continue
		}
		if n, _ := call.Args[0].(clarity.UInt); n.N.IsInt64() && n.N.Int64() == index {
			return tx
		}
	}
	return nil
}
