package mockserver

import (
	"net/http"
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/stxtx"
)

// ofBlock lists the transactions of a block, the last first.
func (t *transactions) ofBlock(b *chain.Block) []*ledger.Tx {
	return t.all(t.View.TxIDs(b))
}

// serveTransactionsOfHash and serveTransactionsOfHeight list the transactions of a block by
// v1, the last first.
func serveTransactionsOfHash(x *exchange) {
	hash, ok := chain.ParseHash(x.param(0))
	if !ok {
		x.invalid(`params/block_hash must match pattern "` + hashPattern + `"`)
		return
	}
	b, known := x.transactions().View.BlockByHash(hash)
	x.blockTransactions(&b, known, "no block found by hash "+x.param(0))
}

func serveTransactionsOfHeight(x *exchange) {
	find := blockQuery{height: x.paramInteger(0, "height", atLeast(0))}
	b, known := find.block(&x.transactions().View)
	x.blockTransactions(&b, known, "no block found at height "+x.param(0))
}

func (x *exchange) blockTransactions(b *chain.Block, known bool, missing string) {
	w := x.window()
	if !known {
		x.thrown(http.StatusNotFound, "", missing)
	}
	transactionPage(x, w, func(t *transactions) []*ledger.Tx { return t.ofBlock(b) }, (*transactions).listed)
}

// blockAsked finds the block of a path and sets its validator; on false it has answered.
func (x *exchange) blockAsked() (b chain.Block, ok bool) {
	find := x.heightOrHash()
	if find.invalid {
		x.thrown(http.StatusBadRequest, "", "Invalid block height or hash")
	}
	if x.answered {
		return b, false
	}
	if b, ok = find.block(&x.transactions().View); !ok {
		x.thrown(http.StatusNotFound, "", "Block not found")
		return b, false
	}
	// The service finds no validator for a block that is asked by its own hash.
	byHash := find.hash != nil && *find.hash != b.Index
	return b, byHash || !x.cached(`"`+b.Index.String()+`:true"`)
}

// serveBlockTransactionsV2 lists the transactions of a block, its first before the others.
func serveBlockTransactionsV2(x *exchange) {
	w := x.exactWindow()
	if b, ok := x.blockAsked(); ok {
		t := x.transactions()
		all := t.ofBlock(&b)
		if w.limit == 0 || w.offset >= len(all) { // where the service takes nothing for no block
			x.thrown(http.StatusNotFound, "", "Block not found")
			return
		}
		slices.Reverse(all)
		x.object(pageOf(w, all, t.listedV2))
	}
}

// listedV2 returns a transaction in a list of v2, which does not look at the interfaces of
// contracts.
func (t *transactions) listedV2(tx *ledger.Tx) *txBody {
	body := t.listed(tx)
	if p, ok := tx.Payload.(stxtx.ContractCall); ok {
		body.Call = bareCall(p)
	}
	return body
}
