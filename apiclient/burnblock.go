package apiclient

import (
	"context"
	"encoding/json"
	"errors"
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
	Extra map[string]json.RawMessage `json:",embed"`
}

// countBlocks fills in the number of blocks where only their hashes are given.
func (b *BurnBlock) countBlocks() {
	if b.Blocks == nil && b.StacksBlocks != nil {
		n := int64(len(b.StacksBlocks))
		b.Blocks = &n
		delete(b.Lacks, "stacks_block_count")
	}
}

// BurnBlocks lists burn blocks that have Stacks blocks, the newest first, in one
// request. A height that is missing between two rows has no Stacks block. Total is
// not the number of burn blocks: the list ends with a page of fewer rows than Limit.
// The contract has no such route: on a server without one RouteGone reports the
// error. By v3 only the first page can be read.
func (c *Client) BurnBlocks(ctx context.Context, p Page) (Answer[List[BurnBlock]], error) {
	const op = "list of burn blocks"
	if err := validPage(p); err != nil {
		return Answer[List[BurnBlock]]{}, invalid(op, err)
	}
	third := by(c, route{3, "/extended/v3/bitcoin-blocks"}, "", p.firstV3(), listWith(lenientV3, (*BurnBlock).countBlocks))
	if p.Offset > 0 {
		third.read = func(context.Context, string) (Answer[List[BurnBlock]], error) {
			return Answer[List[BurnBlock]]{}, invalid(op, errors.New("this server's list of burn blocks has no offset"))
		}
	}
	return firstServed(ctx, c, op, by(c, route{2, "/extended/v2/burn-blocks"}, "", p.query(), listOf((*BurnBlock).countBlocks)), third)
}
