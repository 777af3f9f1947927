package world

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Invents reports whether what a call answers is invented: nobody has said what it does, its
// contract does not run, and none that is built in plays it.
func (s State) Invents(t *ledger.Tx) bool {
	call, ok := t.Payload.(stxtx.ContractCall)
	if !ok || s.content.runs(t) {
		return false
	}
	if _, canned, _ := s.contracts.Call(callerOf(t, call)); canned {
		return false
	}
	if played, ok := s.content.builtin(call.Contract); ok {
		_, plays := played.Call(s.Ledger(call.Contract), t.Principal(), call.Function, call.Args)
		return !plays
	}
	return true
}

// supposed returns what an undescribed call is assumed to move: what its arguments name, and, if any
// contract can be called, what its own conditions say.
func (c *content) supposed(l *ledger.Ledger, t *ledger.Tx, call stxtx.ContractCall) []outcome.Move {
	moves := c.supposedTransfer(l, t, call)
	if c.anyContract {
		moves = named(l, t, call.Contract, moves)
	}
	return moves
}

// supposedTransfer returns what a call of transfer with the arguments of SIP-009 or SIP-010 is supposed
// to move, of a contract that nothing runs: what it names, of the asset that the contract's
// text defines or that the transaction's own post-conditions name.
func (c *content) supposedTransfer(l *ledger.Ledger, t *ledger.Tx, call stxtx.ContractCall) []outcome.Move {
	if call.Function != "transfer" || len(call.Args) < 3 || len(call.Args) > 4 {
		return []outcome.Move{}
	}
	number, isUInt := call.Args[0].(clarity.UInt)
	from, isSender := call.Args[1].(clarity.Principal)
	to, isRecipient := call.Args[2].(clarity.Principal)
	asset, fungible := c.issued(l, t, call.Contract, len(call.Args) == 4)
	if !isUInt || !isSender || !isRecipient || asset.Name == "" {
		return []outcome.Move{}
	}
	if fungible {
		return []outcome.Move{{Asset: asset, Amount: new(big.Int).Set(number.N), From: &from, To: &to}}
	}
	return []outcome.Move{{Asset: asset, Token: number, From: &from, To: &to}}
}

// issued finds what a contract issues: from the catalogue, from its text, or from the
// post-conditions of the transaction that calls it. Its name is "" for nothing.
func (c *content) issued(l *ledger.Ledger, t *ledger.Tx, id clarity.Principal, fungible bool) (stxtx.Asset, bool) {
	if token, known := c.catalogue.Token(id); known {
		return token.AssetID(), token.Fungible
	}
	if source := c.source(l, id); source != nil {
		tokens := source.NonFungibleTokens
		if fungible {
			tokens = source.FungibleTokens
		}
		for _, token := range tokens {
			return stxtx.Asset{Contract: id, Name: token.Name}, fungible
		}
	}
	for _, p := range t.PostConditions {
		if p.Token.Contract == id && (p.Asset == stxtx.AssetFT) == fungible {
			return p.Token, fungible
		}
	}
	return stxtx.Asset{}, fungible
}

// fungible returns why an asset is no fungible token of its contract, nil where it is one or
// nothing is known of the contract.
func (c *content) fungible(l *ledger.Ledger, asset stxtx.Asset) error {
	var names []string
	if token, known := c.catalogue.Token(asset.Contract); known {
		if token.Fungible {
			names = []string{token.AssetID().Name}
		}
	} else if source := c.source(l, asset.Contract); source != nil {
		for _, token := range source.FungibleTokens {
			names = append(names, token.Name)
		}
	} else {
		return nil
	}
	switch {
	case slices.Contains(names, asset.Name):
		return nil
	case len(names) == 0:
		return fmt.Errorf("tokens: %s has no fungible token; a non-fungible one is sent by a call of its transfer", asset.Contract)
	}
	return fmt.Errorf("tokens: %s has no fungible token %q, but %s", asset.Contract, asset.Name, strings.Join(names, ", "))
}

// maxNamed bounds what an invented call moves: a transaction that lies names tens of
// thousands of assets, and each would stay in the ledger.
const maxNamed = 256

// named adds what the exact conditions of a transaction say that it sends: accounts send to
// the contract that is called, and that one sends to the account that calls it. What is
// supposed already stays as it is.
func named(l *ledger.Ledger, t *ledger.Tx, contract clarity.Principal, moves []outcome.Move) []outcome.Move {
	sent := map[sending]bool{}
	for _, m := range moves {
		if m.From != nil {
			sent[sendingOf(*m.From, m.Asset, m.Token)] = true
		}
	}
	for _, c := range t.PostConditions {
		from, to := t.Principal(), contract
		if c.Principal != nil {
			from = *c.Principal
		}
		if from == contract {
			to = t.Principal()
		}
		m := outcome.Move{Asset: c.Token, From: &from, To: &to}
		switch {
		case c.Asset == stxtx.AssetNFT && c.Condition == stxtx.NFTSent:
			m.Token = c.TokenID
		case (c.Asset == stxtx.AssetSTX || c.Asset == stxtx.AssetFT) && c.Condition == stxtx.SentEqual && c.Amount > 0:
			m.Amount = new(big.Int).SetUint64(c.Amount)
		default:
			continue
		}
		if is := sendingOf(from, m.Asset, m.Token); !sent[is] && len(sent) < maxNamed {
			sent[is] = true
			moves = append(append(moves, lent(l, m)...), m)
		}
	}
	return moves
}

// sending is an asset that is sent, as a condition names it.
type sending struct {
	from  clarity.Principal
	asset stxtx.Asset
	token string
}

func sendingOf(from clarity.Principal, asset stxtx.Asset, token clarity.Value) sending {
	is := sending{from: from, asset: asset}
	if token != nil {
		is.token = clarity.Repr(token)
	}
	return is
}

// lent returns what a contract is given before it sends what it does not have: nobody knows what it
// holds elsewhere. An account sends what it has.
func lent(l *ledger.Ledger, m outcome.Move) []outcome.Move {
	if m.From.Contract == "" || m.Amount == nil {
		return nil
	}
	has := new(big.Int).SetUint64(l.Account(*m.From).Balance)
	if m.Asset != (stxtx.Asset{}) {
		if l.Supply(m.Asset) == nil {
			return nil // of what is not backed everybody has enough
		}
		has = l.Balance(*m.From, m.Asset)
	}
	if m.Amount.Cmp(has) <= 0 {
		return nil
	}
	return []outcome.Move{{Asset: m.Asset, Amount: new(big.Int).Sub(m.Amount, has), To: m.From}}
}
