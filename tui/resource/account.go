package resource

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// Account holds what is known of an account or a contract. What was not read is nil.
type Account struct {
	Principal   string
	STX         *apiclient.STXBalance
	Nonces      *apiclient.Nonces
	Fungible    []apiclient.Holding
	NonFungible []apiclient.Holding
	// MoreFungible and MoreNonFungible count the tokens that are not listed.
	MoreFungible, MoreNonFungible int64
	// Names are the names that are known for the numbers of its tokens.
	Names map[NameNumber]string
	// Why reports why it is listed, "" if it is not.
	Why string

	// Staking holds its stakes.
	Staking *Staking

	Background
	made []Field // fields, once they are made
}

// WithFields returns the account with its fields computed, once: an account can have thousands of
// tokens.
func (a Account) WithFields() Account {
	a.made = a.makeFields()
	return a
}

// Tokens returns the contracts of its fungible tokens.
func (a Account) Tokens() []string {
	var all []string
	for _, h := range a.Fungible {
		contract, _, _ := strings.Cut(h.AssetID, "::")
		all = append(all, contract)
	}
	return all
}

// Accounts describes accounts.
func Accounts() Kind[Account] {
	return Kind[Account]{Name: "account", Fields: Account.fields, Columns: []Column[Account]{
		{Name: "address", Head: "ADDRESS", Type: Principal, Least: 13, Most: 82, Keep: 9, Value: func(a Account) Value { return TextOf(a.Principal) }},
		{Name: "why", Head: "LISTED AS", Least: 14, Most: 32, Keep: 6, Style: Muted, Value: func(a Account) Value { return TextOf(a.Why) }},
		{Name: "balance", Head: "BALANCE (STX)", Type: Amount, Least: 16, Most: 24, Keep: 8, Value: func(a Account) Value { return a.stx(func(b *apiclient.STXBalance) string { return b.Balance }) }},
		{Name: "locked", Head: "LOCKED", Type: Amount, Least: 12, Most: 20, Keep: 4, Value: func(a Account) Value { return a.stx(func(b *apiclient.STXBalance) string { return b.Locked }) }},
		{Name: "nonce", Head: "NONCE", Type: Number, Least: 6, Most: 10, Keep: 7, Blank: true, Value: func(a Account) Value {
			if a.Nonces == nil {
				return Value{}
			}
			return NumberOf(a.Nonces.Next)
		}},
	}}
}

func (a Account) stx(of func(*apiclient.STXBalance) string) Value {
	if a.STX == nil {
		return Value{}
	}
	return microSTX(of(a.STX))
}

// fields returns all that is known of an account, in sections.
func (a Account) fields() []Field {
	if a.made != nil {
		return a.made
	}
	return a.makeFields()
}

func (a Account) makeFields() []Field {
	fields := []Field{{Section: "Account"}, {Label: "address", Type: Principal, Value: TextOf(a.Principal), Key: "h"}}
	if apiclient.CheckPrincipal(a.Principal) == nil {
		fields = append(fields, Field{Label: "contract", Value: TextOf("its source and functions"), To: nav.Contract(a.Principal).Link(), LinkOnly: true})
	}
	fields = append(fields, a.balance()...)
	fields = append(fields, a.nonces()...)
	names, others := a.names()
	fields = append(fields, names...)
	fields = append(fields, a.fungible()...)
	fields = append(fields, nonFungible(others, a.MoreNonFungible)...)
	fields = append(fields, a.staking()...)
	fields = append(
		fields, Field{Section: "Transactions"},
		Field{Label: "its transactions", Value: TextOf("with balance changes"), To: nav.TransactionsOf(a.Principal).Link(), LinkOnly: true},
		Field{Label: "pending ones", Value: TextOf("in the mempool"), To: nav.WaitingOf(a.Principal).Link(), LinkOnly: true},
	)
	if a.Why != "" {
		fields = append(fields, Field{Section: "About"}, Field{Label: "listed as", Value: TextOf(a.Why)})
	}
	return fields
}

// balance returns the fields of its STX.
func (a Account) balance() []Field {
	b := a.STX
	if b == nil {
		return nil
	}
	fields := []Field{{Label: "balance", Value: TextOf(STX(b.Balance)), Exact: b.Balance, Key: "b"}}
	if locked := microSTX(b.Locked); locked.known && locked.amount.Sign() != 0 {
		until := Field{Label: "locked", Value: TextOf(STX(b.Locked)), Exact: b.Locked}
		if b.UnlockHeight > 0 {
			until.Note = "until burn block " + text.Count(b.UnlockHeight)
		}
		if all := microSTX(b.Balance); all.known {
			free := new(big.Int).Sub(all.amount, locked.amount).String()
			fields = append(fields, Field{Label: "available", Value: TextOf(STX(free)), Exact: free})
		}
		fields = append(fields, until)
	}
	if mined := microSTX(b.Mined); mined.known && mined.amount.Sign() > 0 {
		fields = append(fields, Field{Label: "miner's rewards", Value: TextOf(STX(b.Mined)), Exact: b.Mined, Note: "in all; no transaction of its history has them"})
	}
	if b.Estimated != "" && b.Estimated != b.Balance {
		fields = append(fields, Field{Label: "after what waits", Value: TextOf(STX(b.Estimated)), Exact: b.Estimated})
	}
	return fields
}

// nonces returns the last nonce used, the next one, those that wait, and those that are missing
// and hold them up.
func (a Account) nonces() []Field {
	n := a.Nonces
	if n == nil {
		return nil
	}
	last := Field{Label: "last executed", Value: TextOf("none")}
	if n.LastExecuted != nil {
		last = Field{Label: last.Label, Type: Number, Value: NumberAt(n.LastExecuted)}
	}
	waiting, missing := Field{Label: "pending", Value: TextOf("none")}, Field{Label: "missing", Value: TextOf("none")}
	pending := n.Pending
	if n.LastPending != nil && !slices.Contains(pending, *n.LastPending) { // APIs list those before it alone
		pending = append(slices.Clone(pending), *n.LastPending)
	}
	var used []int64
	pending = slices.DeleteFunc(slices.Clone(pending), func(nonce int64) bool {
		late := n.LastExecuted != nil && nonce <= *n.LastExecuted
		if late {
			used = append(used, nonce)
		}
		return late
	})
	if len(pending) > 0 {
		waiting.Value, waiting.To = TextOf(numbers(pending)), nav.WaitingOf(a.Principal).Link()
	}
	if len(n.Missing) > 0 {
		missing = Field{Label: missing.Label, Value: TextOf(numbers(n.Missing)), Mark: Bad, Note: "what follows waits for it"}
	}
	fields := []Field{{Section: "Nonces"}, {Label: "next nonce", Type: Number, Value: NumberOf(n.Next), Key: "n"}, last, waiting, missing}
	if len(used) > 0 {
		fields = append(fields, Field{Label: "used already", Value: TextOf(numbers(used)), Mark: Bad, Note: "what waits with it can be in no block", To: nav.WaitingOf(a.Principal).Link()})
	}
	return fields
}

// numbers writes a list of numbers in order.
func numbers(list []int64) string {
	list = slices.Sorted(slices.Values(list))
	words := make([]string, 0, min(len(list), maxNumbers+1))
	for i, n := range list {
		if i == maxNumbers {
			words = append(words, "and "+text.Count(len(list)-i)+" more")
			break
		}
		words = append(words, strconv.FormatInt(n, 10))
	}
	return strings.Join(words, ", ")
}

// maxNumbers limits how many numbers are written in a row: a server remembers at most 25
// transactions of an account that wait.
const maxNumbers = 40

// moreTokens says that an account has more tokens than are listed.
func moreTokens(n int64) Field {
	return Field{Label: "and more", Value: TextOf(text.Plural(int(n), "other token"))}
}

// fungible returns the fields of its fungible tokens.
func (a Account) fungible() []Field {
	var fields []Field
	for i, h := range a.Fungible {
		if i == 0 {
			fields = append(fields, Field{Section: "Tokens"})
		}
		if i == maxListed {
			return append(fields, moreTokens(a.MoreFungible+int64(len(a.Fungible)-i)))
		}
		contract, _, _ := strings.Cut(h.AssetID, "::")
		words, note := text.Unknown, brief(h.AssetID)
		if n := Decimal(h.Balance); n != nil {
			words = a.amount(n, cmp.Or(h.AssetID, "::"))
		}
		fields = append(fields, Field{Label: brief(assetName(h.AssetID)), Value: TextOf(words), Note: note, Exact: h.Balance, To: tokenPlace(contract, false).Link()})
	}
	if a.MoreFungible > 0 {
		fields = append(fields, moreTokens(a.MoreFungible))
	}
	return fields
}

// nonFungible returns the fields of non-fungible tokens.
func nonFungible(all []apiclient.Holding, more int64) []Field {
	var fields []Field
	for i, h := range all {
		if i == 0 {
			fields = append(fields, Field{Section: "Non-fungible tokens"})
		}
		if i == maxListed {
			return append(fields, moreTokens(more+int64(len(all)-i)))
		}
		field := Field{Label: brief(assetName(h.AssetID)), Note: brief(h.AssetID), Value: TextOf(text.Unknown)}
		contract, _, _ := strings.Cut(h.AssetID, "::")
		field.To = tokenPlace(contract, true).Link()
		if h.Value != nil {
			field.Value, field.Exact = TextOf(brief(h.Value.Repr)), h.Value.Hex
			if id, err := nav.ParseTokenID(strings.TrimPrefix(h.Value.Repr, "u")); err == nil && field.To != nil {
				field.To = nav.NFT(contract, id, "").Link()
			}
		}
		fields = append(fields, field)
	}
	if more > 0 {
		fields = append(fields, moreTokens(more))
	}
	return fields
}
