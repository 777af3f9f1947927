package apiclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
)

// maxWalk is how many pages of a list of v3 are read to reach an offset. Its cursors
// are texts of the server, so that a place can only be walked to.
const maxWalk = 10

// firstV3 returns the parameters of the first page of a list of v3, which takes no
// limit of 0 and no offset.
func (p Page) firstV3() string {
	if p.Limit == nil || *p.Limit == 0 {
		return ""
	}
	return "?limit=" + strconv.Itoa(*p.Limit)
}

// addQuery adds a parameter to a query.
func addQuery(query, name, value string) string {
	if query == "" {
		return "?" + name + "=" + url.QueryEscape(value)
	}
	return query + "&" + name + "=" + url.QueryEscape(value)
}

// nextV3 returns the cursor of the next older page of v3, "" at the end.
func nextV3(extra map[string]json.RawMessage) string {
	var cursor struct {
		Next string `json:"next"`
	}
	if json.Unmarshal(extra["cursor"], &cursor) != nil {
		return ""
	}
	return cursor.Next
}

// pageV3 asks for one page of a list of blocks of v3.
func (c *Client) pageV3(ctx context.Context, op, path, query, cursor string) (Answer[BlockList[Block]], error) {
	if cursor != "" {
		query = addQuery(query, "cursor", cursor)
	}
	a, err := fetch(ctx, c, request[BlockList[Block]]{op: op, store: true, decode: blocksV3Decoder, path: path + query})
	if err == nil && op == blocksOp {
		c.walked.passed(a.Value, cursor == "", nextV3(a.Value.Extra))
	}
	return a, err
}

// blocksV3 reads a page of blocks by v3. It walks on from the last page before it that was
// read; where other blocks stand there by now, from the newest on.
func (c *Client) blocksV3(ctx context.Context, p Page) (Answer[BlockList[Block]], error) {
	const path = "/extended/v3/blocks"
	tip, cursor, left := c.walked.before(int64(p.Offset))
	a, err := c.walkV3(ctx, blocksOp, path, p, cursor, left)
	refused := KindOf(err) == InvalidInput || KindOf(err) == NotFound && !RouteGone(err)
	fits := len(a.Value.Results) > 0 && a.Value.Results[0].Height == tip-int64(p.Offset)
	if cursor == "" || err == nil && fits || err != nil && !refused {
		return a, err
	}
	c.walked.forget()
	return c.walkV3(ctx, blocksOp, path, p, "", p.Offset)
}

// walkV3 reads the page that lies so many blocks below a cursor of a list of blocks of
// v3: the pages between are walked, in steps of the greatest page.
func (c *Client) walkV3(ctx context.Context, op, path string, p Page, cursor string, left int) (Answer[BlockList[Block]], error) {
	far := invalid(op, fmt.Errorf("this server lists blocks from the newest on; offset must be 0-%d", maxWalk*maxLimit))
	if op == blocksOp && left > maxWalk*maxLimit {
		return Answer[BlockList[Block]]{}, far
	}
	for pages := 0; left > 0; pages++ {
		if pages == maxWalk {
			return Answer[BlockList[Block]]{}, far
		}
		step := min(left, maxLimit)
		a, err := c.pageV3(ctx, op, path, Page{Limit: &step}.firstV3(), cursor)
		if err != nil {
			return a, err
		}
		if cursor = nextV3(a.Value.Extra); cursor == "" || len(a.Value.Results) == 0 {
			a.Value.Results, a.Value.Offset = []Block{}, int64(p.Offset)
			a.Raw, err = json.Marshal(a.Value)
			return a, err
		}
		left -= len(a.Value.Results)
	}
	a, err := c.pageV3(ctx, op, path, p.firstV3(), cursor)
	a.Value.Offset = int64(p.Offset)
	return a, err
}

// blockV3 reads one block by v3.
func (c *Client) blockV3(ctx context.Context, which string) (Answer[Block], error) {
	return fetch(ctx, c, request[Block]{
		op: blockOp, store: true, decode: blockV3Decoder, path: "/extended/v3/blocks/" + which,
	})
}

// listed returns a page of blocks as the listing of one burn block has them.
func listed(a Answer[BlockList[Block]], err error) (Answer[BlockList[ListedBlock]], error) {
	out := Answer[BlockList[ListedBlock]]{Raw: a.Raw, ExchangeID: a.ExchangeID, FetchedAt: a.FetchedAt, Cached: a.Cached}
	if err != nil {
		return out, err
	}
	l := a.Value
	out.Value = BlockList[ListedBlock]{Limit: l.Limit, Offset: l.Offset, Total: l.Total, Extra: l.Extra, Results: make([]ListedBlock, 0, len(l.Results))}
	for _, b := range l.Results {
		row := ListedBlock{
			Canonical: b.Canonical, Height: b.Height, Hash: b.Hash, BlockTime: b.BlockTime, BlockTimeISO: b.BlockTimeISO,
			TenureHeight: b.TenureHeight, IndexBlockHash: b.IndexBlockHash, ParentBlockHash: b.ParentBlockHash,
			ParentIndexBlockHash: b.ParentIndexBlockHash, BurnBlockTime: b.BurnBlockTime, BurnBlockTimeISO: b.BurnBlockTimeISO,
			BurnBlockHash: b.BurnBlockHash, BurnBlockHeight: b.BurnBlockHeight, MinerTxID: b.MinerTxID,
			ExecutionCost: b.ExecutionCost, Lacks: b.Lacks, Extra: b.Extra,
		}
		if b.TxCount != nil {
			row.TxCount = *b.TxCount
		}
		out.Value.Results = append(out.Value.Results, row)
	}
	return out, nil
}
