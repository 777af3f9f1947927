package resource

import (
	"cmp"
	"math"
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Transaction is a transaction in a list or by itself.
type Transaction struct {
	*apiclient.Transaction
	// Sent and Received are what the principal of a list sent and received, in micro-STX; ""
	// elsewhere.
	Sent, Received string

	// Whole says that nothing is left out of its fields, however long they become.
	Whole bool

	Background
	made []Field // fields, once they are made
}

// TransactionOf returns a transaction as a list has it.
func TransactionOf(t *apiclient.ListedTransaction) Transaction {
	return Transaction{Transaction: &t.Transaction, Sent: t.Sent, Received: t.Received}
}

// most bounds a list in one cell, where n usually fit.
func (t Transaction) most(n int) int {
	if t.Whole {
		return math.MaxInt
	}
	return n
}

// With returns the transaction with what explains it.
func (t Transaction) With(b Background) Transaction {
	t.Background = b
	t.made = t.makeFields() // once: values can be large
	return t
}

// stxDecimals is by how many decimals amounts of micro-STX are shifted.
const stxDecimals = 6

// microSTX reads a decimal number of micro-STX, unknown for what is none.
func microSTX(amount string) Value {
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		return Value{}
	}
	return AmountOf(n, stxDecimals)
}

// To returns the account or contract that the transaction addresses, "" for none.
func (t Transaction) To() string {
	switch {
	case t.TokenTransfer != nil:
		return t.TokenTransfer.Recipient
	case t.ContractCall != nil:
		return t.ContractCall.ContractID
	case t.SmartContract != nil:
		return t.SmartContract.ContractID
	}
	return ""
}

// Function returns the function that is called, "" for none.
func (t Transaction) Function() string {
	if t.ContractCall == nil {
		return ""
	}
	return t.ContractCall.Function
}

// when returns the time of its block, or when it was received.
func (t Transaction) when() Value {
	if t.BlockTime != 0 {
		return SecondsOf(t.BlockTime)
	}
	return SecondsOf(t.ReceiptTime)
}

// Transactions describes transactions.
func Transactions() Kind[Transaction] {
	return Kind[Transaction]{Name: "transaction", Fields: Transaction.fields, Columns: append([]Column[Transaction]{
		{Name: "id", Field: "tx_id", Head: "TRANSACTION", Type: Hash, Least: 13, Most: 66, Keep: 3, Value: func(t Transaction) Value { return TextOf(t.ID) }},
		{Name: "what", Head: "WHAT", Least: 20, Most: 44, Eager: true, Keep: 9, Value: func(t Transaction) Value { return TextOf(t.What()) }, Brief: Transaction.brief, Names: Transaction.To},
		{Name: "from", Field: "sender_address", Head: "SENDER", Type: Principal, Least: 11, Most: 41, Keep: 6, Value: func(t Transaction) Value { return TextOf(t.Sender) }},
		{Name: "fee", Field: "fee_stx", Head: "FEE", Title: "FEE (STX)", Type: Amount, Least: 8, Most: 10, Keep: 4, Style: Muted, Value: func(t Transaction) Value { return microSTX(t.FeeRate) }},
		{Name: "status", Field: "tx_status", Head: "STATUS", Least: 9, Most: 24, Keep: 8, Value: func(t Transaction) Value { return TextOf(t.State()) }, Written: func(t Transaction) Value { return TextOf(t.Status) }, Draw: transactionState},
		{Name: "age", Field: "time", Head: "AGE", Title: "TIME (UTC)", Type: Moment, Tail: true, Value: Transaction.when},
		{Name: "nonce", Field: "nonce", Type: Number, Value: func(t Transaction) Value { return NumberAt(t.Nonce) }},
		{Name: "block", Field: "block_height", Type: Number, Value: func(t Transaction) Value { return NumberAt(t.BlockHeight) }},
		{Name: "type", Field: "tx_type", Value: func(t Transaction) Value { return TextOf(t.Type) }},
		{Name: "fn", Field: "function_name", Value: func(t Transaction) Value { return TextOf(t.Function()) }},
		{Name: "to", Type: Principal, Value: func(t Transaction) Value { return TextOf(t.To()) }},
		{Name: "amount", Field: "amount_stx", Type: Amount, Value: func(t Transaction) Value {
			if t.TokenTransfer == nil {
				return Value{}
			}
			return microSTX(t.TokenTransfer.Amount)
		}},
		{Name: "sponsor", Field: "sponsor_address", Type: Principal, Value: func(t Transaction) Value { return TextOf(t.Sponsor) }},
		{Name: "sent", Field: "sent_stx", Type: Amount, Value: func(t Transaction) Value { return microSTX(t.Sent) }},
		{Name: "received", Field: "received_stx", Type: Amount, Value: func(t Transaction) Value { return microSTX(t.Received) }},
		{Name: "eventcount", Field: "event_count", Type: Number, Value: func(t Transaction) Value { return NumberAt(t.EventCount) }},
		{Name: "cost", Type: Share, Value: Transaction.weight},
		{Name: "asset", Hidden: true, Value: func(t Transaction) Value { return TextOf(strings.Join(t.assets(), " ")) }},
		{Name: "contract", Hidden: true, Value: func(t Transaction) Value {
			if t.ContractCall == nil {
				return Value{}
			}
			return TextOf(t.ContractCall.ContractID)
		}},
		{Name: "function", Hidden: true, Value: func(t Transaction) Value { return TextOf(t.Function()) }},
	}, ofTime(Transaction.when)...)}
}

// TransactionsOf describes the transactions of an account or a contract: with what each took
// from it and brought, unless they wait. Those of a contract begin with what its callers chose.
func TransactionsOf(principal string, waits bool) Kind[Transaction] {
	kind := Transactions()
	_, _, isContract := strings.Cut(principal, ".")
	for i := range kind.Columns {
		c := &kind.Columns[i]
		switch {
		case isContract && c.Name == "from":
			c.Keep = 8
		case isContract && c.Name == "what":
			c.Brief, c.Names = func(t Transaction) string { return t.calling(principal) }, nil
		case principal == "" || waits:
		case c.Name == "sent":
			c.Head, c.Title, c.Draw = "SENT", "SENT (STX)", movedColumn(principal, "-", c.Value)
			c.Least, c.Most, c.Keep = 11, 20, 7
		case c.Name == "received":
			c.Head, c.Title, c.Draw = "RECEIVED", "RECEIVED (STX)", movedColumn(principal, "+", c.Value)
			c.Least, c.Most, c.Keep = 11, 20, 7
		}
	}
	return kind
}

// movedColumn draws an amount of STX with a sign, then the tokens that went the same way where
// events tell them, and nothing for nothing.
func movedColumn(principal, sign string, value func(Transaction) Value) func(Transaction, int, *theme.Theme) string {
	return func(t Transaction, width int, th *theme.Theme) string {
		words := ""
		if v := value(t); v.known && v.amount.Sign() > 0 {
			words = sign + v.short(Amount, width-1, th.Glyphs.Ellipsis)
		} else if v.known && v.amount.Sign() < 0 { // a server that lacks the beginning of the chain
			words = v.short(Amount, width, th.Glyphs.Ellipsis)
		}
		for _, tokens := range t.movedTokens(principal, sign) {
			if words != "" {
				words += " "
			}
			words += tokens
		}
		return th.Text.Render(text.PadLeft(text.TruncateWith(words, width, th.Glyphs.Ellipsis), width))
	}
}

// weight returns the greatest share of the limits of a block that it cost, unknown where the
// route that answered does not say it.
func (t Transaction) weight() Value {
	if !t.Mined() || t.Lacks.Cost() {
		return Value{}
	}
	return ShareOf(GreatestCost(t.ExecutionCost))
}

// assets returns the tokens that post-conditions and events are about.
func (t Transaction) assets() []string {
	var all []string
	for _, c := range t.PostConditions {
		if c.Asset != nil {
			all = append(all, c.Asset.ContractAddress+"."+c.Asset.ContractName+"::"+c.Asset.Name)
		}
	}
	for _, e := range t.Events {
		if e.Asset != nil && e.Asset.AssetID != "" {
			all = append(all, e.Asset.AssetID)
		}
	}
	return all
}

// states are the words for what became of a transaction.
var states = map[string]string{
	apiclient.StatusSuccess:              "success",
	apiclient.StatusPending:              "waits",
	apiclient.StatusAbortByResponse:      "failed: response",
	apiclient.StatusAbortByPostCondition: "failed: post-condition",
	"problematic_skipped":                "failed: problematic",
	"dropped_replace_by_fee":             "dropped: replaced",
	"dropped_replace_across_fork":        "dropped: replaced",
	"dropped_too_expensive":              "dropped: too expensive",
	"dropped_stale_garbage_collect":      "dropped: too old",
	"dropped_problematic":                "dropped: problematic",
}

// State says in words what became of it.
func (t Transaction) State() string {
	if t.orphaned() && (t.Status == apiclient.StatusSuccess || strings.HasPrefix(t.Status, "abort_")) {
		return "orphaned"
	}
	return cmp.Or(states[t.Status], t.Status)
}

// orphaned reports whether its block, or its microblock, is not in the chain any more.
func (t Transaction) orphaned() bool {
	return t.Canonical != nil && !*t.Canonical || t.MicroblockCanonical != nil && !*t.MicroblockCanonical
}

// mark reports whether what became of it is good.
func (t Transaction) mark() Mark {
	switch {
	case t.Failed() || t.orphaned():
		return Bad
	case t.Status == apiclient.StatusSuccess:
		return Good
	}
	return Plain
}

func transactionState(t Transaction, width int, th *theme.Theme) string {
	glyph, style := th.Glyphs.Ellipsis, th.Warn
	switch t.mark() {
	case Good:
		glyph, style = th.Glyphs.Check, th.OK
	case Bad:
		glyph, style = th.Glyphs.Cross, th.Bad
	}
	state := glyph + " " + t.State()
	if text.Width(state) > width {
		state, _, _ = strings.Cut(state, ":") // what failed is in the detail
	}
	return style.Render(text.Fill(text.TruncateWith(state, width, th.Glyphs.Ellipsis), width))
}
