package api

import (
	"cmp"
	"math/big"
	"net/http"
	"slices"
	"strconv"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// The bodies have amounts of micro-STX, or of the smallest part of a token, as
// decimal strings.
type (
	stxHeadBody struct {
		Balance      string `json:"balance"`
		MinerRewards string `json:"total_miner_rewards_received"`
		LockTxID     string `json:"lock_tx_id"`
		Locked       string `json:"locked"`
		LockHeight   int64  `json:"lock_height"`
		BurnLock     int64  `json:"burnchain_lock_height"`
		BurnUnlock   int64  `json:"burnchain_unlock_height"`
	}
	stxPendingBody struct {
		Estimated string `json:"estimated_balance,omitempty"`
		Inbound   string `json:"pending_balance_inbound,omitempty"`
		Outbound  string `json:"pending_balance_outbound,omitempty"`
	}
	stxTotalsBody struct {
		Sent     string `json:"total_sent"`
		Received string `json:"total_received"`
		Fees     string `json:"total_fees_sent"`
	}
	stxBody struct {
		stxHeadBody
		stxPendingBody
		stxTotalsBody
	}
	fungibleBody struct {
		Balance  string `json:"balance"`
		Sent     string `json:"total_sent"`
		Received string `json:"total_received"`
	}
	nonFungibleBody struct {
		Count    string `json:"count"`
		Sent     string `json:"total_sent"`
		Received string `json:"total_received"`
	}
	balancesBody struct {
		STX          stxBody                    `json:"stx"`
		Fungibles    map[string]fungibleBody    `json:"fungible_tokens"`
		NonFungibles map[string]nonFungibleBody `json:"non_fungible_tokens"`
	}
)

// stxHead begins the balance of a principal, with the part of it that is locked.
func (t *transactions) stxHead(p clarity.Principal) stxHeadBody {
	l, _ := t.lockOf(p)
	return stxHeadBody{decimal(t.account(p).Balance), "0", l.tx, decimal(l.amount), l.height, l.burn, l.unlock}
}

// pendingSTX returns what the mempool will do to the STX of a principal.
func (t *transactions) pendingSTX(p clarity.Principal, balance uint64) stxPendingBody {
	var inbound, outbound uint64
	for _, tx := range t.pendingOf(p) {
		spent, received := tx.Spends(p)
		outbound += spent
		inbound += received
	}
	estimated := balance + inbound - min(outbound, balance+inbound)
	return stxPendingBody{decimal(estimated), decimal(inbound), decimal(outbound)}
}

func (t *transactions) stx(p clarity.Principal) stxBody {
	a := t.account(p)
	body := stxBody{stxHeadBody: t.stxHead(p), stxTotalsBody: stxTotals(a)}
	if t.most == 0 { // what waits concerns what is now
		body.stxPendingBody = t.pendingSTX(p, a.Balance)
	}
	return body
}

// addressed reads the principal of an address route and its state; on false it
// has answered 304 or 400.
func (x *Exchange) addressed() (clarity.Principal, *transactions, bool) {
	p := x.principal(0)
	if x.asOf(); x.answered {
		return p, nil, false
	}
	return p, x.transactions(), !x.done()
}

func serveBalances(x *Exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	body := balancesBody{t.stx(p), map[string]fungibleBody{}, map[string]nonFungibleBody{}}
	for _, h := range t.holdings(p) {
		id := h.Asset.String()
		if h.Unique {
			count := decimal(uint64(len(h.Tokens)))
			if t.most > 0 { // of then it is known how many there were, not which
				count = h.Balance().String()
			}
			body.NonFungibles[id] = nonFungibleBody{count, h.Sent.String(), h.Received.String()}
			continue
		}
		body.Fungibles[id] = fungibleBody{h.Balance().String(), h.Sent.String(), h.Received.String()}
	}
	x.Value(http.StatusOK, body)
}

func serveSTX(x *Exchange) {
	if p, t, ok := x.addressed(); ok {
		x.Value(http.StatusOK, t.stx(p))
	}
}

func serveSTXv2(x *Exchange) {
	pending := x.queryBool("include_mempool")
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	body := struct {
		stxHeadBody
		stxPendingBody
	}{stxHeadBody: t.stxHead(p)}
	if pending {
		body.stxPendingBody = t.pendingSTX(p, t.Account(p).Balance)
	}
	x.Value(http.StatusOK, body)
}

// fungibles lists the fungible tokens of which a principal has some.
func (t *transactions) fungibles(p clarity.Principal) []*ledger.Holding {
	return slices.DeleteFunc(t.Ledger(p).Holdings(p), func(h *ledger.Holding) bool { return h.Unique || h.Balance().Sign() == 0 })
}

func serveFungibles(x *Exchange) {
	w, p, t, ok := x.listed()
	if !ok {
		return
	}
	all := t.fungibles(p)
	x.object(pageOf(w, all, func(h *ledger.Holding) object {
		return object{{"token", h.Asset.String()}, {"balance", h.Balance().String()}}
	}))
}

func serveFungible(x *Exchange) {
	if p, t, ok := x.addressed(); ok {
		x.object(object{{"balance", t.fungible(p, x.param(1))}})
	}
}

// fungible returns what a principal has of a token.
func (t *transactions) fungible(p clarity.Principal, id string) string {
	asset, err := stxtx.ParseAsset(id)
	if err != nil {
		return "0"
	}
	return t.Ledger(p).Balance(p, asset).String()
}

// holdingBody is a non-fungible token of an account.
type holdingBody struct {
	Asset  string  `json:"asset_identifier"`
	Value  *cvBody `json:"value"`
	Height int64   `json:"block_height"`
	TxID   *string `json:"tx_id,omitempty"`
	Tx     *txBody `json:"tx,omitempty"` // in place of its id, if that is requested
}

// bringer returns the transaction by which a non-fungible token came to its owner; nil for one
// that was there at the beginning.
func (t *transactions) bringer(p clarity.Principal, asset stxtx.Asset, one ledger.Owned) *ledger.Tx {
	if one.Tx != nil {
		return one.Tx
	}
	for _, tx := range t.minedOf(p) {
		for _, m := range tx.Moved {
			if m.Asset == asset && m.To != nil && *m.To == p && m.Token != nil && clarity.Repr(m.Token) == clarity.Repr(one.Token) {
				return tx
			}
		}
	}
	return nil
}

func serveHoldings(x *Exchange) {
	w, p := x.window(), x.queryPrincipal("principal", noAddress)
	if p == nil {
		x.invalid("querystring must have required property 'principal'")
	}
	whole, wanted := x.queryBool("tx_metadata"), queryList(x.R.URL.RawQuery, "asset_identifiers")
	if x.done() {
		return
	}
	t, all := x.transactions(), []holdingBody{}
	for _, h := range t.Ledger(*p).Holdings(*p) {
		if len(wanted) > 0 && !slices.Contains(wanted, h.Asset.String()) {
			continue
		}
		for _, one := range h.Tokens {
			body := holdingBody{Asset: h.Asset.String(), Value: valueBody(one.Token), TxID: new(string)}
			if tx := t.bringer(*p, h.Asset, one); tx != nil {
				if body.Height, *body.TxID = tx.Height, with0x(tx.ID[:]); whole {
					body.TxID, body.Tx = nil, t.listed(tx)
				}
			}
			all = append(all, body)
		}
	}
	slices.SortStableFunc(all, func(a, b holdingBody) int { return cmp.Compare(b.Height, a.Height) })
	x.object(pageOf(w, all, asIs))
}

// balanceChange holds what a transaction did to what a principal has of an asset.
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
func serveChangesOf(x *Exchange) {
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
func serveChanges(x *Exchange) {
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
