package api

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// oldPoX are the contracts whose events the routes of v1 read.
var oldPoX = []string{"pox2", "pox3", "pox4"}

// exactWindow returns window for lists that take a limit of 0 as it is.
func (x *Exchange) exactWindow() window {
	l := x.parameter("limit")
	return window{int(x.queryInteger("limit", l.bounds, l.fallback)), x.window().offset}
}

func servePoXCycles(x *Exchange) {
	w := x.exactWindow()
	if x.done() {
		return
	}
	s := x.stacking()
	all := []int64{}
	for c := s.now(); c >= s.oldest(); c-- {
		all = append(all, c)
	}
	x.object(pageOf(w, all, s.cycleBody))
}

func servePoXCycle(x *Exchange) {
	if s, cycle, ok := x.requestedCycle(http.StatusText(http.StatusNotFound)); ok {
		x.object(s.cycleBody(cycle))
	}
}

// requestedCycle finds the cycle of a path; on false it has answered, for an unknown one with a text.
func (x *Exchange) requestedCycle(missing string) (s *stacking, cycle int64, ok bool) {
	n := x.paramInteger(0, "cycle_number", bounds{})
	if x.done() {
		return nil, 0, false
	}
	if s = x.stacking(); !s.listed(n) {
		x.Thrown(http.StatusNotFound, "", missing)
		return nil, 0, false
	}
	return s, int64(n), true
}

const noCycle = "PoX cycle not found"

// cycleBody describes a cycle, with the block that first had its signers.
func (s *stacking) cycleBody(cycle int64) object {
	v, burn := &s.txs.View, s.first+cycle*s.length
	block, _ := v.Block(1)
	for ; burn <= s.era.height; burn++ {
		if b, ok := v.BurnByHeight(max(burn, v.FirstBurnHeight())); ok && b.Len() > 0 {
			block, _ = v.Block(b.First)
			break
		}
	}
	shares := s.shares(cycle)
	return object{
		{"block_height", block.Height},
		{"index_block_hash", block.Index},
		{"cycle_number", cycle},
		{"total_weight", totalWeight(shares)},
		{"total_stacked_amount", strconv.FormatInt(totalStaked(shares), 10)},
		{"total_signers", len(shares)},
	}
}

func serveCycleSigners(x *Exchange) {
	w := x.window()
	if s, cycle, ok := x.requestedCycle(noCycle); ok {
		shares := s.shares(cycle)
		x.object(pageOf(w, shares, func(one share) object { return s.signerBody(cycle, shares, one) }))
	}
}

func (s *stacking) signerBody(cycle int64, all []share, one share) object {
	return object{
		{"signing_key", one.key},
		{"signer_address", s.address(one.account).String()},
		{"weight", one.weight},
		{"stacked_amount", strconv.FormatInt(one.staked, 10)},
		{"weight_percent", 100 * float64(one.weight) / float64(totalWeight(all))},
		{"stacked_amount_percent", 100 * float64(one.staked) / float64(totalStaked(all))},
		{"pooled_stacker_count", len(s.stackers(cycle, one))},
		{"solo_stacker_count", 0},
	}
}

// requestedSigner finds the signer of a path by its key, with 0x or without.
func (x *Exchange) requestedSigner(missing string) (s *stacking, cycle int64, one share, ok bool) {
	if s, cycle, ok = x.requestedCycle(noCycle); !ok {
		return s, cycle, one, false
	}
	key := "0x" + strings.TrimPrefix(x.param(1), "0x")
	shares := s.shares(cycle)
	at := slices.IndexFunc(shares, func(one share) bool { return one.key == key })
	if at < 0 {
		x.Thrown(http.StatusNotFound, "", missing)
		return s, cycle, one, false
	}
	return s, cycle, shares[at], true
}

func serveCycleSigner(x *Exchange) {
	if s, cycle, one, ok := x.requestedSigner(http.StatusText(http.StatusNotFound)); ok {
		x.object(s.signerBody(cycle, s.shares(cycle), one))
	}
}

// stacker is a member of a pool, with what is locked in a cycle.
type stacker struct {
	member
	locked int64
}

// stackers divides what a pool has among its members, the largest part first. Those who stack by
// pox-5 are in no list of v2.
func (s *stacking) stackers(cycle int64, one share) (all []stacker) {
	if !s.stacked(cycle) {
		return nil
	}
	members := s.members(one.pool)
	count := min(one.weight, int64(len(members)))
	for i := range count {
		weight := one.weight / count
		if i < one.weight%count {
			weight++
		}
		all = append(all, stacker{members[i], weight * s.unit})
	}
	slices.SortFunc(all, func(a, b stacker) int {
		return cmp.Or(cmp.Compare(b.locked, a.locked), cmp.Compare(s.address(a.account).String(), s.address(b.account).String()))
	})
	return all
}

func serveCycleStackers(x *Exchange) {
	w := x.window()
	if s, cycle, one, ok := x.requestedSigner("PoX cycle signer not found"); ok {
		x.object(pageOf(w, s.stackers(cycle, one), func(m stacker) object {
			return object{
				{"stacker_address", s.address(m.account).String()},
				{"stacked_amount", strconv.FormatInt(m.locked, 10)},
				{"pox_address", s.bitcoinAddress(one.account)},
				{"stacker_type", "pooled"},
			}
		}))
	}
}

// serveDelegations lists the members of a pool.
func serveDelegations(x *Exchange) {
	if !slices.Contains(oldPoX, x.param(0)) {
		const wrong = "params/pox must be equal to constant, "
		x.invalid(wrong + wrong + wrong + "params/pox must match a schema in anyOf")
	}
	w, after := x.window(), x.queryInteger("after_block", atLeast(1), 0)
	height := x.queryInteger("height", atLeast(1), 0)
	p, err := clarity.ParsePrincipal(x.param(1))
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", `invalid STX address "`+x.param(1)+`"`)
	}
	if x.done() {
		return
	}
	s := x.stacking()
	if tip := float64(s.txs.View.Tip()); height > tip {
		x.Thrown(http.StatusNotFound, "", "no block at height: "+formatBound(height))
		return
	} else if height == 0 {
		height = tip
	}
	var all []member
	if of := s.poolOf(payToHash(p.Address.Hash160)); of != nobodysPool && p.Contract == "" && x.param(0) == "pox4" {
		all = slices.DeleteFunc(s.members(of), func(m member) bool {
			return float64(m.height) > height || float64(m.height) <= after
		})
	}
	x.object(pageOf(w, all, func(m member) object {
		return object{
			{"stacker", s.address(m.account).String()},
			{"amount_ustx", strconv.FormatInt(delegated, 10)},
			{"block_height", m.height},
			{"tx_id", m.id},
		}
	}))
}
