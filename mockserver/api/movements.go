package api

import (
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"

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
	functions   map[functionID]*called // that were looked up
	placed      *placeBody             // of the last transaction, with its block
	placedBlock chain.Hash
	service     *Service
	// counts says that lists of v3 count events, as they do from 9.7 on.
	counts bool
	// least and most bound the heights of the blocks of the request; most is 0 for all.
	least, most int64
	// unsigned are the senders and sponsors that did not sign, of the transactions in the answer.
	unsigned []string
}

// note remembers who is impersonated in a transaction of the answer.
func (t *transactions) note(tx *ledger.Tx) {
	for _, a := range tx.Impersonated {
		if text := a.String(); !slices.Contains(t.unsigned, text) {
			t.unsigned = append(t.unsigned, text)
		}
	}
}

// transactions reads the request's world, once.
func (x *Exchange) transactions() *transactions {
	if x.read == nil {
		x.read = x.Service.transactions(x.state())
	}
	return x.read
}

func (s *Service) transactions(state world.State) *transactions {
	return &transactions{State: state, functions: map[functionID]*called{}, service: s, counts: s.Generation >= apiV3}
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

// sort returns the word of newer routes for the kind of asset.
func (m *movement) sort() string {
	switch {
	case m.token != nil:
		return "nft"
	case m.asset != "":
		return "ft"
	}
	return "stx"
}

// quantity returns how much moved: an amount, or which token.
func (m *movement) quantity() field {
	if m.token != nil {
		return field{"value", valueBody(m.token)}
	}
	return field{"amount", m.amount.String()}
}

// concerns reports whether a movement is from or to an account.
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

// minedOf lists the transactions of a principal in the blocks of the request, the newest first.
func (t *transactions) minedOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mined(p), func(tx *ledger.Tx) bool {
		return !touches(tx, p) || tx.Height < t.least || t.later(tx)
	})
}

// later reports whether a transaction came after the blocks of the request.
func (t *transactions) later(tx *ledger.Tx) bool { return t.most > 0 && tx.Height > t.most }

// asOf reads the blocks of the request: all up to until_block, or the one of a height.
func (x *Exchange) asOf() {
	if x.answered || !x.hasParam("until_block") {
		return
	}
	t, until, height := x.transactions(), x.queryString("until_block"), int64(0)
	if x.hasParam("height") {
		height = int64(x.queryInteger("height", bounds{}, 0))
	}
	switch hash, isHash := chain.ParseHash(until); {
	case until != "" && height != 0:
		x.Thrown(http.StatusBadRequest, "", "can't handle until_block and block_height in the same request")
	case height != 0:
		t.least, t.most = height, max(1, height)
	case until == "":
	case strings.HasPrefix(until, "0x"):
		b, known := t.View.BlockByHash(hash)
		if t.most = b.Height; !isHash || !known {
			x.Thrown(http.StatusNotFound, "", "block not found with hash")
		}
	default: // the service reads a number as far as it is one
		if _, err := fmt.Sscanf(until, "%d", &t.most); err != nil {
			t.most = t.View.Tip()
		}
	}
}

// account returns the account of a principal after the blocks of the request: what moved later is undone.
func (t *transactions) account(p clarity.Principal) ledger.Account {
	a := t.Account(p)
	for _, tx := range t.Mined(p) {
		if t.later(tx) {
			a = a.Before(tx, p)
		}
	}
	return a
}

// holdings returns its tokens then.
func (t *transactions) holdings(p clarity.Principal) (all []*ledger.Holding) {
	for _, h := range t.Ledger(p).Holdings(p) {
		for _, tx := range t.Mined(p) {
			if t.later(tx) {
				h = h.Before(tx, p)
			}
		}
		if t.most == 0 || h.Received.Sign() > 0 {
			all = append(all, h)
		}
	}
	return all
}

// pendingOf lists the transactions of a principal that no block has, the newest
// first.
func (t *transactions) pendingOf(p clarity.Principal) []*ledger.Tx {
	return slices.DeleteFunc(t.Mempool(), func(tx *ledger.Tx) bool {
		return tx.Mainnet() != !p.Address.Testnet() || !tx.Touches(p)
	})
}
