package blocks

import (
	"context"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/nav"
)

// find requests the block that a place names. What may be a burn block is a block of the
// chain where there is no such burn block.
func find(ctx context.Context, api *apiclient.Client, ref nav.Ref) (*chain.Block, error) {
	switch ref.By {
	case nav.ByHeight:
		return one(api.Block(ctx, strconv.FormatInt(ref.Height, 10)))
	case nav.ByIndexHash:
		return one(api.Block(ctx, ref.Hash))
	}
	found, _, err := api.FindBlock(ctx, ref.String())
	return one(found, err)
}

// one makes a block of an answer.
func one(a apiclient.Answer[apiclient.Block], err error) (*chain.Block, error) {
	if err != nil {
		return nil, err
	}
	return &chain.Block{Block: a.Value, Raw: a.Raw, Exchange: a.ExchangeID}, nil
}
