package mockserver

import (
	"cmp"
	"math/big"
	"net/http"
	"slices"
	"sort"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// balanceRoutes tell what an account has. Nothing is ever locked or mined.
func balanceRoutes() []route {
	return []route{
		{method: "GET", pattern: "/extended/v1/address/{principal}/balances", life: transactionLife, handle: serveBalances},
		{method: "GET", pattern: "/extended/v1/address/{principal}/stx", life: transactionLife, handle: serveSTX},
		{method: "GET", pattern: "/extended/v2/addresses/{principal}/balances/stx", handle: serveSTXv2},
		{method: "GET", pattern: "/extended/v2/addresses/{principal}/balances/ft", handle: serveFungibles},
		{method: "GET", pattern: "/extended/v2/addresses/{principal}/balances/ft/{token}", handle: serveFungible},
		{method: "GET", pattern: "/extended/v1/tokens/nft/holdings", life: transactionLife, handle: serveHoldings},
	}
}

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
		Estimated string `json:"estimated_balance"`
		Inbound   string `json:"pending_balance_inbound"`
		Outbound  string `json:"pending_balance_outbound"`
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

func stxHead(a ledger.Account) stxHeadBody {
	return stxHeadBody{Balance: decimal(a.Balance), MinerRewards: "0", Locked: "0"}
}

// pendingSTX is what the mempool will do to the STX of a principal.
func (t *transactions) pendingSTX(p clarity.Principal, balance uint64) stxPendingBody {
	var inbound, outbound uint64
	for _, tx := range t.pendingOf(p) {
		spent, received := tx.Moves(p)
		outbound += spent
		inbound += received
	}
	estimated := balance + inbound - min(outbound, balance+inbound)
	return stxPendingBody{decimal(estimated), decimal(inbound), decimal(outbound)}
}

func (t *transactions) stx(p clarity.Principal) stxBody {
	a := t.Account(p)
	return stxBody{stxHead(a), t.pendingSTX(p, a.Balance), stxTotalsBody{decimal(a.Sent), decimal(a.Received), decimal(a.Fees)}}
}

// holding is what a principal has of one asset, and what it moved.
type holding struct {
	asset          string
	sent, received *big.Int
	isNonFungible  bool
	tokens         []held // of a non-fungible one, those that it has
}

// held is a non-fungible token with the transaction that brought it.
type held struct {
	value *cvBody
	tx    *ledger.Tx
}

func (h *holding) balance() *big.Int {
	left := new(big.Int).Sub(h.received, h.sent)
	if left.Sign() < 0 {
		return new(big.Int) // there is no interpreter that would refuse to send what is not there
	}
	return left
}

// holdings lists what a principal has moved of tokens, by asset.
func (t *transactions) holdings(p clarity.Principal) []*holding {
	byAsset := map[string]*holding{}
	for _, tx := range slices.Backward(t.minedOf(p)) {
		for _, m := range t.movements(tx) {
			if m.asset == "" || m.from != p && m.to != p {
				continue
			}
			h := byAsset[m.asset]
			if h == nil {
				h = &holding{asset: m.asset, isNonFungible: m.token != nil, sent: new(big.Int), received: new(big.Int)}
				byAsset[m.asset] = h
			}
			h.add(p, m, tx)
		}
	}
	all := []*holding{}
	for _, h := range byAsset {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b *holding) int { return cmp.Compare(a.asset, b.asset) })
	return all
}

func (h *holding) add(p clarity.Principal, m movement, tx *ledger.Tx) {
	if m.from == p {
		h.sent.Add(h.sent, m.amount)
	}
	if m.to == p {
		h.received.Add(h.received, m.amount)
	}
	if m.token == nil {
		return
	}
	value := valueBody(m.token)
	h.tokens = slices.DeleteFunc(h.tokens, func(one held) bool { return *one.value == *value })
	if m.to == p {
		h.tokens = append(h.tokens, held{value, tx})
	}
}

// addressed reads the principal of an address route and its state; on false it
// has answered 304 or 400.
func (x *exchange) addressed() (clarity.Principal, *transactions, bool) {
	p, ok := x.principal(0)
	if !ok {
		return p, nil, false
	}
	t := x.transactions()
	return p, t, !x.ledgerCached(&t.State)
}

func serveBalances(x *exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	body := balancesBody{t.stx(p), map[string]fungibleBody{}, map[string]nonFungibleBody{}}
	for _, h := range t.holdings(p) {
		if h.isNonFungible {
			body.NonFungibles[h.asset] = nonFungibleBody{decimal(uint64(len(h.tokens))), h.sent.String(), h.received.String()}
			continue
		}
		body.Fungibles[h.asset] = fungibleBody{h.balance().String(), h.sent.String(), h.received.String()}
	}
	x.value(http.StatusOK, body)
}

func serveSTX(x *exchange) {
	if p, t, ok := x.addressed(); ok {
		x.value(http.StatusOK, t.stx(p))
	}
}

func serveSTXv2(x *exchange) {
	pending, ok := x.queryBool("include_mempool", false)
	if !ok {
		return
	}
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	body := struct {
		stxHeadBody
		*stxPendingBody
	}{stxHeadBody: stxHead(t.Account(p))}
	if pending {
		one := t.pendingSTX(p, t.Account(p).Balance)
		body.stxPendingBody = &one
	}
	x.value(http.StatusOK, body)
}

// tokenBalanceBody is a row of the fungible tokens of an account.
type tokenBalanceBody struct {
	Token   string `json:"token"`
	Balance string `json:"balance"`
}

// Sizes of pages of fungible tokens, as the real service has them.
const (
	defaultBalances = 100
	maxBalances     = 200
)

func serveFungibles(x *exchange) {
	w, p, t, ok := x.listed(defaultBalances, maxBalances)
	if !ok {
		return
	}
	all := slices.DeleteFunc(t.holdings(p), func(h *holding) bool { return h.isNonFungible || h.balance().Sign() == 0 })
	x.value(http.StatusOK, pageOf(w, all, func(h *holding) tokenBalanceBody { return tokenBalanceBody{h.asset, h.balance().String()} }))
}

func serveFungible(x *exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	balance := "0"
	for _, h := range t.holdings(p) {
		if h.asset == x.param(1) && !h.isNonFungible {
			balance = h.balance().String()
		}
	}
	x.value(http.StatusOK, map[string]string{"balance": balance})
}

// holdingBody is a non-fungible token of an account.
type holdingBody struct {
	Asset  string  `json:"asset_identifier"`
	Value  *cvBody `json:"value"`
	Height int64   `json:"block_height"`
	TxID   string  `json:"tx_id"`
}

// Sizes of pages of non-fungible tokens, as the real service has them.
const (
	defaultHoldings = 50
	maxHoldings     = 200
)

func serveHoldings(x *exchange) {
	w, ok := x.window(defaultHoldings, maxHoldings)
	if !ok {
		return
	}
	p, ok := x.queryPrincipal("principal")
	if !ok {
		return
	}
	if p == nil {
		x.invalid("querystring must have required property 'principal'")
		return
	}
	wanted := queryList(x.r.URL.RawQuery, "asset_identifiers")
	t := x.transactions()
	if x.ledgerCached(&t.State) {
		return
	}
	all := []holdingBody{}
	for _, h := range t.holdings(*p) {
		if len(wanted) > 0 && !slices.Contains(wanted, h.asset) {
			continue
		}
		for _, one := range h.tokens {
			all = append(all, holdingBody{h.asset, one.value, one.tx.Height, with0x(one.tx.ID[:])})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Height > all[j].Height })
	x.value(http.StatusOK, pageOf(w, all, func(b holdingBody) holdingBody { return b }))
}
