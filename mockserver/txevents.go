package mockserver

import (
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// eventBody is an event of a transaction as the API gives it.
type eventBody struct {
	Index int            `json:"event_index"`
	Type  string         `json:"event_type"`
	TxID  string         `json:"tx_id"`
	Asset eventAssetBody `json:"asset"`
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
func (t *transactions) events(tx *ledger.Tx) []eventBody {
	out := []eventBody{}
	for i, m := range t.movements(tx) {
		e := eventBody{Index: i, Type: "stx_asset", TxID: with0x(tx.ID[:])}
		e.Asset = eventAssetBody{Type: "transfer", ID: m.asset, Sender: m.from.String(), Recipient: m.to.String(), Memo: m.memo}
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
	return out
}

// valueBody writes a value of a transaction that was decoded, which always
// encodes.
func valueBody(v clarity.Value) *cvBody {
	encoded, err := clarity.EncodeHex(v)
	if err != nil {
		panic("mockserver: encode a value that was decoded: " + err.Error())
	}
	return &cvBody{"0x" + encoded, clarity.Repr(v)}
}
