package api

import (
	"fmt"
	"net/http"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// serveSearch reports what an id is: a transaction, a block, a contract or an account. It has
// no validator.
func serveSearch(x *Exchange) {
	whole := x.queryBool("include_metadata")
	if x.answered {
		return
	}
	term, t := x.param(0), x.transactions()
	if hash, ok := chain.ParseHash(term); ok {
		result, found := t.searchHash(hash, whole)
		x.searched(result, found, "unknown_hash", fmt.Sprintf(`No block or transaction found with hash "%s"`, hash))
		return
	}
	p, err := clarity.ParsePrincipal(term)
	if err != nil {
		x.searched(nil, false, "invalid_term", fmt.Sprintf(`The term "%s" is not a valid block hash, transaction ID, contract principal, or account address principal`, term))
		return
	}
	entity := "standard_address"
	if p.Contract != "" {
		entity = "contract_address"
	}
	result, found := t.searchPrincipal(p, entity, whole)
	x.searched(result, found, entity, fmt.Sprintf(`No principal found with address "%s"`, term))
}

// searched answers with what was found, or with 404 and why there is nothing.
func (x *Exchange) searched(result object, found bool, entity, missing string) {
	if found {
		x.object(object{{"found", true}, {"result", result}})
		return
	}
	x.Value(http.StatusNotFound, object{{"found", false}, {"result", object{{"entity_type", entity}}}, {"error", missing}})
}

// searchHash finds a transaction or a block.
func (t *transactions) searchHash(hash chain.Hash, whole bool) (object, bool) {
	if tx, known := t.find(hash); known {
		body := t.body(tx)
		if body.placeBody == nil {
			return entity(hash.String(), "mempool_tx_id", "tx_data", object{{"tx_type", body.Type}}, body, whole), true
		}
		return entity(hash.String(), "tx_id", "tx_data", append(body.placeBody.found(), field{"tx_type", body.Type}), t.listed(tx), whole), true
	}
	b, known := t.View.BlockByHash(hash)
	if !known {
		return nil, false
	}
	data := object{
		{"canonical", b.Canonical},
		{"hash", b.Hash},
		{"parent_block_hash", b.Parent},
		{"burn_block_time", b.BurnTimeMS / 1000},
		{"height", b.Height},
	}
	return entity(hash.String(), "block_hash", "block_data", data, recordBody(&t.View, &b), whole), true
}

// entity returns what was found, with its whole record if that is requested.
func entity(id, kind, name string, data object, record any, whole bool) object {
	o := object{{"entity_id", id}, {"entity_type", kind}}
	if data != nil {
		o = append(o, field{name, data})
	}
	if whole {
		o = append(o, field{"metadata", record})
	}
	return o
}

// found returns where a transaction is, as far as a search says.
func (p *placeBody) found() object {
	return object{{"canonical", p.Canonical}, {"block_hash", p.BlockHash}, {"burn_block_time", p.BurnTime}, {"block_height", p.BlockHeight}}
}

// searchPrincipal finds a contract by its deployment, and an account if anything ever
// concerned it.
func (t *transactions) searchPrincipal(p clarity.Principal, kind string, whole bool) (object, bool) {
	if deploy, ok := t.Deployed(p); ok && p.Contract != "" {
		body := t.body(deploy)
		data := append(object{{"tx_type", body.Type}, {"tx_id", body.ID}}, body.found()...)
		return entity(p.String(), kind, "tx_data", data, body, whole), true
	}
	c, known := contractOf(t.State, p)
	if p.Contract == "" && t.activity(p) == "" || p.Contract != "" && !known {
		return nil, false
	}
	var data object
	if b, ok := t.View.Block(c.height); ok && known && c.txid != "" {
		data = object{{"tx_type", "smart_contract"}, {"tx_id", c.txid}, {"canonical", b.Canonical}, {"block_hash", b.Hash}, {"burn_block_time", b.BurnTimeMS / 1000}, {"block_height", b.Height}}
	}
	return entity(p.String(), kind, "tx_data", data, struct {
		stxHeadBody
		stxTotalsBody
	}{t.stxHead(p), stxTotals(t.Account(p))}, whole), true
}

// stxTotals returns the sums since the beginning.
func stxTotals(a ledger.Account) stxTotalsBody {
	return stxTotalsBody{decimal(a.Sent), decimal(a.Received), decimal(a.Fees)}
}
