package api

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"

	"chainscope/mockserver/staking"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

func keyText(k staking.Key) string { return with0x(k.Bytes[:]) }

// signerBody returns a signer as lists have it, with the key that it registered last.
func signerBody(now staking.Now, s *staking.Signer) object {
	return object{{"signer", s.ID.String()}, {"signer_key", keyText(now.Newest(s))}}
}

func serveSigners(x *Exchange) {
	if w := x.cursorWindow(); !x.done() {
		now := x.state().Staked()
		key := func(s *staking.Signer) string { return s.ID.String() }
		cursorList(x, inOrder(now.Signers(), nameOrder, key), w, nameOrder, key, func(s *staking.Signer) object { return signerBody(now, s) })
	}
}

func serveSigner(x *Exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	now := t.Staked()
	for _, s := range now.Signers() {
		if s.ID == p {
			x.object(append(signerBody(now, s), t.transactionOf(now.Newest(s).Tx)))
			return
		}
	}
	x.notFound("Staking signer")
}

// serveStakersOf lists who stakes with a signer: STX that have not run out, and whatever was
// registered for a bond.
func serveStakersOf(x *Exchange) {
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	now, all := t.Staked(), map[clarity.Principal][]string{}
	for _, k := range now.Stakes() {
		if k.Signer == p && now.Locked(k) {
			all[k.Staker] = []string{"stx"}
		}
	}
	for _, b := range now.Bonds() {
		for _, r := range now.Registered(b) {
			if r.Signer == p && !slices.Contains(all[r.Staker], "btc") {
				all[r.Staker] = append(all[r.Staker], "btc")
			}
		}
	}
	var stakers []clarity.Principal
	for staker := range all {
		stakers = append(stakers, staker)
	}
	cursorList(x, inOrder(stakers, nameOrder, clarity.Principal.String), w, nameOrder, clarity.Principal.String, func(p clarity.Principal) object {
		return object{{"staker", p.String()}, {"types", all[p]}}
	})
}

// signing is a key with which a reward cycle is signed, and the signers that have it.
type signing struct {
	key      string
	weight   uint64 // in the least amounts that get a slot
	staked   uint64 // micro-STX
	managers []*staking.Signer
}

// signingNow lists the keys of the reward cycle, the weightiest first.
func signingNow(now staking.Now) (all []*signing) {
	staked := now.StakedIn(now.Cycle)
	for _, s := range now.Signers() {
		if staked[s.ID] < facts.LeastSigner {
			continue
		}
		key, _ := now.Signing(s)
		i := slices.IndexFunc(all, func(one *signing) bool { return one.key == keyText(key) })
		if i < 0 {
			i, all = len(all), append(all, &signing{key: keyText(key)})
		}
		all[i].staked += staked[s.ID]
		all[i].managers = append(all[i].managers, s)
	}
	for _, one := range all {
		one.weight = max(1, one.staked/uint64(minStacked))
	}
	slices.SortFunc(all, func(a, b *signing) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.key, b.key))
	})
	return all
}

// percent returns a part of a whole, with two decimals.
func percent(part, of uint64) float64 {
	return math.Round(float64(part)*10_000/float64(max(1, of))) / 100
}

// serveSigningKeys lists who signs the reward cycle: of the lists of v3 the only one that refuses
// a cursor that belongs to no row.
func serveSigningKeys(x *Exchange) {
	w := x.cursorWindow()
	if x.param(0) != "current" {
		x.invalid("params/cycle_number must be equal to constant")
	}
	if x.done() {
		return
	}
	now := x.state().Staked()
	all := signingNow(now)
	if len(all) == 0 {
		x.Thrown(http.StatusNotFound, "", "No PoX cycles found")
		return
	}
	var weight, staked uint64
	place := map[string]int{}
	for i, one := range all {
		weight, staked, place[one.key] = weight+one.weight, staked+one.staked, i
	}
	if w.cursor != "" {
		w.cursor = "0x" + strings.ToLower(strings.TrimPrefix(w.cursor, "0x"))
		if _, there := place[w.cursor]; !there {
			x.notFound("Cursor")
			return
		}
	}
	order := listOrder{compare: func(a, b string) int { return cmp.Compare(place[a], place[b]) }}
	cursorList(x, all, w, order, func(one *signing) string { return one.key }, func(one *signing) object {
		managers := []object{}
		for _, s := range one.managers {
			managers = append(managers, managerBody(now, s))
		}
		return object{
			{"signing_key", one.key},
			{"weight", object{{"amount", int64(one.weight)}, {"percent", percent(one.weight, weight)}}},
			{"staked_stx", object{{"amount", decimal(one.staked)}, {"percent", percent(one.staked, staked)}}},
			{"signer_managers", managers},
		}
	})
}

// managerBody returns a signer among those of a key.
func managerBody(now staking.Now, s *staking.Signer) object {
	key, next := now.Signing(s)
	granted := []object{}
	active := false
	for _, k := range now.Granted(s) {
		granted = append(granted, object{{"signer_key", keyText(k)}, {"auth_id", decimal(k.Auth)}, {"tx_id", with0x(k.Tx.ID[:])}})
		active = active || k.Bytes == key.Bytes
	}
	var pending any // null for none
	if next != nil {
		pending = object{{"signer_key", keyText(*next)}, {"effective_cycle", now.Cycle + 1}, {"tx_id", with0x(next.Tx.ID[:])}}
	}
	return object{
		{"signer_manager", s.ID.String()},
		{"registered_at", object{{"block_height", key.Tx.Height}, {"bitcoin_block_height", key.Burn}, {"tx_id", with0x(key.Tx.ID[:])}}},
		{"granted_keys", granted},
		{"grant_active", active},
		{"pending_key_update", pending},
	}
}
