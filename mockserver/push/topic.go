package push

import (
	"encoding/hex"
	"encoding/json"
	"strings"

	"chainscope/wallet/clarity"
)

// Topic is what a subscription is about: an event, and of which transaction,
// address or asset where it needs one.
type Topic struct {
	Event string
	Of    string
}

// The events that can be subscribed to.
const (
	Block                = "block"
	Microblock           = "microblock"
	Mempool              = "mempool"
	TxUpdate             = "tx_update"
	AddressTxUpdate      = "address_tx_update"
	AddressBalanceUpdate = "address_balance_update"
	NFTEvent             = "nft_event"
	NFTAssetEvent        = "nft_asset_event"
	NFTCollectionEvent   = "nft_collection_event"
)

// subscription is the params of subscribe and unsubscribe.
type subscription struct {
	Event   string `json:"event"`
	TxID    string `json:"tx_id"`
	Address string `json:"address"`
	Asset   string `json:"asset_identifier"`
	Value   string `json:"value"`
}

// parseTopic reads the params and returns the result of the request, or the reason
// why there is none in the real server's words.
func parseTopic(params json.RawMessage) (topic Topic, result map[string]string, reason string) {
	var s subscription
	if json.Unmarshal(params, &s) != nil || s.Event == "" {
		return topic, nil, "subscription requests must include an event name"
	}
	topic.Event = s.Event
	switch s.Event {
	case Block, Microblock, Mempool, NFTEvent:
		return topic, map[string]string{}, ""
	case TxUpdate:
		digits := strings.ToLower(strings.TrimPrefix(s.TxID, "0x"))
		if raw, err := hex.DecodeString(digits); err != nil || len(raw) != 32 {
			return topic, nil, "invalid tx_id"
		}
		topic.Of = "0x" + digits
		return topic, map[string]string{"tx_id": topic.Of}, ""
	case AddressTxUpdate, AddressBalanceUpdate:
		if _, err := clarity.ParsePrincipal(s.Address); err != nil {
			return topic, nil, "invalid address"
		}
		topic.Of = s.Address
		return topic, map[string]string{"address": s.Address}, ""
	case NFTAssetEvent:
		topic.Of = s.Asset + " " + s.Value
		return topic, map[string]string{"asset_identifier": s.Asset, "value": s.Value}, ""
	case NFTCollectionEvent:
		topic.Of = s.Asset
		return topic, map[string]string{"asset_identifier": s.Asset}, ""
	}
	return topic, nil, "subscription request must use a valid event name"
}
