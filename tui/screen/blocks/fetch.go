package blocks

import (
	"context"
	"strconv"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen/browser"
)

const pageSize = browser.PageSize

// page is one page of the list of recent blocks.
type page struct {
	records  []*record
	total    int64
	offset   int
	exchange uint64
	wanted   bool // requested because a row in sight was not loaded
	asked    time.Time
}

// read requests a page.
func read(ctx context.Context, api *apiclient.Client, offset int) (page, error) {
	limit := pageSize
	a, err := api.Blocks(ctx, apiclient.Page{Limit: &limit, Offset: offset})
	if err != nil {
		return page{offset: offset}, err
	}
	p := page{total: a.Value.Total, offset: offset, exchange: a.ExchangeID}
	for _, b := range browser.BlocksOf(a, func(b apiclient.Block) apiclient.Block { return b }) {
		p.records = append(p.records, &record{Block: b})
	}
	return p, nil
}

// find requests the block that a place names. What may be a burn block is a block of the
// chain where there is no such burn block.
func find(ctx context.Context, api *apiclient.Client, ref nav.Ref) (*record, error) {
	switch ref.By {
	case nav.ByHeight:
		return one(api.Block(ctx, strconv.FormatInt(ref.Height, 10)))
	case nav.ByIndexHash:
		return one(api.Block(ctx, ref.Hash))
	}
	found, _, err := api.FindBlock(ctx, ref.String())
	return one(found, err)
}

// one makes a record of an answer.
func one(a apiclient.Answer[apiclient.Block], err error) (*record, error) {
	if err != nil {
		return nil, err
	}
	return &record{Block: browser.Block{Block: a.Value, Raw: a.Raw, Exchange: a.ExchangeID}}, nil
}
