package outcome

import (
	"fmt"
	"math/big"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// condition explains an abort by post-conditions.
func (e Ended) condition(w *Why) {
	v := e.Violation
	if v == nil {
		v = Violated(e.VMError)
	}
	switch {
	case strings.HasPrefix(e.Result, "(err "):
		e.unmoved(w, v)
	case v != nil && v.Required != nil:
		e.broken(w, v)
	case v != nil:
		e.uncovered(w, v)
	case e.VMError != "":
		w.Sentence = e.VMError + "."
	case e.Held != nil && len(e.Held.Conditions) == 0:
		w.Sentence = "It sent something that no post-condition covers: it has none, and what is not covered is refused."
		w.Fix = "add a condition for each thing that it sends, or take the mode allow"
	default:
		w.Sentence = "A post-condition failed. The API does not say which."
	}
}

// unmoved explains a call that answered an error, and whose post-conditions were then compared
// with nothing: an error moves nothing. The condition is right, the call failed.
func (e Ended) unmoved(w *Why, v *Violation) {
	e.answered(w)
	w.Certainty = fact
	if v == nil && e.Held != nil {
		v = Check(e.Held.Origin, stxtx.ModeAllow, e.Held.Conditions, NewSent(nil))
	}
	w.Sentence = strings.TrimSuffix(w.Sentence, ".")
	if v == nil || v.Required == nil {
		w.Sentence += ". An error moves nothing, and a post-condition wants something moved; the API does not say which."
	} else {
		w.Condition = e.words(v.Principal, *v.Required)
		w.Sentence += fmt.Sprintf(". An error moves nothing, so the post-condition that %s could not hold.", w.Condition)
	}
	w.Fix = "mend what made the call fail; the post-condition can stay as it is"
}

// broken explains a condition that did not hold.
func (e Ended) broken(w *Why, v *Violation) {
	required := *v.Required
	w.Condition = e.words(v.Principal, required)
	switch required.Asset {
	case stxtx.AssetNFT:
		did := "did not send"
		if required.Condition == stxtx.NFTNotSent {
			did = "sent"
		}
		w.Sentence = fmt.Sprintf("%s %s %s %s, against a post-condition.", v.Principal, did, required.Token.Name, clarity.Repr(required.TokenID))
	case stxtx.AssetPoX:
		did := "did not change"
		if required.Condition == stxtx.PoXWillNotPerform {
			did = "changed"
		}
		w.Sentence = fmt.Sprintf("%s %s its stacking state, against a post-condition.", v.Principal, did)
	default:
		did := "sent"
		if required.Asset == stxtx.AssetStaking {
			did = "locked"
		}
		w.Sentence = fmt.Sprintf("%s %s %s, but a post-condition wants %s %s.",
			v.Principal, did, e.amount(required.Asset, required.Token, v.Moved), required.Condition.Comparison(), e.amount(required.Asset, required.Token, new(big.Int).SetUint64(required.Amount)))
	}
	w.Fix = "leave the condition out: none can name so much"
	if v.Allows != nil {
		w.Fix = fmt.Sprintf("require instead that %s, or send what it requires", e.words(v.Principal, *v.Allows))
	}
}

// uncovered explains what was sent and is in no condition.
func (e Ended) uncovered(w *Why, v *Violation) {
	what := v.Asset.Name
	switch {
	case v.Token != nil:
		what += " " + clarity.Repr(v.Token)
	case v.Allows != nil && v.Allows.Asset == stxtx.AssetPoX:
		w.Sentence = fmt.Sprintf("%s changed its stacking state, which no post-condition covers; what is not covered is refused.", v.Principal)
	case v.Moved != nil:
		what = e.amount(kindOf(v), v.Asset, v.Moved)
	case v.Asset.Name == "":
		what = "STX"
	}
	if w.Sentence == "" {
		did := "sent"
		if kindOf(v) == stxtx.AssetStaking {
			did = "locked"
		}
		w.Sentence = fmt.Sprintf("%s %s %s, which no post-condition covers; what is not covered is refused.", v.Principal, did, what)
	}
	switch {
	case v.Allows != nil:
		w.Fix = fmt.Sprintf("add the condition that %s, or take the mode allow", e.words(v.Principal, *v.Allows))
	case v.Asset.Name != "":
		w.Fix = fmt.Sprintf("add a condition on %s of %s, or take the mode allow", v.Asset, v.Principal)
	default:
		w.Fix = fmt.Sprintf("add a condition on STX of %s, or take the mode allow", v.Principal)
	}
}

// kindOf returns the kind of what was not covered.
func kindOf(v *Violation) stxtx.AssetType {
	switch {
	case v.Allows != nil:
		return v.Allows.Asset
	case v.Asset.Name != "":
		return stxtx.AssetFT
	}
	return stxtx.AssetSTX
}

// words say what a condition requires of a principal, amounts in units that people use.
func (e Ended) words(p clarity.Principal, c stxtx.PostCondition) string {
	switch c.Asset {
	case stxtx.AssetNFT:
		verb := map[stxtx.ConditionCode]string{stxtx.NFTSent: "sends", stxtx.NFTNotSent: "keeps", stxtx.NFTMaybeSent: "may send"}[c.Condition]
		return fmt.Sprintf("%s %s %s %s", p, verb, c.Token.Name, clarity.Repr(c.TokenID))
	case stxtx.AssetPoX:
		verb := map[stxtx.ConditionCode]string{stxtx.PoXWillPerform: "changes", stxtx.PoXWillNotPerform: "does not change", stxtx.PoXMayPerform: "may change"}[c.Condition]
		return fmt.Sprintf("%s %s its stacking state without locking STX", p, verb)
	}
	verb := "sends"
	if c.Asset == stxtx.AssetStaking {
		verb = "locks"
	}
	return fmt.Sprintf("%s %s %s %s", p, verb, c.Condition.Comparison(), e.amount(c.Asset, c.Token, new(big.Int).SetUint64(c.Amount)))
}

// amount writes an amount: STX with their six decimals, a token with its own where they are
// known.
func (e Ended) amount(kind stxtx.AssetType, token stxtx.Asset, n *big.Int) string {
	if kind != stxtx.AssetFT {
		return units(n, stxDecimals) + " STX"
	}
	if e.Unit != nil {
		if symbol, decimals, known := e.Unit(token); known {
			return units(n, decimals) + " " + symbol
		}
	}
	if n.IsUint64() && n.Uint64() == 1 {
		return "1 unit of " + token.Name
	}
	return n.String() + " units of " + token.Name
}

const stxDecimals = 6

// units writes a number of smallest units exactly.
func units(n *big.Int, decimals int) string {
	digits := n.String()
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, rest := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if rest == "" {
		return whole
	}
	return whole + "." + rest
}
