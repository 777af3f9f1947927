package home

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"chainscope/apiclient"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/chart"
)

// keptBlocks bounds the blocks that home holds.
const keptBlocks = 180

// block holds what home shows of a Stacks block.
type block struct {
	height, burn int64
	time         int64 // Unix seconds
	burnTime     int64
	id           string  // its index block hash
	hash, parent string  // its block hash, and that of the block before
	txs          float64 // a gap where the number is not known
	share        float64 // of the block limit, of the dearest dimension
	orphaned     bool
	call         string // the key of the wallet's call that signed one of its transactions
}

// chain holds the newest blocks, the highest first.
type chain struct {
	blocks []block
	newest apiclient.Block
	raw    json.RawMessage // of the newest, as the server sent it
	total  map[int64]int64 // how many Stacks blocks a burn block has, by burn height
	groups []group         // what group made of the blocks
}

// join takes a page, and says how the chain has changed by it if it is the first. Of two
// blocks at a height the page's counts. Above the tip of a shorter chain there is nothing.
func (c *chain) join(page []block, first, mayGoBack bool) (changed screen.Compared) {
	if first && len(c.blocks) > 0 {
		changed = screen.CompareChain(seen(page), c.blocks[0].height, mayGoBack, c.seen)
	}
	if changed.Other || changed.Apart {
		c.blocks = nil
	}
	if changed.Changed || changed.Apart {
		clear(c.total)
	}
	heights := map[int64]bool{}
	for _, b := range page {
		heights[b.height] = true
	}
	c.blocks = slices.DeleteFunc(c.blocks, func(b block) bool { return heights[b.height] })
	c.blocks = append(c.blocks, page...)
	slices.SortStableFunc(c.blocks, func(a, b block) int { return cmp.Compare(b.height, a.height) })
	if changed.Shorter {
		top := page[0].height
		c.blocks = slices.DeleteFunc(c.blocks, func(b block) bool { return b.height > top && !heights[b.height] })
	}
	c.blocks = c.blocks[:min(len(c.blocks), keptBlocks)]
	c.group()
	return changed
}

// at returns the block at a height, and reports whether it is loaded.
func (c *chain) at(height int64) (block, bool) {
	i := slices.IndexFunc(c.blocks, func(b block) bool { return b.height == height })
	if i < 0 {
		return block{}, false
	}
	return c.blocks[i], true
}

// seen returns the block at a height, as far as it is loaded.
func (c *chain) seen(height int64) (screen.SeenBlock, bool) {
	b, ok := c.at(height)
	return b.SeenBlock(), ok && !b.orphaned
}

// seen returns the blocks of a page that are of the chain.
func seen(page []block) []screen.SeenBlock {
	var out []screen.SeenBlock
	for _, b := range page {
		if !b.orphaned {
			out = append(out, b.SeenBlock())
		}
	}
	return out
}

// SeenBlock returns what tells the block from others.
func (b block) SeenBlock() screen.SeenBlock {
	return screen.SeenBlock{Height: b.height, ID: b.id, Hash: b.hash, Parent: b.parent}
}

// count takes how many Stacks blocks a burn block has.
func (c *chain) count(burn, blocks int64) {
	c.total[burn] = blocks
	c.group()
}

// group is a burn block with those of its Stacks blocks that are loaded, the newest
// first.
type group struct {
	height int64
	time   int64
	blocks []block
	whole  bool  // all its blocks are loaded
	total  int64 // 0 when it is not known
}

// group lists the burn blocks of the loaded blocks, the newest first. It is done when
// blocks come, since every frame asks for them many times.
func (c *chain) group() {
	var all []group
	for _, b := range c.blocks {
		if n := len(all); n == 0 || all[n-1].height != b.burn {
			all = append(all, group{height: b.burn, time: b.burnTime, total: c.total[b.burn]})
		}
		g := &all[len(all)-1]
		g.blocks = append(g.blocks, b)
	}
	for i := range all {
		g := &all[i]
		g.whole = i < len(all)-1 || g.total > 0 && int64(len(g.blocks)) >= g.total
		if g.whole {
			g.total = int64(len(g.blocks))
		}
	}
	c.groups = all
}

// transactions returns the number of transactions of the loaded blocks of a group; false where
// that of one is not known.
func (g group) transactions() (sum int64, known bool) {
	for _, b := range g.blocks {
		if math.IsNaN(b.txs) { // a gap
			return 0, false
		}
		sum += int64(b.txs)
	}
	return sum, true
}

// blocksInWords returns the number of loaded blocks; a plus says that there may be more.
func (g group) blocksInWords() string {
	if !g.whole {
		return text.Count(len(g.blocks)) + "+"
	}
	return text.Count(len(g.blocks))
}

// incomplete returns the burn block whose number of blocks is requested: the oldest that
// is loaded, of which older blocks may not be.
func (c *chain) incomplete() (height int64, ok bool) {
	if len(c.blocks) == 0 {
		return 0, false
	}
	height = c.blocks[len(c.blocks)-1].burn
	return height, c.total[height] == 0
}

// series returns the values of the charts, the newest last. Between blocks that are not
// neighbors there is a gap.
func (c *chain) series() (intervals, txs, shares []float64) {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		b, interval := c.blocks[i], chart.Gap()
		if i+1 < len(c.blocks) {
			if before := c.blocks[i+1]; before.height == b.height-1 && b.time >= before.time {
				interval = float64(b.time - before.time)
			}
		}
		intervals, txs, shares = append(intervals, interval), append(txs, b.txs), append(shares, 100*b.share)
	}
	return intervals, txs, shares
}

// newBlock takes what is shown of a block.
func newBlock(b *apiclient.Block, limits resource.CostLimits) block {
	out := block{
		height: b.Height, burn: b.BurnBlockHeight, time: b.BlockTime, burnTime: b.BurnBlockTime,
		id: b.IndexBlockHash, hash: b.Hash, parent: b.ParentBlockHash, txs: chart.Gap(), share: chart.Gap(), orphaned: !b.Canonical && !b.Lacks["canonical"],
	}
	if n, known := b.Transactions(); known {
		out.txs = float64(n)
	}
	if !b.Lacks["execution_cost_runtime"] {
		out.share = limits.Greatest(b.ExecutionCost)
	}
	return out
}
