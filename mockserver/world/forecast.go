package world

import (
	"context"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Forecast describes how a transaction would end if it were sent now.
type Forecast struct {
	// State is the world with the block that would carry it. If none would, it has the
	// transaction in the mempool, and it is unchanged if the transaction would be refused.
	State State
	Tx    *ledger.Tx // nil where it would be refused
	// Rejection is the reason why it would be refused, nil if it would be taken.
	Rejection *ledger.Rejection
	// Moves holds what it would move, whether or not post-conditions let it.
	Moves []outcome.Move
	Known Known
}

// Known says from where a world has what a transaction does.
type Known int

// A world computes what a transaction does as the chain does, takes it from a description, or
// invents it.
const (
	AsOnTheChain Known = iota
	WrittenDown
	Invented
)

// Forecast returns how a transaction would end, even if it still lacks signatures. It runs a real
// block on a copy: nothing changes, and what waits goes first as it would.
func (w *World) Forecast(raw []byte) Forecast {
	now := w.State()
	t, rejection := ledger.DecodeDraft(raw, now.impersonated.has)
	if rejection != nil {
		return Forecast{State: now, Rejection: rejection}
	}
	if err := w.shared.Fork.readFor(context.Background(), t); err != nil {
		return Forecast{State: now, Rejection: ledger.Unknown(t.ID, err)}
	}
	trial, tip := *now.content, now.View.Tip()
	f := Forecast{State: now, Known: w.certainty(&trial, t)}
	next := w.nextHeight(tip)
	for i := range trial.ledgers {
		trial.ledgers[i].Release(next) // how it ends does not depend on when
	}
	if _, f.Rejection = w.accept(&trial, t, now.View.NowMS(), tip); f.Rejection != nil {
		return f
	}
	does := w.outcomes(&trial)
	noted := func(l *ledger.Ledger, of *ledger.Tx) ledger.Effect {
		effect := does(l, of)
		if of.ID == t.ID {
			f.Moves = effect.Moves
		}
		return effect
	}
	for trial.findDue(); trial.due <= next; {
		w.settle(&trial, trial.due, noted)
	}
	f.State.content = &trial
	f.Tx, _ = f.State.Transaction(t.ID)
	if f.Moves == nil {
		f.Moves = f.Tx.Moved
	}
	return f
}

// certainty returns how it is known what a transaction does.
func (w *World) certainty(c *content, t *ledger.Tx) Known {
	switch p := t.Payload.(type) {
	case stxtx.SmartContract:
		if (w.vm == nil || !c.runs(t)) && deployEffect(p.Code).Error == "" {
			return WrittenDown // a type checker may find what is wrong with it
		}
	case stxtx.ContractCall:
		if w.vm != nil && c.runs(t) {
			return AsOnTheChain
		}
		if (State{content: c}).Invents(t) {
			return Invented
		}
		if _, canned, _ := c.contracts.Call(callerOf(t, p)); canned {
			return WrittenDown
		}
	}
	return AsOnTheChain
}
