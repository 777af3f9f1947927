package world

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Warm lets the first transaction not wait for the virtual machine, if there is one.
func (w *World) Warm() error {
	if w.vm == nil {
		return nil
	}
	return w.vm.Warm()
}

// Stage does what a project does before anything else, in the first blocks of the young
// chain, one block each, which a fork's clock is then ahead, and lets w remember what is done from then on, for Restage. Nothing
// else may use w yet, and nothing was done to it. Before each deploy, progress is given its number, how many
// there are, and its name.
func (w *World) Stage(p *engine.Project, progress func(n, of int, name string)) error {
	next := *w.begin
	if err := w.shared.Fork.readOf(p.Accounts); err != nil {
		return err
	}
	for _, a := range p.Accounts {
		if err := next.ledgers[networkOf(a.Principal)].SetAccount(a.Principal, &a.Balance, nil); err != nil {
			return fmt.Errorf("the account %s: %w", a.Name, err)
		}
	}
	height, tip := int64(engine.FirstBlock), w.shared.Chain.Tip(w.moment().instant)
	if w.shared.Fork != nil {
		height, tip = w.shared.Chain.FirstHeight()+1, math.MaxInt64
	}
	for i, s := range p.Transactions {
		if deploy, ok := s.Payload.(stxtx.SmartContract); ok {
			progress(i+1, len(p.Transactions), deploy.Name)
		}
		if w.shared.Chain.BeginsTenure(height) {
			height++
		}
		if height > tip {
			return fmt.Errorf("the project has %d transactions, and the chain only %d blocks", len(p.Transactions), tip)
		}
		if err := w.stage(&next, s, height); err != nil {
			return err
		}
		height++
	}
	for _, a := range p.Accounts {
		if p.SBTC.Name != "" {
			next.ledgers[testnet].SetTokens(a.Principal, p.SBTC, new(big.Int).SetUint64(a.SBTC))
		}
	}
	if w.shared.Fork != nil {
		next.clock = next.clock.Later(w.shared.Chain.Before(height) - w.shared.Chain.Before(w.shared.Chain.FirstHeight()+1))
	}
	w.begin, w.now, w.journal = &next, &next, &Journal{}
	return nil
}

func (w *World) stage(c *content, s engine.Staged, height int64) error {
	l := &c.ledgers[networkOf(s.Sender)]
	signed, id, err := s.Transaction(l.Account(s.Sender).Nonce)
	if err != nil {
		return err
	}
	var unread error
	t := l.Carry(signed, id, height, func(l *ledger.Ledger, t *ledger.Tx) ledger.Effect {
		does := w.run(c, l, t)
		unread = does.Unread
		return does
	})
	c.history = c.history.Add(height, chain.HashOf(id))
	if unread != nil {
		return unread
	}
	if !t.Aborted() {
		return nil
	}
	what := ""
	switch p := t.Payload.(type) {
	case stxtx.SmartContract:
		what = "the contract " + p.Name
	case stxtx.ContractCall:
		what = "the call of " + p.Function
	}
	if said, _, found := strings.Cut(t.Error, onMainnet+"deploy"); found {
		return fmt.Errorf("%s: %s; make it one of [[project.requirements]] in Clarinet.toml", what, said)
	}
	if version, fix := outcome.OtherVersion(t.Error); version != "" {
		return fmt.Errorf("%s: %s; %s: %s", what, t.Error, version, fix)
	}
	if t.Error == "" {
		return fmt.Errorf("%s answers %s", what, clarity.Repr(t.Result))
	}
	return fmt.Errorf("%s: %s", what, outcome.Undeployed(t.Error))
}
