package resource

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"chainscope/apiclient"
)

// Account is what is known of an account or a contract. What was not read is nil.
type Account struct {
	Principal   string
	STX         *apiclient.STXBalance
	Nonces      *apiclient.Nonces
	Fungible    []apiclient.Holding
	NonFungible []apiclient.Holding
}

// Accounts describes accounts.
func Accounts() Kind[Account] {
	return Kind[Account]{Name: "account", Fields: Account.fields, Columns: []Column[Account]{
		{Name: "address", Head: "ADDRESS", Type: Hash, Least: 13, Most: 82, Keep: 9, Value: func(a Account) Value { return TextOf(a.Principal) }},
		{Name: "balance", Head: "BALANCE (STX)", Type: Amount, Least: 16, Most: 24, Keep: 8, Value: func(a Account) Value { return a.stx(func(b *apiclient.STXBalance) string { return b.Balance }) }},
		{Name: "locked", Head: "LOCKED", Type: Amount, Least: 12, Most: 20, Keep: 5, Value: func(a Account) Value { return a.stx(func(b *apiclient.STXBalance) string { return b.Locked }) }},
		{Name: "nonce", Head: "NONCE", Type: Number, Least: 6, Most: 10, Keep: 7, Value: func(a Account) Value {
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

// fields are all that is known of an account, in sections.
func (a Account) fields() []Field {
	fields := []Field{{Section: "Account"}, {Label: "address", Type: Hash, Value: TextOf(a.Principal), Key: "h"}}
	if b := a.STX; b != nil {
		fields = append(fields, Field{Label: "balance", Value: TextOf(stx(b.Balance)), Exact: b.Balance, Key: "b"})
		if locked := microSTX(b.Locked); locked.known && locked.amount.Sign() != 0 {
			until := Field{Label: "locked", Value: TextOf(stx(b.Locked)), Exact: b.Locked}
			if b.UnlockHeight > 0 {
				until.Note = "until burn block " + strconv.FormatInt(b.UnlockHeight, 10)
			}
			fields = append(fields, until)
		}
		if b.Estimated != "" && b.Estimated != b.Balance {
			fields = append(fields, Field{Label: "after what waits", Value: TextOf(stx(b.Estimated)), Exact: b.Estimated})
		}
	}
	fields = append(fields, a.nonces()...)
	for i, h := range a.Fungible {
		if i == 0 {
			fields = append(fields, Field{Section: "Tokens"})
		}
		n, ok := new(big.Int).SetString(h.Balance, 10)
		if !ok {
			n = nil
		}
		fields = append(fields, Field{Label: assetName(h.AssetID), Type: Amount, Value: AmountOf(n, 0), Note: h.AssetID, Exact: h.Balance})
	}
	for i, h := range a.NonFungible {
		if i == 0 {
			fields = append(fields, Field{Section: "Non-fungible tokens"})
		}
		if h.Value != nil {
			fields = append(fields, Field{Label: assetName(h.AssetID), Value: TextOf(h.Value.Repr), Note: h.AssetID, Exact: h.Value.Hex})
		}
	}
	return fields
}

// nonces say which nonce comes next, and what waits.
func (a Account) nonces() []Field {
	n := a.Nonces
	if n == nil {
		return nil
	}
	fields := []Field{{Label: "next nonce", Type: Number, Value: NumberOf(n.Next), Key: "n"}}
	if n.LastExecuted != nil {
		fields = append(fields, Field{Label: "last in a block", Type: Number, Value: NumberAt(n.LastExecuted)})
	}
	if len(n.Pending) > 0 {
		fields = append(fields, Field{Label: "waiting", Value: TextOf(numbers(n.Pending))})
	}
	if len(n.Missing) > 0 {
		fields = append(fields, Field{Label: "missing", Value: TextOf(numbers(n.Missing)), Mark: Bad, Note: "what follows waits for it"})
	}
	return fields
}

// numbers writes a list of numbers in order.
func numbers(list []int64) string {
	words := make([]string, len(list))
	for i, n := range slices.Sorted(slices.Values(list)) {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, ", ")
}
