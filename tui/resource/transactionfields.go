package resource

import (
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/outcome"
)

// fields are all that is known of a transaction, in sections.
func (t Transaction) fields() []Field {
	tells := func(f Field, name string) Field {
		f.Untold = t.Lacks[name] && !f.Value.Known()
		return f
	}
	fields := []Field{
		{Section: t.Sentence()},
		{Label: "status", Value: TextOf(t.State()), Mark: t.mark()},
	}
	if t.Failed() {
		why := outcome.Explain(t.Ended())
		fields = append(fields, Field{Label: "why", Value: TextOf(why.Sentence), Exact: t.VMError})
		if why.Fix != "" {
			fields = append(fields, Field{Label: "what helps", Value: TextOf(why.Fix)})
		}
	}
	fields = append(fields, Field{Label: "id", Type: Hash, Value: TextOf(t.ID), Key: "h"})
	if t.ReplacedBy != "" {
		fields = append(fields, Field{Label: "replaced by", Type: Hash, Value: TextOf(t.ReplacedBy), To: nav.Transaction(t.ReplacedBy)})
	}
	fields = append(fields,
		Field{Label: "sender", Type: Hash, Value: TextOf(t.Sender), Key: "f", To: transactionsOf(t.Sender)},
		Field{Label: "nonce", Type: Number, Value: NumberAt(t.Nonce)},
		Field{Label: "fee", Value: TextOf(stx(t.FeeRate)), Exact: t.FeeRate},
	)
	if t.Sponsor != "" {
		fields = append(fields, Field{Label: "sponsor", Type: Hash, Value: TextOf(t.Sponsor), Note: "pays the fee", To: transactionsOf(t.Sponsor)}, Field{Label: "sponsor nonce", Type: Number, Value: NumberAt(t.SponsorNonce)})
	}
	if t.Mined() {
		fields = append(fields,
			Field{Label: "block", Type: Number, Value: NumberAt(t.BlockHeight), To: nav.BlockAtHeight(*t.BlockHeight)},
			Field{Label: "place in block", Type: Number, Value: NumberAt(t.Index)},
			Field{Label: "time", Type: Moment, Value: SecondsOf(t.BlockTime)},
		)
	} else {
		fields = append(fields, Field{Label: "received", Type: Moment, Value: SecondsOf(t.ReceiptTime)})
	}
	fields = append(fields, t.payload()...)
	if t.Result != nil {
		fields = append(fields, Field{Section: "Result"}, Field{Label: "result", Value: TextOf(t.Result.Repr), Exact: t.Result.Hex, Key: "r"})
	}
	if moved := t.moved(); len(moved) > 0 {
		fields = append(append(fields, Field{Section: "What moved"}), moved...)
	}
	if len(t.PostConditions) > 0 || t.Mode != "" || t.Lacks["post_condition_mode"] {
		fields = append(fields, Field{Section: "Post-conditions"}, tells(Field{Label: "other transfers", Value: TextOf(modes[t.Mode])}, "post_condition_mode"))
		for _, c := range t.PostConditions {
			fields = append(fields, t.conditionField(c))
		}
	}
	fields = append(fields, t.prints()...)
	if t.Mined() {
		fields = append(fields, costFields(t.ExecutionCost, false)...)
	}
	return append(fields, extraFields(t.Extra)...)
}

// transactionsOf is the place of a contract, or of what concerns an account; none for no
// address.
func transactionsOf(principal string) nav.Place {
	if apiclient.ValidAccount(principal) != nil {
		return nav.Place{}
	}
	if apiclient.ValidPrincipal(principal) == nil {
		return nav.Contract(principal)
	}
	return nav.TransactionsOf(principal)
}

// modes say what a mode does with transfers that no condition names.
var modes = map[string]string{"deny": "are refused (deny)", "allow": "are allowed (allow)", "originator": "of the sender are refused (originator)"}

// payload are the fields of what it does.
func (t Transaction) payload() []Field {
	switch {
	case t.TokenTransfer != nil:
		fields := []Field{
			{Section: "Transfer"},
			{Label: "recipient", Type: Hash, Value: TextOf(t.To()), Key: "t", To: transactionsOf(t.To())},
			{Label: "amount", Value: TextOf(stx(t.TokenTransfer.Amount)), Exact: t.TokenTransfer.Amount},
		}
		if memo := memoText(t.TokenTransfer.Memo); memo != "" {
			fields = append(fields, Field{Label: "memo", Value: TextOf(memo), Exact: t.TokenTransfer.Memo})
		}
		return fields
	case t.ContractCall != nil:
		fields := []Field{
			{Section: "Call"},
			{Label: "contract", Type: Hash, Value: TextOf(t.To()), Key: "t", To: transactionsOf(t.To())},
			{Label: "function", Value: TextOf(t.ContractCall.Function)},
		}
		for i, a := range t.ContractCall.Args {
			label := a.Name
			if label == "" {
				label = "argument " + strconv.Itoa(i+1)
			}
			fields = append(fields, Field{Label: label, Value: TextOf(a.Repr), Note: a.Type, Exact: a.Hex})
		}
		return fields
	case t.SmartContract != nil:
		fields := []Field{
			{Section: "Deploy"},
			{Label: "contract", Type: Hash, Value: TextOf(t.To()), Key: "t", To: transactionsOf(t.To())},
			{Label: "Clarity", Type: Number, Value: NumberAt(t.SmartContract.ClarityVersion)},
		}
		if t.SmartContract.Source != "" {
			fields = append(fields, Field{Label: "source", Value: TextOf(text.Plural(strings.Count(t.SmartContract.Source, "\n")+1, "line")), Exact: t.SmartContract.Source, Key: "s"})
		}
		return fields
	}
	return nil
}

// moved says what came to and went from each account.
func (t Transaction) moved() []Field {
	var fields []Field
	for _, m := range t.moves() {
		fields = append(fields, Field{Label: shortAddress(m.account), Value: TextOf(m.words()), Exact: m.account})
	}
	if missing := t.missingEvents(); missing > 0 {
		fields = append(fields, Field{Label: "not shown", Value: TextOf(text.Plural(missing, "event"))})
	}
	return fields
}

// missingEvents is how many of its events are not known.
func (t Transaction) missingEvents() int {
	if t.EventCount == nil {
		return 0
	}
	return max(0, int(*t.EventCount)-len(t.Events))
}

// prints are what contracts printed.
func (t Transaction) prints() []Field {
	var fields []Field
	for _, e := range t.Events {
		if e.Type != apiclient.EventLog || e.Log == nil {
			continue
		}
		if fields == nil {
			fields = []Field{{Section: "Prints"}}
		}
		fields = append(fields, Field{Label: contractName(e.Log.ContractID), Value: TextOf(e.Log.Value.Repr), Exact: e.Log.Value.Hex})
	}
	return fields
}
