package resource

import (
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Background holds what helps to explain a transaction and is not in its own record. What was not
// read is its zero value.
type Background struct {
	// Contract is the one that was called: its source, and the names of its arguments.
	Contract *Contract
	// Units are those of fungible tokens, by their contracts.
	Units map[string]Unit
	// Waits describes what a transaction waits for, Queue where it is among those that wait.
	Waits *outcome.Waits
	Queue *Queue
	// Settled is the outcome of a withdrawal of sBTC, nil where it was not searched for.
	Settled *Settled
	// Call is the call of the wallet of this program that signed it, nil for none.
	Call *OwnCall
}

// OwnCall is a call of the wallet: its method, its key in the timeline, and who answered it.
type OwnCall struct{ Method, Key, By string }

// Unit holds what people count a token in.
type Unit struct {
	Symbol   string
	Decimals int
}

// UnitOf returns the unit of a token, false where its decimals are not known.
func UnitOf(t *apiclient.FungibleToken) (Unit, bool) {
	if t.Decimals == nil || !usable(*t.Decimals) {
		return Unit{}, false
	}
	return Unit{Symbol: strings.Join(strings.Fields(t.Symbol), " "), Decimals: *t.Decimals}, true
}

// Queue is the place of a transaction among those that wait, by their fees.
type Queue struct {
	Place int // from 1
	Of    int // those that were read
	Total int64
}

// amount writes an amount of an asset, "" for STX. Without a known unit it is in the
// smallest one.
func (b Background) amount(n *big.Int, asset string) string {
	if asset == "" {
		return text.Amount(n, stxDecimals) + " STX"
	}
	contract, _, _ := strings.Cut(asset, "::")
	unit, known := b.Units[contract]
	if !known {
		return text.Amount(n, 0) + " " + assetName(asset) + " (smallest unit)"
	}
	if unit.Symbol == "" {
		unit.Symbol = assetName(asset)
	}
	return text.Amount(n, unit.Decimals) + " " + brief(unit.Symbol)
}

// signed writes an amount of an asset with its sign.
func (b Background) signed(n *big.Int, asset string) string {
	sign := "+"
	if n.Sign() < 0 {
		sign = "-"
	}
	return sign + b.amount(new(big.Int).Abs(n), asset)
}

// unit returns the symbol and the decimals of a token, for an explanation of how a transaction
// ended.
func (b Background) unit(a stxtx.Asset) (symbol string, decimals int, known bool) {
	unit, known := b.Units[a.Contract.String()]
	if unit.Symbol == "" {
		unit.Symbol = a.Name
	}
	return unit.Symbol, unit.Decimals, known
}

// argument returns what the interface of the contract says of an argument that came without its
// name.
func (b Background) argument(function string, i int) (name, of string) {
	if b.Contract == nil {
		return "", ""
	}
	f, ok := b.Contract.Face.Function(function)
	if !ok || i >= len(f.Args) {
		return "", ""
	}
	return f.Args[i].Name, f.Args[i].Type.String()
}
