package apiclient

import (
	"context"
	"maps"
)

// transactionPages bounds how many pages of fifty are read of a block's transactions. The
// ids of a block with more stay unknown.
const (
	transactionPages = 10
	transactionPage  = 50
)

// listedTransaction is an entry of the transactions of a block.
type listedTransaction struct {
	ID string `json:"tx_id"`
}

// Complete requests what the route that answered does not say of a block: parent and
// cost where only v3 lists blocks, and the ids of its transactions after v1. That takes
// one request each; a block with more than 50 transactions takes one for each 50. What no
// route leaves out stays unknown, as the rest does after an error.
func (c *Client) Complete(ctx context.Context, b Block) (Block, error) {
	if b.IndexBlockHash == "" {
		return b, nil
	}
	which, err := normalHash(b.IndexBlockHash)
	if err != nil {
		return b, invalid(blockOp, err)
	}
	if b.Lacks.Cost() {
		whole, err := c.Block(ctx, which)
		if err != nil && !RouteGone(err) {
			return b, err
		}
		if err == nil && whole.Value.IndexBlockHash == b.IndexBlockHash {
			b = whole.Value
		}
	}
	if !b.Lacks["txs"] {
		return b, nil
	}
	ids, err := c.transactionsOf(ctx, which)
	if err != nil || ids == nil {
		if RouteGone(err) {
			err = nil
		}
		return b, err
	}
	b.Txs, b.Lacks = ids, maps.Clone(b.Lacks)
	delete(b.Lacks, "txs")
	return b, nil
}

// transactionsOf reads the ids of the transactions of a block, the last of the block
// first; nil when there are too many.
func (c *Client) transactionsOf(ctx context.Context, which string) ([]string, error) {
	const op = "transactions of a block"
	ids, cursor := []string{}, ""
	for range transactionPages {
		query := addQuery(Page{Limit: transactionPage}.firstV3(), "cursor", cursor)
		a, err := firstServed(ctx, c, op, by(c, route{3, "/extended/v3/blocks/{height_or_hash}/transactions"}, which, query, listOf[listedTransaction](nil)))
		if err != nil {
			return nil, err
		}
		for _, t := range a.Value.Results {
			ids = append(ids, t.ID)
		}
		if cursor = nextV3(a.Value.Extra); cursor == "" {
			return ids, nil
		}
	}
	return nil, nil
}
