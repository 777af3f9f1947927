package api

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// eventBody is an event of a transaction as the API gives it.
type eventBody struct {
	Index int    `json:"event_index"`
	Type  string `json:"event_type"`
	TxID  string `json:"tx_id"`
	// Log holds the print of a contract, Lock a lock of STX; otherwise Asset moved.
	Log   *logBody        `json:"contract_log,omitempty"`
	Lock  *lockEventBody  `json:"stx_lock_event,omitempty"`
	Asset *eventAssetBody `json:"asset,omitempty"`
}

type lockEventBody struct {
	Amount  string `json:"locked_amount"`
	Unlock  int64  `json:"unlock_height"`
	Address string `json:"locked_address"`
}

// countEvents counts the events of a transaction.
func countEvents(tx *ledger.Tx) int {
	return len(tx.Moved) + len(tx.Prints) + len(tx.Locks)
}

type logBody struct {
	ContractID string  `json:"contract_id"`
	Topic      string  `json:"topic"`
	Value      *cvBody `json:"value"`
}

type eventAssetBody struct {
	Type      string  `json:"asset_event_type"`
	ID        string  `json:"asset_id,omitempty"`
	Sender    string  `json:"sender"`
	Recipient string  `json:"recipient"`
	Amount    string  `json:"amount,omitempty"`
	Value     *cvBody `json:"value,omitempty"`
	Memo      string  `json:"memo,omitempty"`
}

// events lists what happened in a transaction.
func events(tx *ledger.Tx) []eventBody {
	out := []eventBody{}
	prints := tx.Prints
	printed := func(moved int) {
		for ; len(prints) > 0 && prints[0].After <= moved; prints = prints[1:] {
			out = append(out, eventBody{
				Index: len(out), Type: "smart_contract_log", TxID: with0x(tx.ID[:]),
				Log: &logBody{prints[0].Contract.String(), "print", valueBody(prints[0].Value)},
			})
		}
	}
	for i, m := range movements(tx) {
		if tx.Cost != nil { // it ran, and the order is known
			printed(i)
		}
		e := eventBody{Index: len(out), Type: "stx_asset", TxID: with0x(tx.ID[:])}
		e.Asset = &eventAssetBody{Type: m.kind, ID: m.asset, Sender: m.from, Recipient: m.to, Memo: m.memo}
		switch {
		case m.token != nil:
			e.Type, e.Asset.Value = "non_fungible_token_asset", valueBody(m.token)
		case m.asset != "":
			e.Type, e.Asset.Amount = "fungible_token_asset", m.amount.String()
		default:
			e.Asset.Amount = m.amount.String()
		}
		out = append(out, e)
	}
	printed(len(tx.Moved))
	for _, l := range tx.Locks {
		out = append(out, eventBody{Index: len(out), Type: "stx_lock", TxID: with0x(tx.ID[:]), Lock: &lockEventBody{decimal(l.Amount), l.Unlock, l.Of.String()}})
	}
	return out
}

// valueBody writes a value of a transaction that was decoded, which always
// encodes.
func valueBody(v clarity.Value) *cvBody {
	encoded, err := clarity.EncodeHex(v)
	if err != nil {
		panic("api: encode a value that was decoded: " + err.Error())
	}
	return &cvBody{"0x" + encoded, clarity.Repr(v)}
}

// eventTypes are the API's words for events.
var eventTypes = []string{"smart_contract_log", "stx_lock", "stx_asset", "fungible_token_asset", "non_fungible_token_asset"}

// serveEvents lists the events of a transaction or of an account, the newest first.
func serveEvents(x *Exchange) {
	w, types := x.window(), x.wordsOf("type", eventTypes...)
	text, hasID := QueryValue(x.R.URL.RawQuery, "tx_id")
	id, valid := chain.ParseHash(text)
	if hasID > 0 && !valid {
		x.invalid(`querystring/tx_id must match pattern "` + hashPattern + `"`)
	}
	of := x.queryPrincipal("address", noAddress)
	if x.answered {
		return
	}
	t := x.transactions()
	var from []*ledger.Tx
	switch {
	case hasID > 0:
		if tx, known := t.find(id); known {
			from = append(from, tx)
		}
	case of != nil:
		from = t.minedOf(*of)
	default:
		x.Thrown(http.StatusBadRequest, "", "can not find 'address' or 'tx_id' in the request")
	}
	if x.done() {
		return
	}
	all := eventsOf(from, func(e eventBody) bool {
		return (len(types) == 0 || slices.Contains(types, e.Type)) && (of == nil || e.concerns(of.String()))
	})
	x.object(object{{"limit", w.limit}, {"offset", w.offset}, {"events", part(w, all, minedEvent.body)}})
}

// minedEvent is an event with its transaction.
type minedEvent struct {
	eventBody
	tx *ledger.Tx
}

// body returns the event alone.
func (e minedEvent) body() eventBody { return e.eventBody }

// eventsOf lists events of transactions in blocks, the newest first.
func eventsOf(from []*ledger.Tx, keep func(eventBody) bool) (all []minedEvent) {
	for _, tx := range from {
		for _, e := range slices.Backward(events(tx)) {
			if keep(e) {
				all = append(all, minedEvent{e, tx})
			}
		}
	}
	return all
}

// concerns reports whether an event moved something of a principal, or was printed by it.
func (e eventBody) concerns(p string) bool {
	return e.Lock != nil && e.Lock.Address == p || e.Asset != nil && (e.Asset.Sender == p || e.Asset.Recipient == p) || e.Log != nil && e.Log.ContractID == p
}

// memo returns the memo of a transfer as v3 writes it, nil for none.
func (a *eventAssetBody) memo() *cvBody {
	if a.Memo == "" {
		return nil
	}
	raw, _ := hex.DecodeString(strings.TrimPrefix(a.Memo, "0x")) // it was encoded here
	return memoOf(raw)
}
