package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// ServeWhy says why a transaction ended as it did.
func ServeWhy(x *Exchange) {
	id, ok := chain.ParseHash(x.param(0))
	if !ok {
		x.Thrown(http.StatusBadRequest, "", "the id of a transaction has 64 hexadecimal digits, with or without 0x")
		return
	}
	all := x.transactions()
	tx, known := all.find(id)
	if !known {
		x.serveWhyRefused(id)
		return
	}
	body := all.body(tx)
	ended := all.ended(tx, body.Status)
	if body.pendingBody != nil && body.ReplacedBy != nil {
		ended.ReplacedBy = *body.ReplacedBy
	}
	x.Value(http.StatusOK, outcome.Explain(ended))
}

// ended returns what is known of how a transaction ended.
func (t *transactions) ended(tx *ledger.Tx, status string) outcome.Ended {
	ended := outcome.Ended{
		Status: status, VMError: tx.Error, Violation: tx.Violation, Unit: t.unit,
		Held: &outcome.Held{Origin: tx.Principal(), Conditions: tx.PostConditions},
	}
	if tx.Result != nil {
		ended.Result = clarity.Repr(tx.Result)
	} else {
		ended.Waits = t.waitsFor(tx)
	}
	if call, isCall := tx.Payload.(stxtx.ContractCall); isCall {
		ended.Function, ended.Contract = call.Function, call.Contract.String()
		c, _ := contractOf(t.State, call.Contract)
		ended.Source = c.text
	}
	return ended
}

// serveWhyRefused returns why a transaction was refused, if it was.
func (x *Exchange) serveWhyRefused(id chain.Hash) {
	refused, known := x.World.Refusals.Find(strings.TrimPrefix(id.String(), "0x"))
	if !known {
		x.Thrown(http.StatusNotFound, "", "there is no such transaction")
		return
	}
	x.Value(http.StatusOK, whyRefused(refused))
}

// whyRefused returns why a node refuses a transaction.
func whyRefused(refused world.Refusal) outcome.Why {
	data, err := json.Marshal(refused.Data)
	if err != nil {
		data = nil // the reason alone
	}
	why := outcome.Explain(outcome.Ended{
		Status: outcome.Rejected, Contract: refused.Contract, Function: refused.Function,
		Rejection: &outcome.Rejection{Reason: string(refused.Reason), Data: data},
	})
	if refused.Reason == ledger.NoSuchContract || refused.Reason == ledger.NoSuchPublicFunction {
		why.Fix += "; of a contract that is elsewhere, say what it does with --contracts, or take any call with --any-contract"
	}
	return why
}

// waitsFor reports what a transaction of the mempool waits for.
func (t *transactions) waitsFor(tx *ledger.Tx) *outcome.Waits {
	w := &outcome.Waits{Nonce: tx.Auth.Origin.Nonce, Held: t.OnHold(), Fee: tx.Fee(), Unread: tx.Unread}
	look := func(of clarity.Principal, nonce uint64) {
		l := t.Ledger(of)
		for _, n := range l.Nonces(of).Missing { // the highest first
			if n < nonce {
				missing := n
				w.Missing, w.Of, w.Nonce = &missing, of.String(), nonce
			}
		}
	}
	look(tx.Principal(), tx.Auth.Origin.Nonce)
	if s := tx.Auth.Sponsor; s != nil && w.Missing == nil {
		look(clarity.Principal{Address: s.Address(tx.Mainnet())}, s.Nonce)
	}
	return w
}

// unit returns the symbol and the decimals of a token of the catalogue.
func (t *transactions) unit(asset stxtx.Asset) (symbol string, decimals int, known bool) {
	token, known := t.State.Token(asset.Contract)
	if !known || !token.Fungible || token.AssetID() != asset || token.Symbol == "" {
		return "", 0, false
	}
	return token.Symbol, token.Decimals, true
}
