// Package chain holds the newest blocks as far as a place has loaded them: those of the chain, and
// those that were replaced. It decides what a page of the newest blocks changes.
//
// It must not import bubbletea or a screen.
package chain

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"chainscope/tui/widget/chart"
)

// orphansKept bounds how many replaced blocks stay in the list.
const orphansKept = 100

// Chain holds what is known of the chain: its length, and the blocks that were
// loaded. It gives every block a row, loaded or not, the newest first; a block
// that was replaced keeps a row below the one that replaced it.
type Chain struct {
	Started bool
	Total   int64    // blocks of the chain, as the API counts them
	Tip     int64    // height of the newest block
	Floor   int64    // height of the oldest
	Orphans []*Block // the highest first
	at      map[int64]*Block
	ids     map[string]*Block
	raised  time.Time // when it was last seen to have grown
}

// At returns the block of the chain at a height, nil where it is not loaded.
func (c *Chain) At(height int64) *Block { return c.at[height] }

// ByID returns the loaded block with an id as it is known now: in the chain or replaced.
func (c *Chain) ByID(id string) *Block { return c.ids[id] }

// Newest returns the newest block, be it replaced, and an empty one where it is not loaded.
func (c *Chain) Newest() *Block {
	if b := c.at[c.Tip]; b != nil || len(c.Orphans) == 0 || c.Orphans[0].Height < c.Tip {
		return cmp.Or(b, &Block{})
	}
	return c.Orphans[0]
}

// maxHeight is the greatest height that a JSON number holds exactly.
const maxHeight = 1<<53 - 1

// Rows returns how many rows there are.
func (c *Chain) Rows() int {
	if !c.Started {
		return 0
	}
	return int(min(c.Tip-c.Floor, math.MaxInt32)+1) + len(c.Orphans)
}

// Row returns what is in a row: the height, and the replaced block if the
// row is that of one.
func (c *Chain) Row(i int) (height int64, orphan *Block) {
	// Orphan n is below its height's block and the n orphans above it.
	n, found := slices.BinarySearchFunc(c.Orphans, i, func(o *Block, i int) int {
		return cmp.Compare(c.OrphanRow(o), i)
	})
	if found {
		return c.Orphans[n].Height, c.Orphans[n]
	}
	return c.Tip - int64(i-n), nil
}

// OrphanRow returns the row of a replaced block.
func (c *Chain) OrphanRow(o *Block) int {
	n, _ := slices.BinarySearchFunc(c.Orphans, o, byPlace)
	return int(c.Tip-o.Height) + 1 + n
}

// byPlace orders replaced blocks as they are in the list.
func byPlace(a, b *Block) int {
	return cmp.Or(cmp.Compare(b.Height, a.Height), cmp.Compare(a.ID(), b.ID()))
}

// RowOf returns the row of the canonical block at a height.
func (c *Chain) RowOf(height int64) int {
	n := 0
	for _, o := range c.Orphans {
		if o.Height > height {
			n++
		}
	}
	return int(c.Tip-height) + n
}

// InRow returns the loaded block of a row, nil when it is not loaded.
func (c *Chain) InRow(i int) *Block {
	height, orphan := c.Row(i)
	if orphan != nil {
		return orphan
	}
	return c.at[height]
}

// Change holds what a page changed.
type Change struct {
	Fresh    int // blocks above the tip that was known
	Replaced int // loaded blocks that are no longer canonical
	Gone     int // loaded blocks above the tip of a chain that got shorter
	Compared
}

// fastest is the greatest number of blocks a second that a chain may get.
const fastest = 1

// Page adds a page of the list of recent blocks, which the server counted from
// an offset below its tip. So a later page also reports where the tip is by now. Unless the
// chain may go back, a page that is only lower is older than what is known.
func (c *Chain) Page(p Page, mayGoBack bool, now time.Time) Change {
	var j Change
	first, before := p.Offset == 0, c.Tip
	blocks := slices.DeleteFunc(slices.Clone(p.Blocks), func(b *Block) bool { return b.Height < 0 || b.Height > maxHeight })
	if len(blocks) == 0 {
		if !first && c.Started {
			c.Floor = c.lowest()
		}
		return j
	}
	// A page whose rows are in no order must not move the tip about.
	slices.SortStableFunc(blocks, func(a, b *Block) int { return cmp.Compare(b.Height, a.Height) })
	top := blocks[0].Height + int64(p.Offset)
	if !first && p.Total > 0 && top > p.Total {
		top = c.Tip // a list with holes, or a server that ignores the offset
	}
	if !c.Started {
		c.Started, c.Tip, c.Floor = true, top, top
		c.clear()
	}
	if first {
		j.Compared = Compare(blocks, c.Tip, mayGoBack && !p.Requested.Before(c.raised), c.At)
	}
	if j.Other {
		c.clear()
	}
	switch {
	case j.Shorter:
		j.Gone = c.cut(top)
	case j.Other:
		c.Tip = top
	case top > c.Tip:
		j.Fresh, c.Tip = int(top-c.Tip), top
	}
	for _, b := range blocks {
		j.Replaced += c.add(b)
	}
	if p.Total > 0 {
		c.Total = p.Total
	}
	if first && p.Total > 0 {
		c.Floor = max(0, c.Tip-p.Total+1)
	}
	c.Floor = min(c.Floor, c.lowest())
	c.raise(before, j.Apart, now)
	return j
}

// raise notes that the tip was lower before. No chain grows faster than it may: one that is
// apart from what was loaded is another one then.
func (c *Chain) raise(before int64, apart bool, now time.Time) {
	if apart && before > 0 && float64(c.Tip-before) > fastest*now.Sub(c.raised).Seconds()+PageSize {
		c.ForgetBelow(c.Tip - PageSize + 1)
	}
	if c.Tip > before {
		c.raised = now
	}
}

// clear forgets all blocks.
func (c *Chain) clear() { c.at, c.ids, c.Orphans = map[int64]*Block{}, map[string]*Block{}, nil }

// ForgetBelow forgets the blocks below a height.
func (c *Chain) ForgetBelow(height int64) {
	for h, r := range c.at {
		if h < height {
			delete(c.ids, r.ID())
			delete(c.at, h)
		}
	}
}

// cut makes a lower block the tip, and returns how many loaded blocks were above it. They
// have left the chain without another in their place.
func (c *Chain) cut(tip int64) (gone int) {
	for h, r := range c.at {
		if h > tip {
			delete(c.ids, r.ID())
			delete(c.at, h)
			gone++
		}
	}
	c.Orphans = slices.DeleteFunc(c.Orphans, func(o *Block) bool {
		if o.Height > tip {
			delete(c.ids, o.ID())
		}
		return o.Height > tip
	})
	c.Tip = tip
	return gone
}

// lowest returns the height of the oldest block that is loaded.
func (c *Chain) lowest() int64 {
	low := c.Tip
	for h := range c.at {
		low = min(low, h)
	}
	return low
}

// Insert takes a block that did not come with a page.
func (c *Chain) Insert(r *Block) {
	if r.Height < 0 || r.Height > maxHeight {
		return
	}
	if r.Canonical && r.Height > c.Tip {
		c.Tip = r.Height
	}
	c.add(r)
	c.Floor = min(c.Floor, r.Height)
}

// add takes a block and returns how many loaded ones it shows to be replaced.
func (c *Chain) add(r *Block) int {
	if !r.Canonical {
		c.addOrphan(r)
		return 0
	}
	replaced := 0
	old := c.at[r.Height]
	if old != nil && old.ID() != r.ID() {
		replaced += c.orphan(r.Height)
		old = nil
	}
	switch {
	case old != nil && old.Whole:
		r = old // a page of the list says less about it
	case old != nil && len(r.Raw) > 0 && bytes.Equal(old.Raw, r.Raw):
		old.Exchange = r.Exchange
		r = old
	default:
		own := *r
		r = &own
	}
	c.Orphans = slices.DeleteFunc(c.Orphans, func(o *Block) bool { return o.ID() == r.ID() })
	c.at[r.Height], c.ids[r.ID()] = r, r
	// The parent that was loaded may be another than the one it names.
	if p := c.at[r.Height-1]; p != nil && r.ParentBlockHash != "" && p.Hash != r.ParentBlockHash {
		replaced += c.orphan(r.Height - 1)
	}
	return replaced
}

// orphan takes the block at a height out of the chain and keeps it as replaced.
func (c *Chain) orphan(height int64) int {
	r := c.at[height]
	if r == nil {
		return 0
	}
	delete(c.at, height)
	c.addOrphan(r)
	return 1
}

// addOrphan keeps a replaced block. Above the tip nothing is in its place.
func (c *Chain) addOrphan(r *Block) {
	if r.Height > c.Tip {
		return
	}
	o := *r
	o.Canonical = false
	n, found := slices.BinarySearchFunc(c.Orphans, &o, byPlace)
	if found {
		c.Orphans[n] = &o
	} else {
		c.Orphans = slices.Insert(c.Orphans, n, &o)
	}
	c.ids[o.ID()] = &o
	if len(c.Orphans) > orphansKept {
		last := c.Orphans[orphansKept]
		delete(c.ids, last.ID())
		c.Orphans = c.Orphans[:orphansKept]
	}
}

// Trim drops the blocks that are farthest from a height when there are more than may be kept.
// The newest page stays.
func (c *Chain) Trim(around int64, most int) {
	if len(c.at) <= most {
		return
	}
	farthest := ByDistance(c.at, around)
	for _, h := range farthest[:len(farthest)-most*3/4] {
		if h <= c.Tip-PageSize {
			delete(c.ids, c.at[h].ID())
			delete(c.at, h)
		}
	}
}

// ByDistance returns the heights of a map in the order in which a place that holds too
// much forgets them: the farthest from the height that is looked at first.
func ByDistance[V any](m map[int64]V, visible int64) []int64 {
	heights := slices.Collect(maps.Keys(m))
	away := func(height int64) int64 { return max(height-visible, visible-height) }
	slices.SortFunc(heights, func(a, b int64) int { return cmp.Compare(away(b), away(a)) })
	return heights
}

// LastLoaded returns the row of the last block that is loaded without a gap below
// the tip.
func (c *Chain) LastLoaded() int {
	n := 0
	for c.at[c.Tip-int64(n)] != nil {
		n++
	}
	return max(0, c.RowOf(c.Tip-int64(n)+1))
}

// Loaded lists the loaded blocks, replaced ones too, as they are in the list.
func (c *Chain) Loaded() []*Block {
	all := slices.AppendSeq(slices.Clone(c.Orphans), maps.Values(c.at))
	slices.SortFunc(all, func(a, b *Block) int {
		if a.Height == b.Height && a.Canonical != b.Canonical {
			if b.Canonical {
				return 1
			}
			return -1
		}
		return byPlace(a, b)
	})
	return all
}

// LoadedRows returns the rows of Loaded.
func (c *Chain) LoadedRows() []int {
	rows, above := []int{}, 0
	for _, b := range c.Loaded() {
		row := int(c.Tip-b.Height) + above
		if !b.Canonical {
			row, above = row+1, above+1
		}
		rows = append(rows, row)
	}
	return rows
}

// Replacement returns the block in the place of a replaced one; nil when
// it is not loaded.
func (c *Chain) Replacement(r *Block) *Block {
	if r.Canonical {
		return nil
	}
	return c.at[r.Height]
}

// Complete takes what is known of a loaded block beyond the list. After an error it may be
// requested again.
func (c *Chain) Complete(r *Block, err error) {
	if r == nil {
		return
	}
	known := c.ids[r.ID()]
	switch {
	case known == nil || !known.Canonical:
		return
	case err != nil:
		known.Requested = false
		return
	}
	own := *r
	own.Requested, own.Whole = true, true
	c.at[r.Height], c.ids[r.ID()] = &own, &own
}

// Series returns the seconds between blocks and the numbers of transactions, of the blocks from a
// height down, the newest last; a gap where a block is not loaded.
func (c *Chain) Series(from int64, n int) (intervals, txs []float64) {
	for i := range n {
		h := from - int64(n-1-i)
		b, before := c.at[h], c.at[h-1]
		interval, count := chart.Gap(), chart.Gap()
		if b != nil {
			if n, known := b.Transactions(); known {
				count = float64(n)
			}
			if before != nil && b.BlockTime >= before.BlockTime {
				interval = float64(b.BlockTime - before.BlockTime)
			}
		}
		intervals, txs = append(intervals, interval), append(txs, count)
	}
	return intervals, txs
}
