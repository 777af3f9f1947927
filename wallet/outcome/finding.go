package outcome

import (
	"maps"
	"math/big"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Finding is a post-condition beside what was sent.
type Finding struct {
	Condition string // in words
	Sent      string // of what it is about, in words
	Holds     bool
}

// Findings compares each condition with what was sent, whatever becomes of the others.
// Amounts are in units where unit, which may be nil, has them.
func Findings(origin clarity.Principal, conditions []stxtx.PostCondition, sent *Sent, unit Unit) []Finding {
	e := Ended{Unit: unit}
	all := make([]Finding, len(conditions))
	for i, c := range conditions {
		p := origin
		if c.Principal != nil {
			p = *c.Principal
		}
		all[i] = Finding{e.words(p, c), e.sent(p, c, sent), newCoverage().check(p, c, sent) == nil}
	}
	return all
}

// sent returns what was sent of what a condition is about.
func (e Ended) sent(p clarity.Principal, c stxtx.PostCondition, sent *Sent) string {
	switch c.Asset {
	case stxtx.AssetNFT:
		if t := sent.tokens[owned{p, c.Token}]; t != nil && t.known[string(tokenKey(nil, c.TokenID))] {
			return "sent"
		}
		return "not sent"
	case stxtx.AssetPoX:
		if sent.Stacking[p] > 0 {
			return "changed"
		}
		return "not changed"
	}
	return e.amount(c.Asset, c.Token, sent.amount(c.Asset, owned{p, c.Token}))
}

// Words say what was moved, amounts in units where unit, which may be nil, has them.
func (m Move) Words(unit Unit) string {
	var what string
	switch {
	case m.Token != nil:
		what = m.Asset.Name + " " + clarity.Repr(m.Token)
	case m.Asset != (stxtx.Asset{}):
		what = Ended{Unit: unit}.amount(stxtx.AssetFT, m.Asset, m.Amount)
	default:
		what = Ended{}.amount(stxtx.AssetSTX, m.Asset, m.Amount)
	}
	var from, to string
	if m.From != nil {
		from = m.From.String()
	}
	if m.To != nil {
		to = m.To.String()
	}
	return Moved(what, from, to)
}

// Moved says in words from whom to whom something moved, "" for nobody: then it was minted or burned.
func Moved(what, from, to string) string {
	switch {
	case from == "" && to == "":
		return what
	case from == "":
		return what + " minted to " + to
	case to == "":
		return what + " of " + from + " burned"
	}
	return what + " from " + from + " to " + to
}

// Exact returns the conditions that let through what was sent, in deny mode, and nothing
// else. It reports false where no conditions can: their amounts have 64 bits.
func Exact(sent *Sent) (conditions []stxtx.PostCondition, ok bool) {
	ok = true
	add := func(p clarity.Principal, kind stxtx.AssetType, asset stxtx.Asset, n *big.Int) {
		switch c := exactly(&p, kind, asset, n); {
		case n.Sign() == 0:
		case c == nil:
			ok = false
		default:
			conditions = append(conditions, *c)
		}
	}
	for _, p := range sent.principals {
		add(p, stxtx.AssetSTX, stxtx.Asset{}, of(sent.stx, p))
		for _, asset := range sent.assets[p] {
			key := owned{p, asset}
			add(p, stxtx.AssetFT, asset, of(sent.fungible, key))
			if t := sent.tokens[key]; t != nil {
				conditions = append(conditions, t.conditions(p, asset)...)
			}
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(sent.Locked), byBytes) {
		add(p, stxtx.AssetStaking, stxtx.Asset{}, sent.Locked[p])
	}
	for _, p := range slices.SortedFunc(maps.Keys(sent.Stacking), byBytes) {
		if sent.Stacking[p] == 0 {
			continue
		}
		conditions = append(conditions, stxtx.PostCondition{Asset: stxtx.AssetPoX, Principal: &p, Condition: stxtx.PoXWillPerform})
	}
	return conditions, ok
}

// conditions returns a condition for each of the tokens, once.
func (t *tokens) conditions(p clarity.Principal, asset stxtx.Asset) (all []stxtx.PostCondition) {
	covered := map[string]bool{}
	for i, token := range t.values {
		if covered[t.keys[i]] {
			continue
		}
		covered[t.keys[i]] = true
		all = append(all, stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: &p, Condition: stxtx.NFTSent, Token: asset, TokenID: token})
	}
	return all
}
