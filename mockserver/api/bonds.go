package api

import (
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/mockserver/staking"
	"chainscope/wallet/clarity"
)

// amounts returns satoshi and micro-STX, as decimal strings.
func amounts(sats, stx uint64) object { return object{{"btc", decimal(sats)}, {"stx", decimal(stx)}} }

// rewards count what was earned, in satoshi.
func rewards(accrued, claimed uint64) object {
	return object{{"btc", object{{"accrued", decimal(accrued)}, {"claimed", decimal(claimed)}, {"claimable", decimal(accrued - claimed)}}}}
}

// transactionOf returns the transaction that something came with.
func (t *transactions) transactionOf(tx *ledger.Tx) field {
	place, _ := t.place(tx)
	return field{"transaction", append(object{{"tx_id", with0x(tx.ID[:])}}, t.placeV3(&place)...)}
}

// bondBody returns a bond as lists have it.
func bondBody(now staking.Now, b *staking.Bond) object {
	var sats, stx uint64
	registered := now.Registered(b)
	for _, r := range registered {
		sats, stx = sats+r.Sats, stx+r.STX
	}
	activation, unlock, last := now.Schedule(b)
	return object{
		{"index", b.Index},
		{"pox_version", "pox5"},
		{"status", now.Status(b)},
		{"parameters", object{{"target_rate_bps", b.Rate}, {"stx_value_ratio", b.ValueRatio}, {"minimum_stx_ratio", b.LeastStake}, {"btc_capacity", decimal(b.Capacity())}}},
		{"registrations", object{{"allowed_count", len(b.Allowed)}, {"registered_count", len(registered)}}},
		{"schedule", object{
			{"activation", object{{"bitcoin_height", activation}, {"pox_cycle", b.Start}}},
			{"unlock", object{{"bitcoin_height", unlock}, {"pox_cycle", last}}},
		}},
		{"balances", object{{"locked", amounts(sats, stx)}, {"paid_out", object{{"btc", "0"}}}}}, // the service writes no other
	}
}

func serveBonds(x *Exchange) {
	if w := x.cursorWindow(); !x.done() {
		now := x.state().Staked()
		key := func(b *staking.Bond) string { return strconv.FormatInt(b.Index, 10) }
		cursorList(x, inOrder(now.Bonds(), bondOrder, key), w, bondOrder, key, func(b *staking.Bond) object { return bondBody(now, b) })
	}
}

// bond finds the bond of the path, nil where none is set up; on false it has answered.
func (x *Exchange) bond() (*transactions, staking.Now, *staking.Bond, bool) {
	index := x.paramInteger(0, "bond_index", bounds{})
	if x.done() {
		return nil, staking.Now{}, nil, false
	}
	t := x.transactions()
	now := t.Staked()
	b, _ := now.Bond(index)
	return t, now, b, true
}

func (x *Exchange) notFound(what string) { x.Thrown(http.StatusNotFound, "", what+" not found") }

func serveBond(x *Exchange) {
	switch t, now, b, ok := x.bond(); {
	case !ok:
	case b == nil:
		x.notFound("Bond")
	default:
		x.object(append(bondBody(now, b), t.transactionOf(b.Tx)))
	}
}

// allowanceBody returns an entry of an allowlist.
func allowanceBody(a staking.Allowance) object {
	return object{{"staker", a.Staker.String()}, {"max_sats", decimal(a.MaxSats)}}
}

// serveAllowlist lists who may register for a bond. All came with one transaction: the second part
// of the cursor, which counts microblocks, distinguishes them.
func serveAllowlist(x *Exchange) {
	w := x.cursorWindow()
	t, _, b, ok := x.bond()
	if !ok {
		return
	}
	type entry struct {
		key string
		staking.Allowance
	}
	var all []entry
	if b != nil {
		place, _ := t.place(b.Tx)
		for i, a := range b.Allowed {
			all = append(all, entry{strconv.FormatInt(place.Block.Height, 10) + ":" + strconv.Itoa(1<<31-1-i) + ":" + strconv.Itoa(place.Index), a})
		}
	}
	cursorList(x, all, w, memberOrder, func(e entry) string { return e.key }, func(e entry) object { return allowanceBody(e.Allowance) })
}

func serveAllowance(x *Exchange) {
	p := x.principal(1)
	_, _, b, ok := x.bond()
	if !ok {
		return
	}
	if b != nil {
		for _, a := range b.Allowed {
			if a.Staker == p {
				x.object(allowanceBody(a))
				return
			}
		}
	}
	x.notFound("Bond allowlist entry")
}

// registrationBody returns a registration as lists have it.
func registrationBody(r *staking.Registration) object {
	kind := "l2"
	if r.Lockups != nil {
		kind = "l1"
	}
	return object{{"staker", r.Staker.String()}, {"signer", r.Signer.String()}, {"type", kind}, {"balances", amounts(r.Sats, r.STX)}}
}

func serveRegistrations(x *Exchange) {
	w := x.cursorWindow()
	t, now, b, ok := x.bond()
	if !ok {
		return
	}
	var all []*staking.Registration
	if b != nil {
		all = now.Registered(b)
	}
	key := func(r *staking.Registration) string { return t.placeKey(r.Tx) }
	cursorList(x, inOrder(all, memberOrder, key), w, memberOrder, key, registrationBody)
}

func serveRegistration(x *Exchange) {
	p := x.principal(1)
	_, now, b, ok := x.bond()
	if !ok {
		return
	}
	if b != nil {
		for _, r := range now.Registered(b) {
			if r.Staker == p {
				x.object(append(registrationBody(r), lockup(r)))
				return
			}
		}
	}
	x.notFound("Bond registration")
}

// lockup returns where the bitcoin of a registration are.
func lockup(r *staking.Registration) field {
	if r.Lockups == nil {
		return field{"l2_lockup", object{{"tx_id", with0x(r.Tx.ID[:])}}}
	}
	outputs := []object{}
	for _, one := range r.Lockups {
		outputs = append(outputs, object{{"tx_id", one.TxID}, {"output_index", one.Index}})
	}
	return field{"l1_lockup", object{{"transactions", outputs}}}
}

// serveStaking says what an account stakes, zeros for one that never did.
func serveStaking(x *Exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	now := t.Staked()
	var locked, accrued, claimed uint64
	if k, stakes := now.StakeOf(p); stakes {
		if accrued, claimed = now.Yield(k); now.Locked(k) {
			locked = k.Amount
		}
	}
	if l, _ := t.runningLock(p); l.version == 5 {
		locked = l.amount
	}
	var sats, stx, earned, paid uint64
	bonds := now.RegistrationsOf(p)
	for _, r := range bonds {
		more, had := now.Earned(r)
		sats, stx, earned, paid = sats+r.Sats, stx+r.STX, earned+more, paid+had
	}
	x.object(object{
		{"stx", object{{"locked", decimal(locked)}, {"rewards", rewards(accrued, claimed)}}},
		{"bonds", object{{"count", len(bonds)}, {"locked", amounts(sats, stx)}, {"rewards", rewards(earned, paid)}}},
	})
}

func serveBondsOf(x *Exchange) {
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	now := t.Staked()
	key := func(r *staking.Registration) string { return strconv.FormatInt(r.Bond.Index, 10) }
	cursorList(x, now.RegistrationsOf(p), w, ownOrder, key, func(r *staking.Registration) object {
		status := "enrolled" // the service writes no other than these two
		if now.Left(r) {
			status = "early_exit"
		}
		return object{
			{"bond_index", r.Bond.Index},
			{"status", status},
			{"active", !now.Left(r)},
			{"enrollment", object{{"tx_id", with0x(r.Tx.ID[:])}, {"btc_lockup", object{{"amount", decimal(r.Sats)}}}}},
			{"locked", amounts(r.Sats, r.STX)},
			{"rewards", rewards(now.Earned(r))},
		}
	})
}

// lock holds the locked STX of an account. Heights are 0 and tx is empty where no block has the
// transaction any more.
type lock struct {
	amount               uint64
	version              int // of the contract
	tx                   string
	height, burn, unlock int64
}

// runningLock returns the lock that a contract that runs left, and which is all that there can be where
// it did: nothing where it has run out.
func (t *transactions) runningLock(p clarity.Principal) (lock, bool) {
	height := t.View.Tip()
	if t.most > 0 {
		height = min(height, t.most)
	}
	l, by, ok := t.Ledger(p).LockOf(p, height)
	if !ok || !by.Ran() {
		return lock{}, false
	}
	if now, known := t.View.Block(height); known && l.Unlock <= now.BurnHeight {
		return lock{}, true
	}
	since, _ := t.View.Block(by.Height)
	version, _ := strconv.Atoi(strings.TrimPrefix(l.Contract, "pox-"))
	return lock{l.Amount, version, with0x(by.ID[:]), by.Height, since.BurnHeight, l.Unlock}, true
}

// lockOf returns the lock of an account, which has not run out.
func (t *transactions) lockOf(p clarity.Principal) (l lock, locked bool) {
	if l, ran := t.runningLock(p); ran {
		return l, l.amount > 0
	}
	now := t.Staked()
	if t.most > 0 {
		now = t.StakedAt(t.most)
	}
	k, stakes := now.StakeOf(p)
	if !stakes || !now.Locked(k) || k.Tx != nil && t.later(k.Tx) {
		if r := now.OwnLock(p); r != nil && !t.later(r.Tx) {
			_, unlock, _ := now.Schedule(r.Bond)
			return lock{r.STX, 5, with0x(r.Tx.ID[:]), r.Tx.Height, now.Since(r.Tx), unlock}, true
		}
		return t.poolLock(p)
	}
	if l = (lock{amount: k.Amount, version: 5, unlock: now.Unlock(k)}); k.Tx != nil {
		l.tx, l.height, l.burn = with0x(k.Tx.ID[:]), k.Tx.Height, now.Since(k.Tx)
	}
	return l, true
}
