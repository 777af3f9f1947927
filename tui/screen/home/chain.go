package home

import (
	"cmp"
	"math"
	"slices"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/text"
)

// maxBlocks bounds the blocks that home holds.
const maxBlocks = 180

// block is a block with what home makes of it.
type block struct {
	*chain.Block
	txs      float64 // a gap where the number is not known
	orphaned bool
	call     string // the key of the wallet's call that signed one of its transactions
}

// view holds the newest blocks, and how home groups them.
type view struct {
	chain.Chain
	blocks []block         // the highest first, replaced ones too
	total  map[int64]int64 // how many Stacks blocks a burn block has, by burn height
	groups []group         // what group made of the blocks
}

// join takes a page, and says how the chain has changed by it.
func (v *view) join(p chain.Page, mayGoBack bool, now time.Time) chain.Change {
	change := v.Page(p, mayGoBack, now)
	if change.Apart {
		v.ForgetBelow(p.Blocks[len(p.Blocks)-1].Height)
	}
	if change.Changed || change.Apart {
		clear(v.total)
	}
	v.Trim(v.Tip, maxBlocks)
	return change
}

// count takes how many Stacks blocks a burn block has.
func (v *view) count(burn, blocks int64) {
	v.total[burn] = blocks
	v.group()
}

// group is a burn block with those of its Stacks blocks that are loaded, the newest
// first.
type group struct {
	height int64
	time   int64
	blocks []block // those that were replaced too
	count  int     // of blocks of the chain
	whole  bool    // all its blocks are loaded
	total  int64   // 0 when it is not known
}

// group lists the burn blocks of the loaded blocks, the newest first. It is done when
// blocks come, since every frame needs them many times.
func (v *view) group() {
	v.groups = nil
	for _, b := range v.blocks {
		i := slices.IndexFunc(v.groups, func(g group) bool { return g.height == b.BurnBlockHeight })
		if i < 0 {
			i = len(v.groups)
			v.groups = append(v.groups, group{height: b.BurnBlockHeight, time: b.BurnBlockTime, total: v.total[b.BurnBlockHeight]})
		}
		g := &v.groups[i]
		if g.blocks = append(g.blocks, b); !b.orphaned {
			g.count++
		}
	}
	slices.SortStableFunc(v.groups, func(a, b group) int { return cmp.Compare(b.height, a.height) })
	for i := range v.groups {
		g := &v.groups[i]
		g.whole = i < len(v.groups)-1 || g.total > 0 && int64(g.count) >= g.total
		if g.whole {
			g.total = int64(g.count)
		}
	}
}

// transactions returns the number of transactions of the loaded blocks of a group; false where
// that of one is not known.
func (g group) transactions() (sum int64, known bool) {
	for _, b := range g.blocks {
		if math.IsNaN(b.txs) { // a gap
			return 0, false
		}
		if !b.orphaned {
			sum += int64(b.txs)
		}
	}
	return sum, true
}

// blocksInWords returns the number of loaded blocks; a plus says that there may be more.
func (g group) blocksInWords() string {
	if !g.whole {
		return text.Count(g.count) + "+"
	}
	return text.Count(g.count)
}

// incomplete returns the burn block whose number of blocks is requested: the oldest that
// is loaded, of which older blocks may not be.
func (v *view) incomplete() (height int64, ok bool) {
	if len(v.groups) == 0 {
		return 0, false
	}
	height = v.groups[len(v.groups)-1].height
	return height, v.total[height] == 0
}
