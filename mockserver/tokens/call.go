package tokens

import (
	"math/big"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Token is a contract of the catalogue that can be called.
type Token struct {
	Contract
	id    clarity.Principal
	asset stxtx.Asset
}

// Token returns the contract of the catalogue with an id. A nil catalogue has none.
func (c *Catalogue) Token(id clarity.Principal) (Token, bool) {
	if c == nil {
		return Token{}, false
	}
	of, known := c.byName[id.String()]
	if !known {
		return Token{}, false
	}
	return Token{of.toCall(), id, stxtx.Asset{Contract: id, Name: of.asset}}, true
}

// AssetID returns the asset that the contract issues.
func (t Token) AssetID() stxtx.Asset { return t.asset }

// Begin gives the deployer of each contract of a network what nobody else was given.
func (c *Catalogue) Begin(l *ledger.Ledger, mainnet bool) {
	for _, one := range c.contracts {
		of := one.toCall()
		id, err := clarity.ParseContract(of.Principal)
		if err != nil || id.Address.Testnet() == mainnet {
			continue
		}
		t := Token{of, id, stxtx.Asset{Contract: id, Name: of.Asset}}
		deployer := clarity.Principal{Address: id.Address}
		if of.Fungible {
			given := l.Supply(t.asset)
			if given == nil {
				given = new(big.Int)
			}
			if left := new(big.Int).Sub(of.Supply, given); left.Sign() > 0 {
				l.Grant(deployer, t.asset, left, nil)
			}
			continue
		}
		for _, n := range of.IDs {
			token := clarity.NewUInt(n)
			if _, there := l.Owns(deployer, t.asset, token); !there {
				l.Grant(deployer, t.asset, nil, token)
			}
		}
	}
}

// The errors of transfer, as the standards and the contracts that follow them have them.
var (
	errBalance   = fails(1) // more than the balance, or not the owner
	errRecipient = fails(2) // the sender is the recipient
	errAmount    = fails(3) // an amount of 0, or no such token
	errCaller    = fails(4) // the caller is not the sender
)

func fails(code uint64) ledger.Effect {
	return ledger.Effect{Result: clarity.Err{Value: clarity.NewUInt(code)}}
}

// Call returns the effect of a call by a caller. It reports false for a function that the contract
// does not have.
func (t Token) Call(l *ledger.Ledger, caller clarity.Principal, function string, args []clarity.Value) (ledger.Effect, bool) {
	if function != "transfer" || len(args) < 3 {
		return ledger.Effect{}, false
	}
	return t.transfer(l, caller, args), true
}

// transfer sends tokens. The arguments were checked when the transaction was admitted.
func (t Token) transfer(l *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect {
	n, isUInt := args[0].(clarity.UInt)
	from, isSender := args[1].(clarity.Principal)
	to, isRecipient := args[2].(clarity.Principal)
	switch {
	case !isUInt || !isSender || !isRecipient || from != caller:
		return errCaller
	case t.Fungible && n.N.Sign() == 0:
		return errAmount
	case from == to:
		return errRecipient
	case t.Fungible:
		return t.send(l, n, from, to, args[3:])
	}
	if owns, there := l.Owns(from, t.asset, n); !there {
		return errAmount
	} else if !owns {
		return errBalance
	}
	return ledger.Effect{Moves: []outcome.Move{{Asset: t.asset, Token: n, From: &from, To: &to}}}
}

// send returns the effect of sending units of a fungible token. A memo is printed.
func (t Token) send(l *ledger.Ledger, n clarity.UInt, from, to clarity.Principal, memo []clarity.Value) ledger.Effect {
	if l.Balance(from, t.asset).Cmp(n.N) < 0 {
		return errBalance
	}
	does := ledger.Effect{Moves: []outcome.Move{{Asset: t.asset, Amount: n.N, From: &from, To: &to}}}
	if len(memo) == 1 {
		if some, given := memo[0].(clarity.Some); given {
			does.Prints = []ledger.Print{{Contract: t.id, Value: some.Value}}
		}
	}
	return does
}

// Read answers a read-only function. It reports false for a function that the contract does
// not have, or arguments that it does not take.
func (t Token) Read(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool) {
	if t.Fungible {
		return t.readFungible(l, function, args)
	}
	ok := func(v clarity.Value) (clarity.Value, bool) { return clarity.OK{Value: v}, true }
	switch {
	case function == "get-last-token-id" && len(args) == 0:
		last := uint64(0)
		for _, n := range t.IDs {
			last = max(last, n)
		}
		return ok(clarity.NewUInt(last))
	case function == "get-token-uri" && len(args) == 1:
		return ok(clarity.None{})
	case function == "get-owner" && len(args) == 1:
		if owner, there := l.Owner(t.asset, args[0]); there {
			return ok(clarity.Some{Value: owner})
		}
		return ok(clarity.None{})
	}
	return nil, false
}

func (t Token) readFungible(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool) {
	if function == "get-balance" && len(args) == 1 {
		who, isPrincipal := args[0].(clarity.Principal)
		if !isPrincipal {
			return nil, false
		}
		return clarity.OK{Value: clarity.UInt{N: l.Balance(who, t.asset)}}, true
	}
	if len(args) != 0 {
		return nil, false
	}
	var v clarity.Value
	switch function {
	case "get-total-supply":
		v = clarity.NewUInt(0)
		if supply := l.Supply(t.asset); supply != nil {
			v = clarity.UInt{N: supply}
		}
	case "get-decimals":
		v = clarity.NewUInt(uint64(max(0, t.Decimals)))
	case "get-name":
		v = clarity.ASCII(ascii(t.Name, maxName))
	case "get-symbol":
		v = clarity.ASCII(ascii(t.Symbol, maxSymbol))
	case "get-token-uri":
		v = clarity.None{}
		if uri := ascii(t.URI, maxURI); uri != "" {
			v = clarity.Some{Value: clarity.UTF8(uri)}
		}
	default:
		return nil, false
	}
	return clarity.OK{Value: v}, true
}
