package burnblocks

import (
	"context"
	"strconv"

	"chainscope/apiclient"
)

// API is what the screen asks of a client.
type API interface {
	BurnBlocks(ctx context.Context, p apiclient.Page) (apiclient.Answer[apiclient.List[apiclient.BurnBlock]], error)
	BurnBlockBlocks(ctx context.Context, burnBlock string, p apiclient.Page) (apiclient.Answer[apiclient.List[apiclient.ListedBlock]], error)
}

// walkMost is how many burn blocks without a Stacks block are passed over in
// one go. Longer gaps are rare; the next key goes on from there.
const walkMost = 12

// walked is where a walk to the next burn block with a Stacks block came to.
type walked struct {
	step    int // 1 towards the tip, -1 away from it
	found   bool
	listing listing // when found
	empty   []int64 // the burn blocks on the way that have no Stacks block
	at      int64   // the last burn block that was looked at
	edge    bool    // there is nothing further: the tip, or burn block 0
}

// walk looks for the nearest burn block with a Stacks block, from the one after
// a height on. The API answers the same for a burn block without a Stacks block
// as for one that does not exist, so the tip is asked for first.
func walk(ctx context.Context, api API, from int64, step int) (walked, error) {
	w := walked{step: step, at: from}
	last := int64(0)
	if step > 0 {
		tip, err := read(ctx, api, "latest", 0, listing{})
		if err != nil {
			return w, err
		}
		last = tip.height
	}
	for range walkMost {
		next := w.at + int64(step)
		if next < 0 || step > 0 && next > last {
			w.edge = true
			return w, nil
		}
		l, err := read(ctx, api, strconv.FormatInt(next, 10), 0, listing{})
		switch {
		case err == nil && len(l.blocks) > 0:
			w.found, w.listing, w.at = true, l, next
			return w, nil
		case err != nil && !apiclient.EmptyBurnBlock(err):
			return w, err
		}
		w.at = next
		w.empty = append(w.empty, next)
	}
	return w, nil
}

// read reads one page of a burn block and adds it to what is known of it.
func read(ctx context.Context, api API, burnBlock string, offset int, known listing) (listing, error) {
	limit := pageSize
	a, err := api.BurnBlockBlocks(ctx, burnBlock, apiclient.Page{Limit: &limit, Offset: offset})
	if err != nil {
		return known, err
	}
	return known.with(a, offset), nil
}

// readRow reads one burn block for the list of them.
func readRow(ctx context.Context, api API, height int64) (listing, error) {
	l, err := read(ctx, api, strconv.FormatInt(height, 10), 0, listing{})
	if apiclient.EmptyBurnBlock(err) || err == nil && len(l.blocks) == 0 {
		return listing{height: height, empty: true}, nil
	}
	return l, err
}
