package outcome

import (
	"cmp"
	"fmt"
	"math/big"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Violation is the reason why post-conditions abort a transaction.
type Violation struct {
	// Reason is the sentence of a node.
	Reason string
	// Condition is the place of the condition that failed, from 0; -1 where something was
	// sent that no condition covers.
	Condition int
	// Required is that condition, nil where none covers what was sent.
	Required *stxtx.PostCondition
	// Principal sent Moved of Asset, or should have; the zero Asset is STX.
	Principal clarity.Principal
	Asset     stxtx.Asset
	// Token is that of a non-fungible one, nil for others.
	Token clarity.Value
	// Moved holds what was sent of an amount, nil for a non-fungible token.
	Moved *big.Int
	// Allows is a condition that would have let the transaction through, nil where there is
	// no such condition.
	Allows *stxtx.PostCondition
}

// codes are the words that a node has for the conditions.
var codes = map[stxtx.ConditionCode]string{
	stxtx.SentEqual: "SentEq", stxtx.SentGreater: "SentGt", stxtx.SentGreaterOrEqual: "SentGe", stxtx.SentLess: "SentLt", stxtx.SentLessOrEqual: "SentLe",
	stxtx.NFTSent: "Sent", stxtx.NFTNotSent: "NotSent", stxtx.NFTMaybeSent: "MaybeSent",
	stxtx.PoXWillNotPerform: "WillNotPerform", stxtx.PoXMayPerform: "MayPerform", stxtx.PoXWillPerform: "WillPerform",
}

// Check compares what a transaction sent with its post-conditions. Origin is the account
// that signed first. It returns nil where nothing is wrong with the transaction.
//
// Every condition must hold, in every mode. What was sent and is covered by none is then
// refused: all of it in deny mode, that of the origin in originator mode (SIP-040).
func Check(origin clarity.Principal, mode stxtx.PostConditionMode, conditions []stxtx.PostCondition, sent *Sent) *Violation {
	covered := newCoverage()
	for i, c := range conditions {
		p := origin
		if c.Principal != nil {
			p = *c.Principal
		}
		if v := covered.check(p, c, sent); v != nil {
			v.Condition, v.Required = i, &conditions[i]
			return v
		}
	}
	if mode == stxtx.ModeAllow {
		return nil
	}
	for _, p := range sent.senders() {
		if mode == stxtx.ModeOriginator && p != origin {
			continue
		}
		if v := covered.missing(p, origin, sent); v != nil {
			v.Condition = -1
			return v
		}
	}
	return nil
}

// coverage holds what conditions that hold cover.
type coverage struct {
	covered [stxtx.AssetPoX + 1]map[owned]bool // by the type of the condition
	tokens  map[owned]map[string]bool          // those sent, by consensus bytes; nil for no condition
	key     []byte                             // room for one of them
}

func newCoverage() *coverage {
	c := &coverage{tokens: map[owned]map[string]bool{}}
	for i := range c.covered {
		c.covered[i] = map[owned]bool{}
	}
	return c
}

// check returns how a condition fails, or notes what it covers.
func (c *coverage) check(p clarity.Principal, condition stxtx.PostCondition, sent *Sent) *Violation {
	key := owned{p, condition.Token}
	switch condition.Asset {
	case stxtx.AssetNFT:
		return c.token(key, condition, sent)
	case stxtx.AssetPoX:
		done := sent.Stacking[p]
		if done > 0 && condition.Condition == stxtx.PoXWillNotPerform || done == 0 && condition.Condition == stxtx.PoXWillPerform {
			return &Violation{
				Principal: p, Allows: &stxtx.PostCondition{Asset: stxtx.AssetPoX, Principal: condition.Principal, Condition: stxtx.PoXMayPerform},
				Reason: fmt.Sprintf("Post-condition check failure on PoX actions of %s: %s (%d performed)", p, codes[condition.Condition], done),
			}
		}
	case stxtx.AssetSTX, stxtx.AssetFT, stxtx.AssetStaking:
		if v := amount(p, condition, sent.amount(condition.Asset, key)); v != nil {
			return v
		}
	default:
		return nil
	}
	c.covered[condition.Asset][key] = true
	return nil
}

// amount compares what was sent with what a condition requires.
func amount(p clarity.Principal, c stxtx.PostCondition, sent *big.Int) *Violation {
	if holds(c, sent) {
		return nil
	}
	what := "STX"
	switch c.Asset {
	case stxtx.AssetFT:
		what = "fungible asset " + c.Token.String()
	case stxtx.AssetStaking:
		what = "staked STX"
	}
	return &Violation{
		Principal: p, Asset: c.Token, Moved: sent, Allows: exactly(c.Principal, c.Asset, c.Token, sent),
		Reason: fmt.Sprintf("Post-condition check failure on %s owned by %s: %d %s %s", what, p, c.Amount, codes[c.Condition], sent),
	}
}

// holds reports whether an amount is what a condition requires.
func holds(c stxtx.PostCondition, sent *big.Int) bool {
	order := 1 // amounts of more than 64 bits are more than any condition names
	if sent.IsUint64() {
		order = cmp.Compare(sent.Uint64(), c.Amount)
	}
	switch c.Condition {
	case stxtx.SentEqual:
		return order == 0
	case stxtx.SentGreater:
		return order > 0
	case stxtx.SentGreaterOrEqual:
		return order >= 0
	case stxtx.SentLess:
		return order < 0
	case stxtx.SentLessOrEqual:
		return order <= 0
	}
	return false
}

// token checks a condition on a non-fungible token.
func (c *coverage) token(key owned, condition stxtx.PostCondition, sent *Sent) *Violation {
	n, moved := 0, false
	if t := sent.tokens[key]; t != nil {
		c.key = tokenKey(c.key[:0], condition.TokenID)
		n, moved = len(t.values), t.known[string(c.key)]
	}
	if moved && condition.Condition == stxtx.NFTNotSent || !moved && condition.Condition == stxtx.NFTSent {
		other := condition
		if other.Condition = stxtx.NFTSent; !moved {
			other.Condition = stxtx.NFTNotSent
		}
		return &Violation{
			Principal: key.principal, Asset: key.asset, Token: condition.TokenID, Allows: &other,
			Reason: fmt.Sprintf("Post-condition check failure on non-fungible asset %s owned by %s: %s %s (sent %d value(s))",
				key.asset, key.principal, clarity.Repr(condition.TokenID), codes[condition.Condition], n),
		}
	}
	covered := c.tokens[key]
	if covered == nil {
		covered = map[string]bool{}
		c.tokens[key] = covered
	}
	if moved {
		covered[string(c.key)] = true
	}
	return nil
}

// exactly returns the condition that what was sent is what may be sent, nil where no condition
// can say so: its amounts have 64 bits.
func exactly(p *clarity.Principal, asset stxtx.AssetType, token stxtx.Asset, sent *big.Int) *stxtx.PostCondition {
	if !sent.IsUint64() {
		return nil
	}
	return &stxtx.PostCondition{Asset: asset, Principal: p, Condition: stxtx.SentEqual, Amount: sent.Uint64(), Token: token}
}

// missing returns what a principal sent that no condition covers.
func (c *coverage) missing(p, origin clarity.Principal, sent *Sent) *Violation {
	who := &p
	if p == origin {
		who = nil
	}
	uncovered := func(asset stxtx.AssetType, token stxtx.Asset, name string, n *big.Int) *Violation {
		return &Violation{
			Principal: p, Asset: token, Moved: n, Allows: exactly(who, asset, token, n),
			Reason: fmt.Sprintf("Post-condition check failure: Fungible asset %s was moved by %s but not checked", name, p),
		}
	}
	own := owned{principal: p}
	if n := of(sent.stx, p); n.Sign() > 0 && !c.covered[stxtx.AssetSTX][own] {
		return uncovered(stxtx.AssetSTX, stxtx.Asset{}, "STX", n)
	}
	for _, asset := range sent.assets[p] {
		key := owned{p, asset}
		if n := of(sent.fungible, key); n.Sign() > 0 && !c.covered[stxtx.AssetFT][key] {
			return uncovered(stxtx.AssetFT, asset, asset.String(), n)
		}
		if v := c.missingToken(key, who, sent.tokens[key]); v != nil {
			return v
		}
	}
	if n := of(sent.Locked, p); n.Sign() > 0 && !c.covered[stxtx.AssetStaking][own] {
		return uncovered(stxtx.AssetStaking, stxtx.Asset{}, "staked STX", n)
	}
	if sent.Stacking[p] > 0 && !c.covered[stxtx.AssetPoX][own] {
		return &Violation{
			Principal: p, Allows: &stxtx.PostCondition{Asset: stxtx.AssetPoX, Principal: who, Condition: stxtx.PoXMayPerform},
			Reason: fmt.Sprintf("Post-condition check failure: PoX actions of %s were not checked", p),
		}
	}
	return nil
}

// missingToken returns the violation of the first non-fungible token that no condition
// covers.
func (c *coverage) missingToken(key owned, who *clarity.Principal, sent *tokens) *Violation {
	if sent == nil {
		return nil
	}
	covered := c.tokens[key]
	for i, token := range sent.values {
		if covered[sent.keys[i]] {
			continue
		}
		v := &Violation{
			Principal: key.principal, Asset: key.asset, Token: token,
			Allows: &stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: who, Condition: stxtx.NFTSent, Token: key.asset, TokenID: token},
			Reason: fmt.Sprintf("Post-condition check failure: Non-fungible asset %s value %s was moved by %s but not checked", key.asset, clarity.Repr(token), key.principal),
		}
		if covered == nil {
			v.Reason = fmt.Sprintf("Post-condition check failure: No checks for non-fungible asset %s moved by %s", key.asset, key.principal)
		}
		return v
	}
	return nil
}
