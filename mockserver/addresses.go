package mockserver

import (
	"net/http"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// addressRoutes list what an account did.
func addressRoutes() []route {
	return []route{
		{method: "GET", pattern: "/extended/v1/address/{principal}/transactions", life: transactionLife, handle: serveAddressTransactions},
		{method: "GET", pattern: "/extended/v1/address/{principal}/transactions_with_transfers", life: transactionLife, handle: serveWithTransfers},
		{method: "GET", pattern: "/extended/v1/address/{principal}/{txid}/with_transfers", life: transactionLife, handle: serveOneWithTransfers},
		{method: "GET", pattern: "/extended/v1/address/{principal}/mempool", life: transactionLife, handle: serveAddressMempool},
		{method: "GET", pattern: "/extended/v1/address/{principal}/assets", life: transactionLife, handle: serveAssets},
		{method: "GET", pattern: "/extended/v2/addresses/{principal}/transactions", life: transactionLife, handle: serveTransactionsV2},
		{method: "GET", pattern: "/extended/v2/addresses/{principal}/transactions/{txid}/events", life: transactionLife, handle: serveTransactionEvents},
	}
}

// listed reads the window and the principal of an address route; on false it has
// answered.
func (x *exchange) listed(fallback, most int) (window, clarity.Principal, *transactions, bool) {
	w, ok := x.window(fallback, most)
	if !ok {
		return w, clarity.Principal{}, nil, false
	}
	p, t, ok := x.addressed()
	return w, p, t, ok
}

func serveAddressTransactions(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		x.value(http.StatusOK, pageOf(w, t.minedOf(p), t.body))
	}
}

func serveAddressMempool(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		x.value(http.StatusOK, pageOf(w, t.pendingOf(p), t.body))
	}
}

func serveAssets(x *exchange) {
	w, p, t, ok := x.listed(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	all := []eventBody{}
	for _, tx := range t.minedOf(p) {
		for _, e := range t.events(tx) {
			if e.Asset.Sender == p.String() || e.Asset.Recipient == p.String() {
				all = append(all, e)
			}
		}
	}
	x.value(http.StatusOK, pageOf(w, all, func(e eventBody) eventBody { return e }))
}

// withTransfersBody is a transaction with what it moved of an account. The STX
// that were sent include the fee; the transfers do not.
type withTransfersBody struct {
	Tx           *txBody      `json:"tx"`
	Sent         string       `json:"stx_sent"`
	Received     string       `json:"stx_received"`
	STX          []transferOf `json:"stx_transfers"`
	Fungibles    []transferOf `json:"ft_transfers"`
	NonFungibles []transferOf `json:"nft_transfers"`
}

type transferOf struct {
	Asset     string  `json:"asset_identifier,omitempty"`
	Value     *cvBody `json:"value,omitempty"`
	Amount    string  `json:"amount,omitempty"`
	Sender    string  `json:"sender"`
	Recipient string  `json:"recipient"`
}

// eventsCounted counts the events of a transaction by asset.
type eventsCounted struct {
	STX          eventCounts `json:"stx"`
	Fungibles    eventCounts `json:"ft"`
	NonFungibles eventCounts `json:"nft"`
}

type eventCounts struct {
	Transfer int `json:"transfer"`
	Mint     int `json:"mint"`
	Burn     int `json:"burn"`
}

func (t *transactions) withTransfers(p clarity.Principal) func(tx *ledger.Tx) withTransfersBody {
	return func(tx *ledger.Tx) withTransfersBody {
		spent, received := tx.Moves(p)
		body := withTransfersBody{
			Tx: t.body(tx), Sent: decimal(spent), Received: decimal(received),
			STX: []transferOf{}, Fungibles: []transferOf{}, NonFungibles: []transferOf{},
		}
		for _, m := range t.movements(tx) {
			if m.from != p && m.to != p {
				continue
			}
			one := transferOf{Asset: m.asset, Amount: m.amount.String(), Sender: m.from.String(), Recipient: m.to.String()}
			switch {
			case m.token != nil:
				one.Amount, one.Value = "", valueBody(m.token)
				body.NonFungibles = append(body.NonFungibles, one)
			case m.asset != "":
				body.Fungibles = append(body.Fungibles, one)
			default:
				body.STX = append(body.STX, one)
			}
		}
		return body
	}
}

func serveWithTransfers(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		x.value(http.StatusOK, pageOf(w, t.minedOf(p), t.withTransfers(p)))
	}
}

// addressedTx finds the transaction of a route of one address and one
// transaction; on false it has answered.
func (x *exchange) addressedTx() (clarity.Principal, *transactions, *ledger.Tx, bool) {
	id, valid := chain.ParseHash(x.param(1))
	if !valid {
		x.invalid(`params/tx_id must match pattern "` + hashPattern + `"`)
		return clarity.Principal{}, nil, nil, false
	}
	p, t, ok := x.addressed()
	if !ok {
		return p, t, nil, false
	}
	tx, known := t.find(id)
	if !known || tx.Result == nil {
		x.thrown(http.StatusNotFound, "", "could not find transaction by ID")
		return p, t, nil, false
	}
	return p, t, tx, true
}

func serveOneWithTransfers(x *exchange) {
	p, t, tx, ok := x.addressedTx()
	if !ok {
		return
	}
	if !t.touches(tx, p) {
		x.thrown(http.StatusNotFound, "", "No matching transaction found")
		return
	}
	x.value(http.StatusOK, t.withTransfers(p)(tx))
}

// transactionV2Body is a row of the newer list of an account's transactions.
type transactionV2Body struct {
	Tx       *txBody       `json:"tx"`
	Sent     string        `json:"stx_sent"`
	Received string        `json:"stx_received"`
	Events   eventsCounted `json:"events"`
}

func serveTransactionsV2(x *exchange) {
	w, p, t, ok := x.listed(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	x.value(http.StatusOK, pageOf(w, t.minedOf(p), func(tx *ledger.Tx) transactionV2Body {
		one := t.withTransfers(p)(tx)
		body := transactionV2Body{Tx: one.Tx, Sent: one.Sent, Received: one.Received}
		body.Events.STX.Transfer, body.Events.Fungibles.Transfer = len(one.STX), len(one.Fungibles)
		body.Events.NonFungibles.Transfer = len(one.NonFungibles)
		return body
	}))
}

// addressEventBody is an event in the newer form.
type addressEventBody struct {
	Type  string         `json:"type"` // stx, ft, nft
	Index int            `json:"event_index"`
	Data  addressMovedBy `json:"data"`
}

type addressMovedBy struct {
	Type      string  `json:"type"` // transfer
	Asset     string  `json:"asset_identifier,omitempty"`
	Amount    string  `json:"amount,omitempty"`
	Value     *cvBody `json:"value,omitempty"`
	Sender    string  `json:"sender"`
	Recipient string  `json:"recipient"`
}

func serveTransactionEvents(x *exchange) {
	w, ok := x.window(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	p, t, tx, ok := x.addressedTx()
	if !ok {
		return
	}
	all := []addressEventBody{}
	for i, m := range t.movements(tx) {
		if m.from != p && m.to != p {
			continue
		}
		e := addressEventBody{"stx", i, addressMovedBy{"transfer", m.asset, m.amount.String(), nil, m.from.String(), m.to.String()}}
		switch {
		case m.token != nil:
			e.Type, e.Data.Amount, e.Data.Value = "nft", "", valueBody(m.token)
		case m.asset != "":
			e.Type = "ft"
		}
		all = append(all, e)
	}
	x.value(http.StatusOK, pageOf(w, all, func(e addressEventBody) addressEventBody { return e }))
}
