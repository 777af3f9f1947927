package mockserver

import (
	"math/big"
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// transactions reads the transactions of a state as the API shows them.
type transactions struct {
	world.State
	functions map[functionID]*called // that were looked up
	told      *placeBody             // that was told last, of a block
	toldBlock chain.Hash
	// counts says that lists of v3 count events, as they do from 9.7 on.
	counts bool
}

// transactions reads the request's world, once.
func (x *exchange) transactions() *transactions {
	if x.told == nil {
		x.told = x.s.transactions(x.state())
	}
	return x.told
}

func (s *Server) transactions(state world.State) *transactions {
	return &transactions{State: state, functions: map[functionID]*called{}, counts: s.generation >= apiV3}
}

// movement is something that a transaction moved, in the words of the API.
type movement struct {
	kind     string        // transfer, mint or burn
	asset    string        // identifier; "" for STX
	token    clarity.Value // identifier of a non-fungible one, else nil
	amount   *big.Int      // 1 of a non-fungible one
	memo     string        // hexadecimal, of STX only
	from, to string        // "" for nobody
}

// sort is the word of newer routes for the kind of asset.
func (m *movement) sort() string {
	switch {
	case m.token != nil:
		return "nft"
	case m.asset != "":
		return "ft"
	}
	return "stx"
}

// quantity is how much moved: an amount, or which token.
func (m *movement) quantity() field {
	if m.token != nil {
		return field{"value", valueBody(m.token)}
	}
	return field{"amount", m.amount.String()}
}

// concerns reports whether a movement is from somebody or to them.
func (m *movement) concerns(p string) bool { return m.from == p || m.to == p }

// movements lists what a transaction in a block moved.
func movements(tx *ledger.Tx) []movement {
	all := make([]movement, 0, len(tx.Moved))
	for _, m := range tx.Moved {
		one := movement{kind: "transfer", token: m.Token, amount: m.Amount, from: nameOf(m.From), to: nameOf(m.To)}
		if m.Asset != (stxtx.Asset{}) {
			one.asset = m.Asset.String()
		}
		switch {
		case m.From == nil:
			one.kind = "mint"
		case m.To == nil:
			one.kind = "burn"
		}
		if m.Token != nil {
			one.amount = big.NewInt(1)
		}
		if len(m.Memo) > 0 {
			one.memo = with0x(m.Memo)
		}
		all = append(all, one)
	}
	return all
}

// nameOf writes a principal, "" for none.
func nameOf(p *clarity.Principal) string {
	if p == nil {
		return ""
	}
	return p.String()
}

// touches reports whether a transaction is one of a principal, what it moved
// included.
func touches(tx *ledger.Tx, p clarity.Principal) bool {
	is := func(q *clarity.Principal) bool { return q != nil && *q == p }
	return tx.Touches(p) || slices.ContainsFunc(tx.Moved, func(m outcome.Move) bool { return is(m.From) || is(m.To) })
}

// find returns a transaction of a block or of the mempool.
func (t *transactions) find(id chain.Hash) (*ledger.Tx, bool) { return t.Transaction(id.Bytes()) }

// minedOf lists the transactions of a principal in blocks, the newest first.
func (t *transactions) minedOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mined(p), func(tx *ledger.Tx) bool { return !touches(tx, p) })
}

// pendingOf lists the transactions of a principal that no block has, the newest
// first.
func (t *transactions) pendingOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mempool(), func(tx *ledger.Tx) bool {
		return tx.Mainnet() != !p.Address.Testnet() || !tx.Touches(p)
	})
}
