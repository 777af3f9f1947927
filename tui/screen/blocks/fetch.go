package blocks

import (
	"context"
	"strconv"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

// API is what the screen asks of a client.
type API interface {
	Blocks(ctx context.Context, p apiclient.Page) (apiclient.Answer[apiclient.List[apiclient.Block]], error)
	BlockByBurnHeight(ctx context.Context, height int64) (apiclient.Answer[apiclient.Block], error)
	Block(ctx context.Context, heightOrHashOrLatest string) (apiclient.Answer[apiclient.Block], error)
	FindBlock(ctx context.Context, heightOrHash string) (a apiclient.Answer[apiclient.Block], ofBurnBlock bool, err error)
	Complete(ctx context.Context, b apiclient.Block) (apiclient.Block, error)
}

// pageSize is the most blocks that the API lists at once.
const pageSize = 30

// page is one page of the list of recent blocks.
type page struct {
	records  []*record
	total    int64
	offset   int
	exchange uint64
	wanted   bool // asked for because a row in sight was not loaded
	asked    time.Time
}

// read asks for a page.
func read(ctx context.Context, api API, offset int) (page, error) {
	limit := pageSize
	a, err := api.Blocks(ctx, apiclient.Page{Limit: &limit, Offset: offset})
	if err != nil {
		return page{offset: offset}, err
	}
	raw := apiclient.Results(a.Raw)
	p := page{total: a.Value.Total, offset: offset, exchange: a.ExchangeID}
	for i, b := range a.Value.Results {
		r := &record{Block: b, exchange: a.ExchangeID}
		if i < len(raw) {
			r.raw = raw[i]
		}
		p.records = append(p.records, r)
	}
	return p, nil
}

// find asks for the block that a place names. What may be a burn block is a block of the
// chain where there is no such burn block.
func find(ctx context.Context, api API, ref nav.Ref) (single, error) {
	switch ref.By {
	case nav.ByHeight:
		return one(api.Block(ctx, strconv.FormatInt(ref.Height, 10)))
	case nav.ByIndexHash:
		return one(api.Block(ctx, ref.Hash))
	}
	found, _, err := api.FindBlock(ctx, ref.String())
	return one(found, err)
}

// single is one block, asked for by itself or by its burn block.
type single struct{ record *record }

// one makes a single of an answer.
func one(a apiclient.Answer[apiclient.Block], err error) (single, error) {
	if err != nil {
		return single{}, err
	}
	return single{&record{Block: a.Value, raw: a.Raw, exchange: a.ExchangeID}}, nil
}
