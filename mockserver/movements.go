package mockserver

import (
	"math/big"
	"slices"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// transactions reads the transactions of a state as the API shows them. It
// remembers what it found out about contracts, and serves one request.
type transactions struct {
	world.State
	catalogue *tokens.Catalogue
	assets    map[clarity.Principal]issued
}

func (x *exchange) transactions() *transactions { return x.s.transactions(x.state()) }

func (s *Server) transactions(state world.State) *transactions {
	return &transactions{State: state, catalogue: s.tokens(), assets: map[clarity.Principal]issued{}}
}

// issued are the identifiers of what a contract issues, "" for nothing.
type issued struct{ fungible, nonFungible string }

// movement is something that a transaction moved: STX, or what a contract issued.
type movement struct {
	asset  string        // identifier; "" for STX
	token  clarity.Value // identifier of a non-fungible one, else nil
	amount *big.Int      // 1 of a non-fungible one
	memo   string        // hexadecimal, of STX only
	from   clarity.Principal
	to     clarity.Principal
}

// movements lists what a transaction in a block moved. There is no interpreter:
// a call of transfer with the arguments of SIP-009 or SIP-010 is taken to move
// what it names.
func (t *transactions) movements(tx *ledger.Tx) []movement {
	if tx.Result == nil || tx.Aborted() {
		return nil
	}
	switch p := tx.Payload.(type) {
	case stxtx.TokenTransfer:
		return []movement{{amount: new(big.Int).SetUint64(p.Amount), memo: with0x(p.Memo[:]), from: tx.Principal(), to: p.Recipient}}
	case stxtx.ContractCall:
		if m, ok := t.tokenTransfer(tx, p); ok {
			return []movement{m}
		}
	}
	return nil
}

// tokenTransfer reads a call of transfer: (uint principal principal) of SIP-009,
// or with a memo after them, of SIP-010.
func (t *transactions) tokenTransfer(tx *ledger.Tx, call stxtx.ContractCall) (m movement, ok bool) {
	if call.Function != "transfer" || len(call.Args) < 3 || len(call.Args) > 4 {
		return m, false
	}
	number, isUInt := call.Args[0].(clarity.UInt)
	from, isSender := call.Args[1].(clarity.Principal)
	to, isRecipient := call.Args[2].(clarity.Principal)
	if !isUInt || !isSender || !isRecipient {
		return m, false
	}
	of := t.issuedBy(call.Contract, tx)
	m = movement{asset: of.fungible, amount: number.N, from: from, to: to}
	if len(call.Args) == 3 {
		m.asset, m.token, m.amount = of.nonFungible, number, big.NewInt(1)
	}
	return m, m.asset != ""
}

// issuedBy finds what a contract issues: from the catalogue, from its text, or
// from the post-conditions of the transaction that calls it.
func (t *transactions) issuedBy(id clarity.Principal, tx *ledger.Tx) issued {
	found, known := t.assets[id]
	if !known {
		found = t.lookUp(id)
		t.assets[id] = found
	}
	if found != (issued{}) {
		return found
	}
	for _, p := range tx.PostConditions {
		if p.Token.Contract != id {
			continue
		}
		switch p.Asset {
		case stxtx.AssetFT:
			found.fungible = p.Token.String()
		case stxtx.AssetNFT:
			found.nonFungible = p.Token.String()
		}
	}
	return found
}

func (t *transactions) lookUp(id clarity.Principal) (found issued) {
	if identifier, fungible, known := t.catalogue.Asset(id.String()); known {
		if fungible {
			return issued{fungible: identifier}
		}
		return issued{nonFungible: identifier}
	}
	c, _ := contractOf(t.State, id)
	face := contracts.Interface{}
	if c.source != nil {
		face = c.source.Interface
	}
	for _, token := range face.FungibleTokens {
		found.fungible = id.String() + "::" + token.Name
	}
	for _, token := range face.NonFungibleTokens {
		found.nonFungible = id.String() + "::" + token.Name
	}
	return found
}

// touches reports whether a transaction is one of a principal, what it moved
// included.
func (t *transactions) touches(tx *ledger.Tx, p clarity.Principal) bool {
	if tx.Touches(p) {
		return true
	}
	for _, m := range t.movements(tx) {
		if m.from == p || m.to == p {
			return true
		}
	}
	return false
}

// minedOf lists the transactions of a principal in blocks, the newest first.
func (t *transactions) minedOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mined(p), func(tx *ledger.Tx) bool { return !t.touches(tx, p) })
}

// pendingOf lists the transactions of a principal that no block has, the newest
// first.
func (t *transactions) pendingOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mempool(), func(tx *ledger.Tx) bool {
		return tx.Mainnet() != !p.Address.Testnet() || !tx.Touches(p)
	})
}
