package push

import (
	"encoding/hex"
	"encoding/json"
	"strings"

	"chainscope/wallet/clarity"
)

// Topic holds what a subscription is about: an event, and of which transaction,
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
	Event   json.RawMessage `json:"event"`
	TxID    json.RawMessage `json:"tx_id"`
	Address json.RawMessage `json:"address"`
	Asset   json.RawMessage `json:"asset_identifier"`
	Value   json.RawMessage `json:"value"`
}

// topicResult is the answer to a subscription: what it is about, where that was said.
type topicResult struct {
	TxID    string          `json:"tx_id,omitempty"`
	Address string          `json:"address,omitempty"`
	Asset   json.RawMessage `json:"asset_identifier,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
}

// parseTopic reads the params and returns the result of the request, or the reason
// why there is none in the real server's words.
func parseTopic(params json.RawMessage) (topic Topic, result topicResult, reason string) {
	var s subscription
	if json.Unmarshal(params, &s) != nil {
		s = subscription{}
	}
	switch string(s.Event) {
	case "", "null", "false", "0", `""`:
		return topic, result, "subscription requests must include an event name"
	}
	_ = json.Unmarshal(s.Event, &topic.Event) // what is no text is no event either
	switch topic.Event {
	case Block, Microblock, Mempool, NFTEvent:
		return topic, result, ""
	case TxUpdate:
		digits := strings.ToLower(strings.TrimPrefix(textOf(s.TxID), "0x"))
		if raw, err := hex.DecodeString(digits); err != nil || len(raw) != 32 {
			return topic, result, "invalid tx_id"
		}
		topic.Of = "0x" + digits
		return topic, topicResult{TxID: topic.Of}, ""
	case AddressTxUpdate, AddressBalanceUpdate:
		topic.Of = textOf(s.Address)
		if _, err := clarity.ParsePrincipal(topic.Of); err != nil {
			return topic, result, "invalid address"
		}
		return topic, topicResult{Address: topic.Of}, ""
	case NFTAssetEvent:
		topic.Of = textOf(s.Asset) + "+" + textOf(s.Value)
		return topic, topicResult{Asset: s.Asset, Value: s.Value}, ""
	case NFTCollectionEvent:
		topic.Of = textOf(s.Asset)
		return topic, topicResult{Asset: s.Asset}, ""
	}
	return topic, result, "subscription request must use a valid event name"
}

// textOf returns a JSON value that is a text, without its quotes.
func textOf(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s) // anything else is no asset
	return s
}
