package resource

import (
	"math/big"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// satoshi returns an amount of satoshi in BTC.
func satoshi(amount string) Value {
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		return Value{}
	}
	return AmountOf(n, btcDecimals)
}

// btcDecimals are those of Bitcoin and of sBTC.
const btcDecimals = 8

func btc(amount string) string {
	n, ok := new(big.Int).SetString(amount, 10)
	if !ok {
		return text.Unknown + " BTC"
	}
	return text.Amount(n, btcDecimals) + " BTC"
}

// Bond is a protocol bond, with those who registered for it where they were read.
type Bond struct {
	apiclient.Bond
	Registered []apiclient.Registration
}

// ID returns the number of the bond, as a place names it.
func (b Bond) ID() string { return strconv.FormatInt(b.Index, 10) }

// Bonds describes bonds.
func Bonds() Kind[Bond] {
	return Kind[Bond]{Name: "bond", Fields: Bond.fields, Columns: []Column[Bond]{
		{Name: "bond", Head: "BOND", Type: Number, Least: 4, Most: 6, Keep: 9, Value: func(b Bond) Value { return NumberOf(b.Index) }},
		{Name: "status", Head: "STATUS", Least: 8, Most: 10, Keep: 8, Value: func(b Bond) Value { return TextOf(b.Status) }},
		{Name: "rate", Head: "RATE", Least: 6, Most: 8, Keep: 5, Value: func(b Bond) Value { return TextOf(b.rate()) }},
		{Name: "locked", Head: "LOCKED (BTC)", Type: Amount, Least: 12, Most: 20, Keep: 7, Style: Numeral, Value: func(b Bond) Value { return satoshi(b.Balances.Locked.BTC) }},
		{Name: "stx", Head: "LOCKED (STX)", Type: Amount, Least: 14, Most: 22, Keep: 6, Style: Numeral, Value: func(b Bond) Value { return microSTX(b.Balances.Locked.STX) }},
		{Name: "begins", Head: "BEGINS", Type: Number, Least: 8, Most: 10, Keep: 4, Style: Muted, Value: func(b Bond) Value { return NumberOf(b.Schedule.Activation.Height) }},
		{Name: "unlocks", Head: "UNLOCKS", Type: Number, Least: 9, Most: 10, Keep: 3, Style: Muted, Value: func(b Bond) Value { return NumberOf(b.Schedule.Unlock.Height) }},
	}}
}

// percent writes hundredths of a percent.
func percent(bps int64) string { return text.Amount(big.NewInt(bps), 2) + "%" }

func (b Bond) rate() string { return percent(b.Parameters.Rate) }

// fields returns all that is known of a bond.
func (b Bond) fields() []Field {
	at := func(label string, p apiclient.BondPoint) Field {
		return Field{Label: label, Type: Number, Value: NumberOf(p.Height), Note: "burn block, reward cycle " + text.Count(p.Cycle), To: nav.BurnBlockAtHeight(p.Height).Link()}
	}
	fields := []Field{
		{Section: "Bond"},
		{Label: "bond", Type: Number, Value: NumberOf(b.Index)},
		{Label: "status", Value: TextOf(b.Status)},
		{Label: "target rate", Value: TextOf(b.rate()), Note: "a year"},
		{Label: "capacity", Value: TextOf(btc(b.Parameters.Capacity)), Exact: b.Parameters.Capacity},
		{Label: "STX for 100 satoshi", Value: TextOf(STX(strconv.FormatInt(b.Parameters.Ratio, 10)))},
		{Label: "of them at least", Value: TextOf(percent(b.Parameters.Least))},
		at("begins at", b.Schedule.Activation),
		at("unlocks at", b.Schedule.Unlock),
		{Label: "locked bitcoin", Value: TextOf(btc(b.Balances.Locked.BTC)), Exact: b.Balances.Locked.BTC},
		{Label: "locked STX", Value: TextOf(STX(b.Balances.Locked.STX)), Exact: b.Balances.Locked.STX},
		{Label: "allowed", Type: Number, Value: NumberOf(b.Registrations.Allowed), Note: "accounts may register"},
		{Label: "registered", Type: Number, Value: NumberOf(b.Registrations.Registered)},
	}
	if id := b.Transaction.ID; id != "" {
		fields = append(fields, Field{Label: "set up by", Type: Hash, Value: TextOf(id), To: nav.Transaction(id).Link()})
	}
	for i, r := range b.Registered {
		if i == 0 {
			fields = append(fields, Field{Section: "Registrations"})
		}
		fields = append(fields, Field{
			Label: map[string]string{"l1": "on Bitcoin", "l2": "sBTC"}[r.Type], Type: Hash, Value: TextOf(r.Staker),
			Note: btc(r.Balances.BTC) + " and " + STX(r.Balances.STX), To: nav.Account(r.Staker).Link(),
		})
	}
	if more := b.Registrations.Registered - int64(len(b.Registered)); more > 0 && len(b.Registered) > 0 {
		fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(int(more), "other registration"))})
	}
	return fields
}

// Signer is a contract that runs a signer, with those who stake with it where they were read.
type Signer struct {
	apiclient.Signer
	Stakers []apiclient.Staker
	// All counts them, the listed ones included.
	All int64
}

// Signers describes signers.
func Signers() Kind[Signer] {
	return Kind[Signer]{Name: "signer", Fields: Signer.fields, Columns: []Column[Signer]{
		{Name: "signer", Head: "SIGNER", Type: Principal, Least: 20, Most: 82, Keep: 9, Value: func(s Signer) Value { return TextOf(s.ID) }},
		{Name: "key", Head: "KEY", Type: Hash, Least: 13, Most: 68, Keep: 7, Style: Muted, Value: func(s Signer) Value { return TextOf(s.Key) }},
	}}
}

// fields returns all that is known of a signer.
func (s Signer) fields() []Field {
	fields := []Field{
		{Section: "Signer"},
		{Label: "signer", Type: Principal, Value: TextOf(s.ID), To: nav.Contract(s.ID).Link(), Key: "h"},
		{Label: "key", Type: Hash, Value: TextOf(s.Key), Key: "k"},
	}
	if id := s.Transaction.ID; id != "" {
		fields = append(fields, Field{Label: "registered by", Type: Hash, Value: TextOf(id), To: nav.Transaction(id).Link()}, Field{Label: "stakers", Type: Number, Value: NumberOf(s.All)})
	}
	words := map[string]string{"stx": "STX", "btc": "bitcoin"}
	for i, of := range s.Stakers {
		if i == 0 {
			fields = append(fields, Field{Section: "Stakers"})
		}
		label := ""
		for _, kind := range of.Types {
			if label != "" {
				label += ", "
			}
			label += words[kind]
		}
		fields = append(fields, Field{Label: label, Type: Hash, Value: TextOf(of.Staker), To: nav.Account(of.Staker).Link()})
	}
	if more := s.All - int64(len(s.Stakers)); more > 0 && len(s.Stakers) > 0 {
		fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(int(more), "other staker"))})
	}
	return fields
}

// Staking holds the stakes of an account, and its bonds.
type Staking struct {
	Position apiclient.StakingPosition
	Bonds    []apiclient.BondPosition
	// Gone says that the server has no route for it.
	Gone bool
}

// RestOfStaking is the label of the field that says that the staking position was not read yet.
const RestOfStaking = "position"

// staking returns the fields of what an account stakes. Until when its own STX are locked is with its
// balance, where the service says it.
func (a Account) staking() []Field {
	fields := []Field{{Section: "Staking"}}
	if a.Staking == nil {
		return append(fields, Field{Label: RestOfStaking, Value: TextOf("not read yet"), LinkOnly: true})
	}
	if a.Staking.Gone {
		return append(fields, Field{Label: RestOfStaking, Value: TextOf("this server has no route for it"), Mark: Remark, LinkOnly: true})
	}
	p := &a.Staking.Position
	if p.STX.Locked == "0" && p.STX.Rewards.BTC.Accrued == "0" && p.Bonds.Count == 0 {
		return append(fields, Field{Label: RestOfStaking, Value: TextOf("stakes nothing"), Mark: Remark, LinkOnly: true})
	}
	own := Field{Label: "staked STX", Value: TextOf(STX(p.STX.Locked)), Exact: p.STX.Locked}
	if a.STX != nil && a.STX.UnlockHeight > 0 && p.STX.Locked != "0" {
		own.Note = "until burn block " + text.Count(a.STX.UnlockHeight)
	}
	fields = append(append(fields, own), earned("rewards", p.STX.Rewards)...)
	fields = append(fields, Field{Label: "bonds", Type: Number, Value: NumberOf(p.Bonds.Count), To: nav.Listed(nav.KindBonds, "").Link()})
	if p.Bonds.Count > 0 {
		fields = append(fields, Field{Label: "in bonds", Value: TextOf(btc(p.Bonds.Locked.BTC) + " and " + STX(p.Bonds.Locked.STX))})
		fields = append(fields, earned("rewards of bonds", p.Bonds.Rewards)...)
	}
	for _, b := range a.Staking.Bonds {
		id := strconv.FormatInt(b.Bond, 10)
		status := b.Status
		if status == "early_exit" {
			status = "left early"
		}
		fields = append(fields, Field{Label: "bond " + id, Value: TextOf(btc(b.Locked.BTC) + " and " + STX(b.Locked.STX)), Note: status, To: nav.Listed(nav.KindBonds, id).Link()})
	}
	return fields
}

// earned returns rewards: what was earned, and how much of it can be claimed.
func earned(label string, e apiclient.Earned) []Field {
	return []Field{{Label: label, Value: TextOf(btc(e.BTC.Accrued)), Exact: e.BTC.Accrued, Note: btc(e.BTC.Claimable) + " to be claimed"}}
}
