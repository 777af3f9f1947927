package mockserver

import (
	"net/http"
	"strconv"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// listed reads the window and the principal of an address route; on false it has
// answered.
func (x *exchange) listed(fallback, most int) (window, clarity.Principal, *transactions, bool) {
	w := x.window(fallback, most)
	p, t, ok := x.addressed()
	return w, p, t, ok
}

func serveAddressTransactions(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		x.value(http.StatusOK, pageOf(w, t.minedOf(p), t.listed))
	}
}

func serveAddressMempool(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		x.value(http.StatusOK, pageOf(w, t.pendingOf(p), t.body))
	}
}

// serveAssets lists what came to an account and went from it.
func serveAssets(x *exchange) {
	if w, p, t, ok := x.listed(defaultTransactions, maxTransactions); ok {
		all := eventsOf(t.minedOf(p), func(e eventBody) bool { return e.Asset != nil && e.concerns(p.String()) })
		x.value(http.StatusOK, pageOf(w, all, minedEvent.body))
	}
}

// inboundBody is a transfer of STX to an account.
type inboundBody struct {
	Sender string `json:"sender"`
	Amount string `json:"amount"`
	Memo   string `json:"memo"`
	Height int64  `json:"block_height"`
	TxID   string `json:"tx_id"`
	Type   string `json:"transfer_type"`
	Index  int    `json:"tx_index"`
}

func serveInbound(x *exchange) {
	w, p, t, ok := x.listed(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	all := []inboundBody{}
	for _, tx := range t.minedOf(p) {
		if transfer, ok := tx.Payload.(stxtx.TokenTransfer); ok && transfer.Recipient == p && !tx.Aborted() {
			place, _ := t.place(tx)
			all = append(all, inboundBody{
				tx.Principal().String(), decimal(transfer.Amount), with0x(transfer.Memo[:]),
				place.Block.Height, with0x(tx.ID[:]), "stx-transfer", place.Index,
			})
		}
	}
	x.value(http.StatusOK, pageOf(w, all, asIs))
}

// withTransfersBody is a transaction with what it moved of an account. The STX
// that were sent include the fee; the transfers do not.
type withTransfersBody struct {
	Tx           *txBody      `json:"tx"`
	Sent         string       `json:"stx_sent"`
	Received     string       `json:"stx_received"`
	STX          []transferOf `json:"stx_transfers"`
	Fungibles    []transferOf `json:"ft_transfers,omitzero"`
	NonFungibles []transferOf `json:"nft_transfers,omitzero"`
}

type transferOf struct {
	Asset     string  `json:"asset_identifier,omitempty"`
	Value     *cvBody `json:"value,omitempty"`
	Amount    string  `json:"amount,omitempty"`
	Sender    string  `json:"sender,omitempty"`
	Recipient string  `json:"recipient,omitempty"`
}

func (t *transactions) withTransfers(p clarity.Principal) func(tx *ledger.Tx) withTransfersBody {
	return func(tx *ledger.Tx) withTransfersBody {
		spent, received := tx.Spends(p)
		body := withTransfersBody{
			Tx: t.listed(tx), Sent: decimal(spent), Received: decimal(received),
			STX: []transferOf{}, Fungibles: []transferOf{}, NonFungibles: []transferOf{},
		}
		for _, m := range movements(tx) {
			if m.from != p.String() && m.to != p.String() {
				continue
			}
			one := transferOf{Asset: m.asset, Amount: m.amount.String(), Sender: m.from, Recipient: m.to}
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
	id := x.txID(1)
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
	if !touches(tx, p) {
		x.thrown(http.StatusNotFound, "", "No matching transaction found")
		return
	}
	body := t.withTransfers(p)(tx)
	body.Fungibles, body.NonFungibles = nil, nil // the service tells of STX alone here
	x.value(http.StatusOK, body)
}

// eventCounts count the events of a transaction, of one kind of asset.
type eventCounts struct {
	Transfer int `json:"transfer"`
	Mint     int `json:"mint"`
	Burn     int `json:"burn"`
}

// transactionV2Body is a row of the newer list of an account's transactions.
type transactionV2Body struct {
	Tx       *txBody `json:"tx"`
	Sent     string  `json:"stx_sent"`
	Received string  `json:"stx_received"`
	Events   struct {
		STX          eventCounts `json:"stx"`
		Fungibles    eventCounts `json:"ft"`
		NonFungibles eventCounts `json:"nft"`
	} `json:"events"`
}

// serveTransactionsV2 lists the transactions of an account. Its cursor is the index hash of
// a block, and the place in it.
func serveTransactionsV2(x *exchange) {
	w, p, t, ok := x.listed(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	key := func(tx *ledger.Tx) string {
		place, _ := t.place(tx)
		return place.Block.Index.String() + noMicroblock + strconv.Itoa(max(0, place.Index))
	}
	x.foundPage(pageFrom(x, w, t.minedOf(p), key, func(tx *ledger.Tx) transactionV2Body {
		spent, received := tx.Spends(p)
		body := transactionV2Body{Tx: t.listedV2(tx), Sent: decimal(spent), Received: decimal(received)}
		for _, m := range movements(tx) {
			if m.from != p.String() && m.to != p.String() {
				continue
			}
			counts := map[string]*eventCounts{"stx": &body.Events.STX, "ft": &body.Events.Fungibles, "nft": &body.Events.NonFungibles}[m.sort()]
			switch m.kind {
			case "mint":
				counts.Mint++
			case "burn":
				counts.Burn++
			default:
				counts.Transfer++
			}
		}
		return body
	}))
}

// foundPage answers with a page, or that nothing has its cursor.
func (x *exchange) foundPage(body page, found bool) {
	if !found {
		x.thrown(http.StatusNotFound, "", "Cursor not found")
		return
	}
	x.value(http.StatusOK, body)
}

// addressEventBody is an event in the newer form.
type addressEventBody struct {
	Type  string         `json:"type"` // stx, ft, nft
	Index int            `json:"event_index"`
	Data  addressMovedBy `json:"data"`
}

type addressMovedBy struct {
	Type      string  `json:"type"` // transfer, mint, burn
	Amount    string  `json:"amount,omitempty"`
	Value     *cvBody `json:"value,omitempty"`
	Asset     string  `json:"asset_identifier,omitempty"`
	Sender    string  `json:"sender,omitempty"`
	Recipient string  `json:"recipient,omitempty"`
}

func serveTransactionEvents(x *exchange) {
	w := x.window(defaultTransactions, maxTransactions)
	p, _, tx, ok := x.addressedTx()
	if !ok {
		return
	}
	all := []addressEventBody{}
	for i, m := range movements(tx) {
		if m.from != p.String() && m.to != p.String() {
			continue
		}
		e := addressEventBody{m.sort(), i, addressMovedBy{m.kind, m.amount.String(), nil, m.asset, m.from, m.to}}
		if m.token != nil {
			e.Data.Amount, e.Data.Value = "", valueBody(m.token)
		}
		all = append(all, e)
	}
	x.value(http.StatusOK, pageOf(w, all, asIs))
}
