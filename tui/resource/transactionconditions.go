package resource

import (
	"cmp"
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// amountCodes are the words of conditions on amounts, and whether an amount that was sent
// fulfils them.
var amountCodes = map[string]struct {
	words string
	holds func(sent, wanted *big.Int) bool
}{
	"sent_equal_to":                 {"exactly", func(s, w *big.Int) bool { return s.Cmp(w) == 0 }},
	"sent_greater_than":             {"more than", func(s, w *big.Int) bool { return s.Cmp(w) > 0 }},
	"sent_greater_than_or_equal_to": {"at least", func(s, w *big.Int) bool { return s.Cmp(w) >= 0 }},
	"sent_less_than":                {"less than", func(s, w *big.Int) bool { return s.Cmp(w) < 0 }},
	"sent_less_than_or_equal_to":    {"at most", func(s, w *big.Int) bool { return s.Cmp(w) <= 0 }},
}

// maxConditions limits how many post-conditions are shown.
const maxConditions = 100

// conditions returns the fields of the post-conditions, which calls and deploys have. Of a transaction that they aborted the
// node reports which one was violated.
func (t Transaction) conditions() []Field {
	if t.ContractCall == nil && t.SmartContract == nil && len(t.PostConditions) == 0 {
		return nil
	}
	unreported := t.Lacks["post_condition_mode"] && t.Mode == ""
	if len(t.PostConditions) == 0 && t.Mode == "" && !unreported {
		return nil
	}
	fields := []Field{{Section: "Post-conditions"}, {Label: "other transfers", Value: TextOf(cmp.Or(modes[t.Mode], words(t.Mode))), Unreported: unreported}}
	var violation *outcome.Violation
	if t.Status == apiclient.StatusAbortByPostCondition {
		violation = outcome.Violated(t.VMError)
	}
	for i, c := range t.PostConditions {
		if i == maxConditions {
			fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(len(t.PostConditions)-i, "condition") + ", in the raw JSON"), Mark: Remark})
			break
		}
		fields = append(fields, t.conditionField(c, violation))
	}
	if t.Status == apiclient.StatusSuccess && t.MissingEvents() > 0 && len(t.PostConditions) > 0 {
		fields = append(fields, Field{Label: "not checked", Value: TextOf("what was sent is known when all events are read"), Mark: Remark})
	}
	if violation != nil && violation.Required == nil {
		fields = append(fields, t.uncovered(violation))
	}
	return fields
}

// uncovered returns the field of what was sent although no condition names it.
func (t Transaction) uncovered(v *outcome.Violation) Field {
	who := v.Principal.String()
	sent := "sent " + assetName(violatedAsset(v))
	if v.Moved != nil {
		sent = "sent " + t.amount(v.Moved, violatedAsset(v))
	}
	return Field{Label: shortAddress(who), Value: TextOf(sent), Note: "in no condition", Mark: Bad, Exact: who, To: accountPlace(who).Link()}
}

// violatedAsset returns the token of a violation, "" for STX.
func violatedAsset(v *outcome.Violation) string {
	if v.Asset.Name == "" {
		return ""
	}
	return v.Asset.String()
}

// conditionAsset returns the token of a condition, "" for STX.
func conditionAsset(c apiclient.PostCondition) string {
	if c.Asset == nil {
		return ""
	}
	return c.Asset.ContractAddress + "." + c.Asset.ContractName + "::" + c.Asset.Name
}

// conditionPrincipal returns the principal that a condition names.
func (t Transaction) conditionPrincipal(c apiclient.PostCondition) string {
	switch {
	case c.Principal.Kind == "principal_origin":
		return t.Sender
	case c.Principal.ContractName != "":
		return c.Principal.Address + "." + c.Principal.ContractName
	}
	return c.Principal.Address
}

// The types of post-conditions, as the API names them.
const (
	conditionSTX         = "stx"
	conditionFungible    = "fungible"
	conditionNonFungible = "non_fungible"
	conditionStaking     = "staking"
	conditionPoX         = "pox"
)

// conditionTypes are the kinds of assets of a node's sentences, by the type of a condition.
var conditionTypes = map[string]stxtx.AssetType{
	conditionSTX: stxtx.AssetSTX, conditionFungible: stxtx.AssetFT, conditionNonFungible: stxtx.AssetNFT, conditionStaking: stxtx.AssetStaking, conditionPoX: stxtx.AssetPoX,
}

// conditionVerbs are the words of conditions that name no amount, by type and code.
var conditionVerbs = map[string]map[string]string{
	conditionNonFungible: {"sent": "sends", "not_sent": "keeps", "maybe_sent": "may send"},
	conditionPoX:         {"performed": "changes", "not_performed": "does not change", "maybe_performed": "may change"},
}

// conditionField says a condition in words, and whether what was sent fulfils it. That is
// not known of a transaction that waits; of one that was aborted only as far as the node
// says it: it has no events.
func (t Transaction) conditionField(c apiclient.PostCondition, v *outcome.Violation) Field {
	who, asset := t.conditionPrincipal(c), conditionAsset(c)
	f := Field{Label: cmp.Or(shortAddress(who), words(c.Principal.Kind)), Exact: who, To: accountPlace(who).Link()}
	if v != nil && (v.Required == nil || v.Required.Asset != conditionTypes[c.Type] || v.Principal.String() != who || violatedAsset(v) != asset) {
		v = nil // it is of another condition
	}
	verb, wanted := conditionVerbs[c.Type][c.Code], Decimal(c.Amount)
	code, onAmount := amountCodes[c.Code]
	switch onAmount = onAmount && wanted != nil; {
	case onAmount && (c.Type == conditionSTX || c.Type == conditionFungible && asset != ""):
		f.Value = TextOf("sends " + code.words + " " + t.amount(wanted, asset))
		if t.eventsLoaded() {
			sent := t.sent(who, asset)
			// Events of another kind may have moved what a sum lacks, and whom a principal of
			// another kind means is not known.
			if held := code.holds(sent, wanted); who != "" && (held || len(t.others()) == 0) {
				f.Mark, f.Note = holds(held), "sent "+t.amount(sent, asset)
			}
		} else if violates(v, wanted) {
			f.Mark, f.Note = Bad, "sent "+t.amount(v.Moved, asset)
		}
	case onAmount && c.Type == conditionStaking:
		f.Value = TextOf("locks " + code.words + " " + t.amount(wanted, ""))
		if t.eventsLoaded() {
			// An event has what is locked in all, which is more than what was added to an older
			// lock: that it differs proves nothing.
			locked := t.locked(who)
			if f.Note = "locked " + t.amount(locked, ""); code.holds(locked, wanted) {
				f.Mark = Good
			}
		} else if violates(v, wanted) {
			f.Mark, f.Note = Bad, "locked "+t.amount(v.Moved, "")
		}
	case verb != "" && c.Type == conditionNonFungible && c.Value != nil:
		f.Value = TextOf(brief(verb + " " + c.Value.Repr + " " + assetName(asset)))
		if t.eventsLoaded() && c.Code != "maybe_sent" {
			f.Mark = holds(t.sentValue(who, asset, c.Value.Hex) == (c.Code == "sent"))
		} else if v != nil && v.Token != nil && hexOf(v.Token) == c.Value.Hex {
			f.Mark = Bad
		}
	case verb != "" && c.Type == conditionPoX:
		f.Value = TextOf(verb + " its stacking state without locking STX")
		if v != nil {
			f.Mark = Bad
		}
	default:
		f.Value = TextOf(brief("a condition of another kind: " + strings.Join(strings.Fields(words(c.Type)+" "+words(c.Code)+" "+c.Amount+" "+asset), " ")))
		f.Note = "in the raw JSON"
	}
	return f
}

// violates reports whether a violation is of the condition on an amount.
func violates(v *outcome.Violation, wanted *big.Int) bool {
	return v != nil && v.Moved != nil && wanted.Cmp(new(big.Int).SetUint64(v.Required.Amount)) == 0
}

// words writes a name of the API as words.
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func holds(ok bool) Mark {
	if ok {
		return Good
	}
	return Bad
}
