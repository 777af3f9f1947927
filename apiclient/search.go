package apiclient

import (
	"context"
	"encoding/json"
)

// Found holds what has an id.
type Found struct {
	// Kind is tx_id, mempool_tx_id, block_hash, contract_address or standard_address.
	Kind string `json:"entity_type"`
	// ID is the id as the server writes it.
	ID    string                     `json:"entity_id"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// FoundBlock is the kind of a block.
const FoundBlock = "block_hash"

// Search looks up what has a hash, with or without 0x before it: a transaction or a block. Where
// there is neither it is NotFound. Every generation has the route.
func (c *Client) Search(ctx context.Context, hash string) (Answer[Found], error) {
	const op = "search"
	hash, err := normalHash(hash)
	if err != nil {
		return Answer[Found]{}, invalid(op, err)
	}
	return firstServed(ctx, c, op, by(c, route{1, "/extended/v1/search/{id}"}, hash, "", func(body []byte) (Found, error) {
		whole, err := decode[struct {
			Result Found `json:"result"`
		}](body)
		return whole.Result, err
	}))
}
