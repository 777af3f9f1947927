package resource

import (
	"math/big"
	"strings"

	"chainscope/apiclient"
)

// Entry holds what a transaction brought to an account, or took from it, of one asset: a row of a
// spreadsheet.
type Entry struct {
	Transaction
	// Asset is "STX", the id of a token, or that of a non-fungible one with its value; "" where
	// nothing moved.
	Asset string
	// Amount is signed, in units of the asset shifted by Decimals; nil where nothing moved, and
	// where the decimals or the amount are not known. What was paid as a fee is not in it.
	Amount   *big.Int
	Decimals int
	// Counterparty is the other side, or the contract that was called; "" for several.
	Counterparty string
	// Fee holds what the account paid, on the first entry of a transaction; nil for nothing.
	Fee *big.Int
}

// Entries describes entries.
func Entries() Kind[Entry] {
	return Kind[Entry]{Name: "entry", Columns: []Column[Entry]{
		{Name: "time", Head: "TIME (UTC)", Type: Moment, Value: func(e Entry) Value { return e.when() }},
		{Name: "height", Type: Number, Value: func(e Entry) Value { return NumberAt(e.BlockHeight) }},
		{Name: "tx_id", Head: "TRANSACTION", Type: Hash, Value: func(e Entry) Value { return TextOf(e.ID) }},
		{Name: "what", Head: "WHAT", Value: func(e Entry) Value { return TextOf(e.What()) }},
		{Name: "status", Value: func(e Entry) Value { return TextOf(e.Status) }},
		{Name: "counterparty", Type: Principal, Value: func(e Entry) Value { return TextOf(e.Counterparty) }},
		{Name: "asset", Head: "ASSET", Blank: true, Value: func(e Entry) Value { return TextOf(e.Asset) }},
		{Name: "amount", Head: "AMOUNT", Type: Amount, Blank: true, Value: func(e Entry) Value { return AmountOf(e.Amount, e.Decimals) }},
		{Name: "fee", Head: "FEE (STX)", Type: Amount, Blank: true, Value: func(e Entry) Value { return AmountOf(e.Fee, stxDecimals) }},
		{Name: "nonce", Type: Number, Value: func(e Entry) Value { return NumberAt(e.Nonce) }},
	}}
}

// Unknown reports whether something moved of which is not known how much.
func (e Entry) Unknown() bool { return e.Asset != "" && e.Amount == nil }

// ListsMoves reports whether a row of an account's list shows all that moved: it is neither a
// call nor a deploy, or it failed. Otherwise its events do.
func (t Transaction) ListsMoves() bool {
	calls := t.ContractCall != nil || t.SmartContract != nil
	return !calls || t.Status != apiclient.StatusSuccess || t.EventCount != nil && *t.EventCount == 0
}

// EntriesOf returns the entries of an account for a transaction whose events are known, or not
// needed. The units of tokens are those of its background.
func (t Transaction) EntriesOf(principal string) []Entry {
	var all []Entry
	add := func(asset string, amount *big.Int, decimals int) {
		all = append(all, Entry{Transaction: t, Asset: asset, Amount: amount, Decimals: decimals, Counterparty: t.counterparty(principal, asset)})
	}
	if t.TokenTransfer != nil && t.Status == apiclient.StatusSuccess {
		n := Decimal(t.TokenTransfer.Amount)
		if n != nil && t.Sender == principal {
			n.Neg(n)
		}
		if t.TokenTransfer.Recipient == principal || t.Sender == principal {
			add("STX", n, stxDecimals)
		}
	} else {
		for _, m := range t.moves() {
			if m.account != principal {
				continue
			}
			for _, value := range m.values {
				sign, value := value[:1], value[1:]
				add(m.asset+" "+value, Decimal(strings.TrimPrefix(sign+"1", "+")), 0)
			}
			if len(m.values) == 0 {
				contract, _, _ := strings.Cut(m.asset, "::")
				unit, known := t.Units[contract]
				asset, amount := m.asset, new(big.Int).Sub(&m.received, &m.sent)
				if asset == "" {
					asset, unit.Decimals, known = "STX", stxDecimals, true
				}
				if !known || m.partly {
					amount = nil // nothing in another unit beside the others
				}
				add(asset, amount, unit.Decimals)
			}
		}
	}
	if len(all) == 0 {
		add("", nil, 0)
	}
	if payer := t.Sponsor; payer == principal || payer == "" && t.Sender == principal {
		all[0].Fee = Decimal(t.FeeRate)
	}
	return all
}

// counterparty returns the one other account that an asset came from or went to, else what was
// called, else nobody.
func (t Transaction) counterparty(principal, asset string) string {
	if t.TokenTransfer != nil {
		if t.Sender == principal {
			return t.TokenTransfer.Recipient
		}
		return t.Sender
	}
	other := ""
	for _, e := range t.Events {
		a := movedBy(e)
		if a == nil || a.AssetID != strings.TrimSuffix(asset, "STX") && !strings.HasPrefix(asset, a.AssetID+" ") {
			continue
		}
		side := ""
		switch principal {
		case a.Sender:
			side = a.Recipient
		case a.Recipient:
			side = a.Sender
		}
		switch {
		case side == "" || side == other:
		case other != "":
			return t.To()
		default:
			other = side
		}
	}
	if other == "" {
		return t.To()
	}
	return other
}
