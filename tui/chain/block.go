package chain

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/resource"
)

// PageSize is the most blocks that the API lists at once.
const PageSize = 30

// Block is a block with the exact JSON it came as. One that another has replaced is not canonical.
type Block struct {
	apiclient.Block
	Raw      json.RawMessage
	Exchange uint64
	// Requested reports that what its list does not say was requested, Whole that it is known.
	Requested, Whole bool
}

// ID tells blocks apart; heights do not, since a block can be replaced.
func (b *Block) ID() string {
	if b.IndexBlockHash == "" {
		return strconv.FormatInt(b.Height, 10) + " " + b.Hash
	}
	return b.IndexBlockHash
}

// Listed returns the block as lists have it.
func (b *Block) Listed() resource.Block { return resource.BlockOf(&b.Block) }

// BlocksOf gives each block of a page the JSON it came as.
func BlocksOf[T any](page apiclient.Answer[apiclient.List[T]], block func(T) apiclient.Block) []Block {
	raw := apiclient.Results(page.Raw, len(page.Value.Results))
	out := make([]Block, len(page.Value.Results))
	for i, b := range page.Value.Results {
		out[i] = Block{Block: block(b), Raw: raw[i], Exchange: page.ExchangeID}
	}
	return out
}

// Page is a page of the list of recent blocks.
type Page struct {
	Blocks    []*Block
	Total     int64
	Offset    int
	Exchange  uint64
	Requested time.Time // when it was requested, for the first page
}

// Read requests a page.
func Read(ctx context.Context, api *apiclient.Client, offset, limit int) (Page, error) {
	a, err := api.Blocks(ctx, apiclient.Page{Limit: limit, Offset: offset})
	if err != nil {
		return Page{Offset: offset}, err
	}
	p := Page{Total: a.Value.Total, Offset: offset, Exchange: a.ExchangeID}
	for _, b := range BlocksOf(a, func(b apiclient.Block) apiclient.Block { return b }) {
		p.Blocks = append(p.Blocks, &b)
	}
	return p, nil
}
