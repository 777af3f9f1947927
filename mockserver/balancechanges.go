package mockserver

import (
	"math/big"
	"slices"
	"strconv"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// balanceChange is what a transaction did to what a principal has of an asset.
type balanceChange struct {
	tx             *ledger.Tx
	sort, id       string // stx, ft or nft, and the asset's identifier
	sent, received *big.Int
}

// changesOf lists what a transaction did to the balances of a principal: STX first, its fee
// among what was sent.
func changesOf(tx *ledger.Tx, p clarity.Principal) (all []*balanceChange) {
	spent, received := tx.Spends(p)
	if spent+received > 0 {
		all = append(all, &balanceChange{tx, "stx", "", new(big.Int).SetUint64(spent), new(big.Int).SetUint64(received)})
	}
	known := map[string]*balanceChange{}
	for _, sort := range []string{"ft", "nft"} {
		for _, m := range movements(tx) {
			if m.sort() != sort || !m.concerns(p.String()) {
				continue
			}
			c := known[m.asset]
			if c == nil {
				c = &balanceChange{tx, sort, m.asset, new(big.Int), new(big.Int)}
				known[m.asset] = c
				all = append(all, c)
			}
			if m.from == p.String() {
				c.sent.Add(c.sent, m.amount)
			}
			if m.to == p.String() {
				c.received.Add(c.received, m.amount)
			}
		}
	}
	return all
}

func (c *balanceChange) object() object {
	asset := object{{"type", c.sort}}
	if c.id != "" {
		asset = append(asset, field{"identifier", c.id})
	}
	net := new(big.Int).Sub(c.received, c.sent)
	return object{
		{"asset", asset},
		{"balance_change", object{{"sent", c.sent.String()}, {"received", c.received.String()}, {"net", net.String()}}},
	}
}

// key returns the cursor among the changes of one transaction.
func (c *balanceChange) key() string {
	key := map[string]int{"stx": 1, "ft": 2, "nft": 3}[c.sort]
	if c.id == "" {
		return strconv.Itoa(key) + ":" + c.sort
	}
	return strconv.Itoa(key) + ":" + c.id
}

// serveChangesOf reports what one transaction did to the balances of a principal.
func serveChangesOf(x *exchange) {
	w, id := x.cursorWindow(), x.txID(1)
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	var all []*balanceChange // none for a transaction that is unknown or waits
	if tx, known := t.find(id); known && tx.Result != nil {
		all = inOrder(changesOf(tx, p), changeOrder, (*balanceChange).key)
	}
	cursorList(x, all, w, changeOrder, (*balanceChange).key, (*balanceChange).object)
}

// serveChanges reports what several transactions did, the newest first.
func serveChanges(x *exchange) {
	ids := x.hashes("tx_id")
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	var all []*balanceChange
	for _, tx := range t.minedOf(p) {
		if slices.Contains(ids, chain.HashOf(tx.ID)) {
			all = append(all, changesOf(tx, p)...)
		}
	}
	key := func(c *balanceChange) string { return t.placeKey(c.tx) + ":" + c.key() }
	cursorList(x, inOrder(all, changesOrder, key), w, changesOrder, key, func(c *balanceChange) object {
		return append(object{{"tx_id", with0x(c.tx.ID[:])}}, c.object()...)
	})
}
