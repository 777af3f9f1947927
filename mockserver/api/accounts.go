package api

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

// accountBody is an account as a node reports it. The mock keeps no state trie, so a proof that
// is requested is empty. The balance is without what is locked.
type accountBody struct {
	Balance      string  `json:"balance"` // micro-STX, 0x and 32 hex digits
	Locked       string  `json:"locked"`
	UnlockHeight int64   `json:"unlock_height"`
	Nonce        uint64  `json:"nonce"`
	BalanceProof *string `json:"balance_proof,omitempty"`
	NonceProof   *string `json:"nonce_proof,omitempty"`
}

func serveAccount(x *Exchange) {
	principal := x.principal(0)
	if x.answered {
		return
	}
	t := x.transactions()
	a := t.Account(principal)
	l, _ := t.lockOf(principal)
	body := accountBody{Balance: ledger.Hex128(a.Balance - min(a.Balance, l.amount)), Locked: ledger.Hex128(l.amount), UnlockHeight: l.unlock, Nonce: a.Nonce}
	if x.proofRequested() {
		body.BalanceProof, body.NonceProof = new(string), new(string)
	}
	x.Value(http.StatusOK, body)
}

// noncesBody holds the nonces of an account as the API reports them; nil numbers are null.
type noncesBody struct {
	LastMempool  *uint64  `json:"last_mempool_tx_nonce"`
	LastExecuted *uint64  `json:"last_executed_tx_nonce"`
	Next         uint64   `json:"possible_next_nonce"`
	Missing      []uint64 `json:"detected_missing_nonces"`
	Pending      []uint64 `json:"detected_mempool_nonces"`
}

func serveNonces(x *Exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	n := t.Nonces(p)
	if height := x.blockOfNonces(t); height >= 0 {
		n = t.noncesAt(p, height)
	}
	x.Value(http.StatusOK, noncesBody{
		n.Mempool, n.Executed, n.Next, append([]uint64{}, n.Missing...), append([]uint64{}, n.Pending...),
	})
}

// blockOfNonces reads the block as of which nonces are requested, -1 for now.
func (x *Exchange) blockOfNonces(t *transactions) (height int64) {
	if hash, given := QueryValue(x.R.URL.RawQuery, "block_hash"); given > 0 {
		id, _ := chain.ParseHash(hash)
		b, ok := t.View.BlockByHash(id)
		if !ok {
			x.Thrown(http.StatusNotFound, "", fmt.Sprintf("No block found for {\"hash\":%q}", hash))
		}
		return b.Height
	}
	n := x.queryInteger("block_height", atLeast(0), -1)
	if n > float64(t.View.Tip()) {
		x.Thrown(http.StatusNotFound, "", fmt.Sprintf("No block found for {\"height\":%.0f}", n))
	}
	return int64(n)
}

// noncesAt returns the nonces of a principal as of a block, when nothing was pending.
func (t *transactions) noncesAt(p clarity.Principal, height int64) (n ledger.Nonces) {
	for _, tx := range t.minedOf(p) {
		if nonce, signs := tx.NonceOf(p); signs && tx.Height <= height {
			return ledger.Nonces{Executed: &nonce, Next: nonce + 1}
		}
	}
	return n
}

// patternsOf returns the patterns of an address and of a contract as the service reports them, in
// routes of v3 and in older ones.
func patternsOf(v3 bool) (address, contract string) {
	address, contract = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}`, `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`
	if v3 {
		address += "$"
	}
	return address, contract
}

// anyPrincipalPattern is the shape of an address or a contract, as the service
// reports it.
const anyPrincipalPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$`

var anyPrincipalShape = shape(anyPrincipalPattern)

// principal reads an address or a contract.
func (x *Exchange) principal(i int) (p clarity.Principal) {
	text := x.param(i)
	if x.checkShape("params/"+x.route.param(i), text); x.answered {
		return p
	}
	p, err := clarity.ParsePrincipal(text)
	switch {
	case err == nil:
	case x.isV3() || x.route.param(i) == "address": // which never look at the checksum: nobody has such an address
		return nobody
	case strings.HasSuffix(x.route.Pattern, "/mempool"):
		x.Thrown(http.StatusBadRequest, "", "Invalid query parameter, not a valid principal")
	default:
		x.Thrown(http.StatusBadRequest, "", fmt.Sprintf(noAddress, text))
	}
	return p
}

// nobody has nothing and never did anything: no contract can have this name.
var nobody = clarity.Principal{Contract: "-"}

func (x *Exchange) isV3() bool { return strings.HasPrefix(x.route.Pattern, "/extended/v3/") }

// checkShape answers 400 for what has neither the shape of an address nor of a contract.
func (x *Exchange) checkShape(where, text string) {
	if anyPrincipalShape().MatchString(text) {
		return
	}
	where += " must match "
	address, contract := patternsOf(x.isV3())
	x.invalid(where + `pattern "` + address + `", ` + where + `pattern "` + contract + `", ` + where + "a schema in anyOf")
}

// listed reads the window and the principal of an address route; on false it has
// answered.
func (x *Exchange) listed() (window, clarity.Principal, *transactions, bool) {
	w := x.window()
	p, t, ok := x.addressed()
	return w, p, t, ok
}

func serveAddressTransactions(x *Exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.minedOf(p), t.listed))
	}
}

func serveAddressMempool(x *Exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.pendingOf(p), t.body))
	}
}

// serveAssets lists what came to an account and went from it.
func serveAssets(x *Exchange) {
	if w, p, t, ok := x.listed(); ok {
		all := eventsOf(t.minedOf(p), func(e eventBody) bool { return e.Log == nil && e.concerns(p.String()) })
		x.object(pageOf(w, all, minedEvent.body))
	}
}

// serveInbound lists the transfers of STX to an account.
func serveInbound(x *Exchange) {
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

func serveWithTransfers(x *Exchange) {
	if w, p, t, ok := x.listed(); ok {
		x.object(pageOf(w, t.minedOf(p), t.withTransfers(p)))
	}
}

// addressedTx finds the transaction of a route of one address and one transaction; on false it has
// answered, for one that no block has with a text.
func (x *Exchange) addressedTx(missing string) (clarity.Principal, *transactions, *ledger.Tx, bool) {
	id := x.txID(1)
	p, t, ok := x.addressed()
	if !ok {
		return p, t, nil, false
	}
	tx, known := t.find(id)
	if !known || tx.Result == nil {
		x.Thrown(http.StatusNotFound, "", missing)
		return p, t, nil, false
	}
	return p, t, tx, true
}

func serveOneWithTransfers(x *Exchange) {
	const missing = "No matching transaction found"
	p, t, tx, ok := x.addressedTx(missing)
	if !ok {
		return
	}
	if !touches(tx, p) {
		x.Thrown(http.StatusNotFound, "", missing)
		return
	}
	body := t.withTransfers(p)(tx)
	body.Fungibles, body.NonFungibles = nil, nil // the service reports of STX alone here
	x.Value(http.StatusOK, body)
}

// serveTransactionsV2 lists the transactions of an account. Its cursor is the index hash of
// a block, and the place in it.
func serveTransactionsV2(x *Exchange) {
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
			x.Thrown(http.StatusNotFound, "", "Invalid cursor format")
		} else if !there {
			x.Thrown(http.StatusNotFound, "", "Invalid cursor: block not found")
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
func serveTransactionEvents(x *Exchange) {
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
