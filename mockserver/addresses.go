package mockserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// listed reads the window and the principal of an address route; on false it has
// answered.
func (x *exchange) listed() (window, clarity.Principal, *transactions, bool) {
	w := x.window()
	p, t, ok := x.addressed()
	return w, p, t, ok
}

func serveAddressTransactions(x *exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.minedOf(p), t.listed))
	}
}

func serveAddressMempool(x *exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.pendingOf(p), t.body))
	}
}

// serveAssets lists what came to an account and went from it.
func serveAssets(x *exchange) {
	if w, p, t, ok := x.listed(); ok {
		all := eventsOf(t.minedOf(p), func(e eventBody) bool { return e.Log == nil && e.concerns(p.String()) })
		x.object(pageOf(w, all, minedEvent.body))
	}
}

// serveInbound lists the transfers of STX to an account.
func serveInbound(x *exchange) {
	w, p, t, ok := x.listed()
	if !ok {
		return
	}
	var all []*ledger.Tx
	for _, tx := range t.minedOf(p) {
		if transfer, ok := tx.Payload.(stxtx.TokenTransfer); ok && transfer.Recipient == p && !tx.Aborted() {
			all = append(all, tx)
		}
	}
	x.object(pageOf(w, all, func(tx *ledger.Tx) object {
		transfer, _ := tx.Payload.(stxtx.TokenTransfer)
		place, _ := t.place(tx)
		return object{
			{"sender", tx.Principal().String()},
			{"amount", decimal(transfer.Amount)},
			{"memo", with0x(transfer.Memo[:])},
			{"block_height", place.Block.Height},
			{"tx_id", with0x(tx.ID[:])},
			{"transfer_type", "stx-transfer"},
			{"tx_index", place.Index},
		}
	}))
}

// withTransfersBody is a transaction with what it moved of an account. The STX
// that were sent include the fee; the transfers do not.
type withTransfersBody struct {
	Tx           *txBody  `json:"tx"`
	Sent         string   `json:"stx_sent"`
	Received     string   `json:"stx_received"`
	STX          []object `json:"stx_transfers"`
	Fungibles    []object `json:"ft_transfers,omitzero"`
	NonFungibles []object `json:"nft_transfers,omitzero"`
}

func (t *transactions) withTransfers(p clarity.Principal) func(tx *ledger.Tx) withTransfersBody {
	return func(tx *ledger.Tx) withTransfersBody {
		spent, received := tx.Spends(p)
		body := withTransfersBody{
			Tx: t.listed(tx), Sent: decimal(spent), Received: decimal(received),
			STX: []object{}, Fungibles: []object{}, NonFungibles: []object{},
		}
		for _, m := range movements(tx) {
			if !m.concerns(p.String()) {
				continue
			}
			one := object{{"asset_identifier", m.asset}, m.quantity(), {"sender", m.from}, {"recipient", m.to}}.filled()
			into := map[string]*[]object{"stx": &body.STX, "ft": &body.Fungibles, "nft": &body.NonFungibles}[m.sort()]
			*into = append(*into, one)
		}
		return body
	}
}

func serveWithTransfers(x *exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.minedOf(p), t.withTransfers(p)))
	}
}

// addressedTx finds the transaction of a route of one address and one transaction; on false it has
// answered, for one that no block has with a text.
func (x *exchange) addressedTx(missing string) (clarity.Principal, *transactions, *ledger.Tx, bool) {
	id := x.txID(1)
	p, t, ok := x.addressed()
	if !ok {
		return p, t, nil, false
	}
	tx, known := t.find(id)
	if !known || tx.Result == nil {
		x.thrown(http.StatusNotFound, "", missing)
		return p, t, nil, false
	}
	return p, t, tx, true
}

func serveOneWithTransfers(x *exchange) {
	const missing = "No matching transaction found"
	p, t, tx, ok := x.addressedTx(missing)
	if !ok {
		return
	}
	if !touches(tx, p) {
		x.thrown(http.StatusNotFound, "", missing)
		return
	}
	body := t.withTransfers(p)(tx)
	body.Fungibles, body.NonFungibles = nil, nil // the service reports of STX alone here
	x.value(http.StatusOK, body)
}

// serveTransactionsV2 lists the transactions of an account. Its cursor is the index hash of
// a block, and the place in it.
func serveTransactionsV2(x *exchange) {
	w := x.exactWindow()
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	all := t.minedOf(p)
	from := func(cursor string) int {
		text, place, _ := strings.Cut(cursor, ":")
		index, isHash := chain.ParseHash(text)
		b, there := t.View.BlockByHash(index)
		if _, _, isPlace := strings.Cut(place, ":"); !isHash || !isPlace {
			x.thrown(http.StatusNotFound, "", "Invalid cursor format")
		} else if !there {
			x.thrown(http.StatusNotFound, "", "Invalid cursor: block not found")
		}
		return firstFrom(placeOrder, all, t.placeKey, fmt.Sprintf("%d:%s", b.Height, place))
	}
	key := func(tx *ledger.Tx) string {
		place, _ := t.place(tx)
		return place.Block.Index.String() + noMicroblock + strconv.Itoa(max(0, place.Index))
	}
	pageFrom(x, w, all, from, key, func(tx *ledger.Tx) object {
		spent, received := tx.Spends(p)
		counts := map[string]int{}
		for _, m := range movements(tx) {
			if m.concerns(p.String()) {
				counts[m.sort()+" "+m.kind]++
			}
		}
		var events object
		for _, sort := range []string{"stx", "ft", "nft"} {
			events = append(events, field{sort, object{
				{"transfer", counts[sort+" transfer"]}, {"mint", counts[sort+" mint"]}, {"burn", counts[sort+" burn"]},
			}})
		}
		return object{{"tx", t.listedV2(tx)}, {"stx_sent", decimal(spent)}, {"stx_received", decimal(received)}, {"events", events}}
	})
}

// serveTransactionEvents lists what a transaction moved of an account.
func serveTransactionEvents(x *exchange) {
	w := x.window()
	p, _, tx, ok := x.addressedTx(noTransaction)
	if !ok {
		return
	}
	var all []object
	for i, m := range movements(tx) {
		if m.concerns(p.String()) {
			data := object{{"type", m.kind}, m.quantity(), {"asset_identifier", m.asset}, {"sender", m.from}, {"recipient", m.to}}
			all = append(all, object{{"type", m.sort()}, {"event_index", i}, {"data", data.filled()}})
		}
	}
	x.object(pageOf(w, all, asIs))
}
