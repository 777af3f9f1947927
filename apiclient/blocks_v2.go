package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// lacksInV2 are the fields of a block that no route of v2 has.
var lacksInV2 = Lacks{
	"txs": true, "parent_microblock_hash": true, "parent_microblock_sequence": true,
	"microblocks_accepted": true, "microblocks_streamed": true, "microblock_tx_count": true,
}

var decodeBlocksV2 = listWith(leniently(-maxOffsetV2), func(b *Block) { b.Lacks = lacksInV2 })

func decodeBlockV2(body []byte) (Block, error) {
	b, err := decodeBlock(body)
	b.Lacks = lacksInV2
	return b, err
}

// decodeBlock reads a block by itself, which has a hash.
func decodeBlock(body []byte) (Block, error) {
	b, err := decode[Block](body)
	if err == nil && b.Hash+b.IndexBlockHash == "" {
		err = &decodeError{Offset: len(body), Reason: "the answer has no field hash"}
	}
	return b, err
}

// maxOffsetV2 is the greatest offset that the list of v2 takes, towards older blocks and,
// below 0, towards newer ones.
const maxOffsetV2 = 300

// blocksV2 reads a page of blocks by v2. Beyond the offsets that the list takes, it
// reads from the block at that height on, which costs up to two requests more.
func (c *Client) blocksV2(ctx context.Context, p Page) (Answer[List[Block]], error) {
	if p.Offset > maxOffsetV2 {
		return c.deepBlocksV2(ctx, p)
	}
	a, err := c.listV2(ctx, p, "")
	if err == nil && len(a.Value.Results) == 0 && p.Offset > 0 {
		// Past the end the server says that there are 0 blocks.
		return c.pastEndV2(ctx, p)
	}
	return a, err
}

// listV2 requests a page of v2 that begins at cursor, or at the newest block.
func (c *Client) listV2(ctx context.Context, p Page, cursor string) (Answer[List[Block]], error) {
	query := addQuery(p.query(), "cursor", cursor)
	a, err := get(ctx, c, blocksOp, "/extended/v2/blocks"+query, decodeBlocksV2)
	if err == nil {
		c.cursorsV2.note(a.Value.Total, 0, "")
		for _, b := range a.Value.Results {
			c.cursorsV2.note(0, b.Height, b.IndexBlockHash)
			c.cursorsV2.note(0, b.Height-1, b.ParentIndexBlockHash)
		}
	}
	return a, err
}

// deepBlocksV2 reads a page by the height of its first block. A height is the tip's
// less the offset, since every height has one block.
func (c *Client) deepBlocksV2(ctx context.Context, p Page) (a Answer[List[Block]], err error) {
	const tries = 3
	tip := c.cursorsV2.lastTip()
	for range tries {
		if tip == 0 {
			newest, err := c.listV2(ctx, Page{Limit: 1}, "")
			if err != nil {
				return newest, err
			}
			if tip = newest.Value.Total; tip == 0 {
				return newest, nil // a chain without blocks
			}
		}
		first := tip - int64(p.Offset)
		if first < 1 {
			return c.pastEndV2(ctx, p)
		}
		a, err = c.listFromV2(ctx, p, first)
		switch {
		case cursorLost(err): // requested again
		case err != nil:
			return a, err
		case a.Value.Total == tip || len(a.Value.Results) == 0:
			a.Value.Offset = int64(p.Offset)
			return a, nil
		default:
			// Blocks have come since: the page lies that much lower.
			a.Value.Offset = a.Value.Total - first
		}
		tip = c.cursorsV2.lastTip()
	}
	return a, err
}

// listFromV2 requests the page whose first block is at a height, from the nearest block
// whose index hash is known. When that block was replaced, none is known any more.
func (c *Client) listFromV2(ctx context.Context, p Page, first int64) (Answer[List[Block]], error) {
	at, cursor := c.cursorsV2.near(first, maxOffsetV2, true)
	if cursor == "" {
		b, err := get(ctx, c, blockOp, blockRoutes[0].path(strconv.FormatInt(first, 10)), decodeBlockV2)
		if err != nil {
			return Answer[List[Block]]{}, err
		}
		at, cursor = first, b.Value.IndexBlockHash
	}
	a, err := c.listV2(ctx, Page{Limit: p.Limit, Offset: int(at - first)}, cursor)
	if cursorLost(err) {
		c.cursorsV2.forget()
	}
	return a, err
}

// pastEndV2 returns the empty page that lies below the first block. The server would
// refuse its offset, so the newest block is requested instead, which has the total.
func (c *Client) pastEndV2(ctx context.Context, p Page) (Answer[List[Block]], error) {
	a, err := c.listV2(ctx, Page{Limit: 1}, "")
	if err != nil {
		return a, err
	}
	list := List[Block]{Offset: int64(p.Offset), Total: a.Value.Total, Results: []Block{}, Limit: 20}
	if p.Limit > 0 {
		list.Limit = int64(p.Limit)
	}
	a.Value = list
	a.Raw, err = json.Marshal(list)
	return a, err
}

// cursorLost reports whether a server says that a cursor's block is not part of the
// chain.
func cursorLost(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound && e.ServerMessage == "Cursor not found"
}

// firstOf returns the highest block of a page of blocks as an answer of its own.
// A burn block whose only blocks were replaced has an empty page.
func firstOf(op string, a Answer[List[Block]], err error) (Answer[Block], error) {
	one := Answer[Block]{ExchangeID: a.ExchangeID, FetchedAt: a.FetchedAt, Cached: a.Cached}
	if err != nil {
		return one, err
	}
	if len(a.Value.Results) == 0 {
		return one, &Error{Kind: NotFound, Op: op, ServerMessage: emptyBurnBlock, Status: http.StatusNotFound}
	}
	one.Value, one.Raw = a.Value.Results[0], Results(a.Raw, 1)[0]
	return one, nil
}
