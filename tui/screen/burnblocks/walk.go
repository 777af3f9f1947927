package burnblocks

import (
	"context"
	"strconv"

	"chainscope/apiclient"
)

// read reads one page of a burn block and adds it to what is known of it.
func read(ctx context.Context, api *apiclient.Client, burnBlock string, offset int, known listing) (listing, error) {
	a, err := api.BurnBlockBlocks(ctx, burnBlock, apiclient.Page{Limit: pageSize, Offset: offset})
	if err != nil {
		return known, err
	}
	return known.with(a, offset), nil
}

// readRow reads one burn block for the list of them.
func readRow(ctx context.Context, api *apiclient.Client, height int64) (listing, error) {
	l, err := read(ctx, api, strconv.FormatInt(height, 10), 0, listing{})
	if apiclient.EmptyBurnBlock(err) || err == nil && len(l.blocks) == 0 {
		return listing{height: height, empty: true}, nil
	}
	return l, err
}
