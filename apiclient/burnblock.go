package apiclient

import (
	"context"
	"encoding/json"
	"errors"

	"chainscope/apiclient/internal/jsoncursor"
)

// BurnBlock is a burn block with the Stacks blocks that it has.
type BurnBlock struct {
	// Time is a Unix time in whole seconds, TimeISO the server's own text of it.
	Time    int64  `json:"burn_block_time"`
	TimeISO string `json:"burn_block_time_iso"`
	Hash    string `json:"burn_block_hash"`
	Height  int64  `json:"burn_block_height"`
	// StacksBlocks are hashes (not index hashes) of its blocks, the newest first; nil
	// when they are not known.
	StacksBlocks []string `json:"stacks_blocks"`
	// Blocks is the number of its blocks, nil when it is not known.
	Blocks *int64 `json:"stacks_block_count,omitempty"`
	// AverageBlockTime is the whole number of seconds between its blocks, 0 for one
	// block; nil when it is not known.
	AverageBlockTime *int64 `json:"avg_block_time"`
	// Transactions is the number of transactions of all its blocks, nil when it is not
	// known.
	Transactions *int64 `json:"total_tx_count"`
	// Lacks names the fields that the route does not have, as in Block.
	Lacks Lacks                      `json:"-"`
	Extra map[string]json.RawMessage `json:"-"`
}

var burnBlockFields = fieldTable[BurnBlock]{
	{"burn_block_time", func(c *jsoncursor.Cursor, b *BurnBlock) { b.Time = count(c) }},
	{"burn_block_time_iso", func(c *jsoncursor.Cursor, b *BurnBlock) { b.TimeISO = c.String() }},
	{"burn_block_hash", func(c *jsoncursor.Cursor, b *BurnBlock) { b.Hash = c.String() }},
	{"burn_block_height", func(c *jsoncursor.Cursor, b *BurnBlock) { b.Height = count(c) }},
	{"stacks_blocks", func(c *jsoncursor.Cursor, b *BurnBlock) { b.StacksBlocks = texts(c) }},
	{"stacks_block_count", func(c *jsoncursor.Cursor, b *BurnBlock) { b.Blocks = knownCount(c) }},
	{"avg_block_time", func(c *jsoncursor.Cursor, b *BurnBlock) { b.AverageBlockTime = knownCount(c) }},
	{"total_tx_count", func(c *jsoncursor.Cursor, b *BurnBlock) { b.Transactions = knownCount(c) }},
}

var burnBlockListDecoder = newDecoder(requireObject(listOf(func(c *jsoncursor.Cursor, b *BurnBlock) {
	burnBlockFields.decode(c, b, &b.Extra)
	if b.Blocks == nil && b.StacksBlocks != nil {
		n := int64(len(b.StacksBlocks))
		b.Blocks = &n
	}
})))

// BurnBlocks lists burn blocks that have Stacks blocks, the newest first, in one
// request. A height that is missing between two rows has no Stacks block. Total is
// not the number of burn blocks: the list ends with a page of fewer rows than Limit.
// The contract has no such route: on a server without one RouteGone reports the
// error. By v3 only the first page can be read.
func (c *Client) BurnBlocks(ctx context.Context, p Page) (Answer[BlockList[BurnBlock]], error) {
	const op = "list of burn blocks"
	if err := validPage(p); err != nil {
		return Answer[BlockList[BurnBlock]]{}, invalid(op, err)
	}
	ask := func(path string, decode decoder[BlockList[BurnBlock]]) func(context.Context) (Answer[BlockList[BurnBlock]], error) {
		return func(ctx context.Context) (Answer[BlockList[BurnBlock]], error) {
			return fetch(ctx, c, request[BlockList[BurnBlock]]{op: op, store: true, decode: decode, path: path})
		}
	}
	const v2, v3 = "/extended/v2/burn-blocks", "/extended/v3/bitcoin-blocks"
	third := form[BlockList[BurnBlock]]{route{3, v3}, ask(v3+p.firstV3(), burnBlocksV3Decoder)}
	if p.Offset > 0 {
		third.ask = func(context.Context) (Answer[BlockList[BurnBlock]], error) {
			return Answer[BlockList[BurnBlock]]{}, invalid(op, errors.New("this server's list of burn blocks has no offset"))
		}
	}
	return firstServed(ctx, c, op, form[BlockList[BurnBlock]]{route{2, v2}, ask(v2+p.query(), burnBlockListDecoder)}, third)
}
