package resource

import (
	"errors"
	"math/big"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
)

// Holder is an owner of a fungible token.
type Holder struct {
	apiclient.Holder
	// Unit is that of the token, nil where it is not known: then amounts are in its smallest unit.
	Unit *Unit
	// Supply is the total supply of the token in its smallest unit; nil for unknown.
	Supply *big.Int
}

func (h Holder) balance() Value {
	n, ok := new(big.Int).SetString(h.Balance, 10)
	if !ok {
		return Value{}
	}
	if h.Unit == nil {
		return AmountOf(n, 0)
	}
	return AmountOf(n, h.Unit.Decimals)
}

// share returns how much of all that there is the holder has.
func (h Holder) share() Value {
	n, ok := new(big.Int).SetString(h.Balance, 10)
	if !ok || h.Supply == nil || h.Supply.Sign() <= 0 {
		return Value{}
	}
	share, _ := new(big.Rat).SetFrac(n, h.Supply).Float64()
	return ShareOf(share)
}

// unit returns in what the balance is counted.
func (h Holder) unit() string {
	switch {
	case h.Unit == nil:
		return "in the smallest unit"
	case h.Unit.Symbol == "":
		return ""
	}
	return h.Unit.Symbol
}

// Holders describes who has a fungible token.
func Holders() Kind[Holder] {
	return Kind[Holder]{Name: "holder", Fields: Holder.fields, Columns: []Column[Holder]{
		{Name: "holder", Field: "principal", Head: "HOLDER", Type: Principal, Least: 16, Most: 82, Keep: 9, Value: func(h Holder) Value { return TextOf(h.Principal) }},
		{Name: "balance", Field: "amount", Head: "BALANCE", Type: Amount, Least: 14, Most: 40, Keep: 8, Style: Numeral, Value: Holder.balance},
		{Name: "unit", Head: "UNIT", Least: 6, Most: 20, Keep: 5, Blank: true, Style: Muted, Value: func(h Holder) Value { return TextOf(h.unit()) }},
		{Name: "share", Head: "SHARE", Type: Share, Least: 7, Most: 9, Keep: 6, Value: Holder.share},
		{Name: "smallest", Field: "balance", Hidden: true, Value: func(h Holder) Value { return TextOf(h.Balance) }},
	}}
}

func (h Holder) fields() []Field {
	return []Field{
		{Section: "Holder"},
		{Label: "account", Type: Principal, Value: TextOf(brief(h.Principal)), Key: "h", To: LinkTo(h.Principal).Link()},
		{Label: "balance", Type: Amount, Value: h.balance(), Note: brief(h.unit())},
		{Label: "share", Type: Share, Value: h.share(), Note: "of all that there is"},
		{Label: "  smallest unit", Type: Digits, Value: TextOf(brief(h.Balance))},
	}
}

// TokenMove is a change of the owner of a non-fungible token.
type TokenMove struct{ apiclient.TokenMove }

// ID tells moves apart.
func (m TokenMove) ID() string {
	id := m.TxID + ":"
	if m.Index != nil {
		id += strconv.FormatInt(*m.Index, 10)
	}
	return id
}

// what returns what happened to the token.
func (m TokenMove) what() string {
	switch {
	case m.Sender == "":
		return "minted"
	case m.Recipient == "":
		return "burned"
	}
	return "moved"
}

// TokenMoves describes what happened to a non-fungible token.
func TokenMoves() Kind[TokenMove] {
	height := func(m TokenMove) Value {
		if m.BlockHeight == 0 {
			return Value{}
		}
		return NumberOf(m.BlockHeight)
	}
	return Kind[TokenMove]{Name: "move", Fields: TokenMove.fields, Columns: []Column[TokenMove]{
		{Name: "what", Head: "WHAT", Least: 6, Most: 6, Keep: 9, Value: func(m TokenMove) Value { return TextOf(m.what()) }},
		{Name: "from", Field: "sender", Head: "FROM", Type: Principal, Least: 11, Most: 82, Keep: 7, Blank: true, Value: func(m TokenMove) Value { return TextOf(m.Sender) }},
		{Name: "to", Field: "recipient", Head: "TO", Type: Principal, Least: 11, Most: 82, Keep: 8, Blank: true, Value: func(m TokenMove) Value { return TextOf(m.Recipient) }},
		{Name: "tx", Field: "tx_id", Head: "TRANSACTION", Type: Hash, Least: 13, Most: 66, Keep: 6, Value: func(m TokenMove) Value { return TextOf(m.TxID) }},
		{Name: "block", Field: "block_height", Head: "BLOCK", Type: Number, Least: 9, Most: 9, Keep: 4, Style: Muted, Value: height},
		{Name: "age", Field: "time", Head: "AGE", Title: "TIME (UTC)", Type: Moment, Tail: true, Value: func(m TokenMove) Value { return SecondsOf(m.BlockTime) }},
		{Name: "event", Field: "event_index", Type: Number, Value: func(m TokenMove) Value { return NumberAt(m.Index) }},
	}}
}

func (m TokenMove) fields() []Field {
	fields := []Field{
		{Section: "Move"},
		{Label: "what", Value: TextOf(m.what())},
		{Label: "from", Type: Principal, Value: TextOf(brief(m.Sender)), Key: "f", To: LinkTo(m.Sender).Link()},
		{Label: "to", Type: Principal, Value: TextOf(brief(m.Recipient)), Key: "h", To: LinkTo(m.Recipient).Link()},
		{Label: "transaction", Type: Hash, Value: TextOf(brief(m.TxID)), Key: "t", To: transactionPlace(m.TxID).Link()},
		{Label: "event", Type: Number, Value: NumberAt(m.Index)},
		{Label: "time", Type: Moment, Value: SecondsOf(m.BlockTime)},
	}
	if m.BlockHeight != 0 {
		fields = append(fields, Field{Label: "block", Type: Number, Value: NumberOf(m.BlockHeight), To: nav.BlockAtHeight(m.BlockHeight).Link()})
	}
	return fields
}

// PrincipalIn returns the principal in a response or an optional, as get-owner returns it; "" for none.
func PrincipalIn(hex string) (string, error) {
	v, err := clarity.DecodeHex(hex)
	if err != nil {
		return "", err
	}
	_, inner := wrapped(v)
	if p, is := inner.(clarity.Principal); is {
		return p.String(), nil
	}
	if _, none := inner.(clarity.None); none {
		return "", nil
	}
	return "", errors.New("it returns no principal: " + text.Truncate(text.Line(clarity.Repr(v)), 60))
}
