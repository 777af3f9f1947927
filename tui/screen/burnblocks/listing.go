package burnblocks

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/resource"
)

const pageSize = chain.PageSize

// block is a Stacks block of a burn block.
type block = chain.Block

// txs returns the number of transactions of a block, 0 where it is not known.
func txs(b *block) int64 {
	n, _ := b.Transactions()
	return max(0, n)
}

// answer is a page of a listing as the client gives it.
type answer = apiclient.Answer[apiclient.List[apiclient.ListedBlock]]

// listing holds what is known of the Stacks blocks of one burn block.
type listing struct {
	height  int64
	hash    string
	time    time.Time       // when the burn block was mined
	total   int64           // all its Stacks blocks, loaded or not
	blocks  []block         // the highest first
	ended   bool            // a page past the end was seen
	empty   bool            // it is known to have no Stacks block
	raw     json.RawMessage // the page that came last
	id      uint64          // its exchange
	counted bool            // its blocks are not known, only their number
	txs     *int64          // transactions of all its blocks, where they are counted
	counts  *counts         // what came with the newest burn block
}

// with adds a page that was requested at an offset. A page past the end says
// that there are no blocks at all, so that the total before it stays. The
// listing before is not changed.
func (l listing) with(a answer, offset int) listing {
	page := a.Value
	l.raw, l.id = a.Raw, a.ExchangeID
	if len(page.Results) == 0 {
		if offset == 0 {
			l.blocks, l.total = nil, page.Total
		}
		l.ended = true
		return l
	}
	if first := page.Results[0]; first.BurnBlockHash != l.hash {
		l.height, l.hash, l.time, l.blocks = first.BurnBlockHeight, first.BurnBlockHash, unix(first.BurnBlockTime), nil
	}
	l.total = page.Total
	rows := chain.BlocksOf(a, apiclient.ListedBlock.Block)
	if offset == 0 {
		l.blocks = l.following(rows)
	}
	l.blocks = join(l.blocks, rows)
	l.ended = false
	return l
}

// following returns the loaded blocks that follow on a first page: without those above it, which a
// chain that was rolled back has no more, and none where blocks between the two are not loaded.
func (l listing) following(first []block) []block {
	if len(first) == 0 || len(l.blocks) == 0 || first[len(first)-1].Height-1 > l.blocks[0].Height {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.blocks), func(b block) bool { return b.Height > first[0].Height })
}

// more reports whether there are blocks that are not loaded.
func (l listing) more() bool { return !l.counted && !l.ended && int64(len(l.blocks)) < l.total }

// transactions returns the number of transactions of all blocks; where that is not known it is
// not whole, and that of the loaded blocks.
func (l listing) transactions() (n int64, whole bool) {
	if l.txs != nil {
		return *l.txs, true
	}
	for _, b := range l.blocks {
		n += txs(&b)
	}
	return n, !l.counted && !l.more()
}

// burnBlock returns the burn block as lists have it. What is counted of the loaded blocks only is
// a part.
func (l listing) burnBlock() resource.BurnBlock {
	b := resource.BurnBlock{Height: l.height, Hash: l.hash, Time: l.time, Blocks: resource.NumberOf(l.total), Empty: l.empty}
	if n, whole := l.transactions(); whole || !l.counted {
		b.Transactions = resource.NumberOf(n)
		b.Transactions.AtLeast = !whole
	}
	return b
}

// weights returns the transaction counts of the blocks, in their order.
func (l listing) weights() []float64 {
	out := make([]float64, len(l.blocks))
	for i, b := range l.blocks {
		out[i] = float64(txs(&b))
	}
	return out
}

// join adds a page to the blocks loaded before, the highest first. A block is
// the same when its index block hash is, and the page is the newer word on it;
// one of another hash at the same height is replaced on the chain.
func join(loaded, page []block) []block {
	heights := make(map[int64]bool, len(page))
	hashes := make(map[string]bool, len(page))
	out := make([]block, 0, len(loaded)+len(page))
	for _, b := range page {
		if !hashes[b.ID()] {
			out = append(out, b)
		}
		hashes[b.ID()], heights[b.Height] = true, true
	}
	for _, b := range loaded {
		if !hashes[b.ID()] && !heights[b.Height] {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b block) int { return cmp.Compare(b.Height, a.Height) })
	return out
}

// unix returns the time of a count of seconds, the zero time for 0.
func unix(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}
