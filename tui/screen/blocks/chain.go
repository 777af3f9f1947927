package blocks

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// record is a block of the list.
type record struct {
	browser.Block
	orphaned bool
	single   bool // what its list does not say was requested
	complete bool // and is known
}

// transactions returns the number of the block's transactions, and a question
// mark where the route that answered does not say it.
func (r *record) transactions() string {
	if n, known := r.Transactions(); known {
		return text.Count(n)
	}
	return "?"
}

// listed returns the block as lists know it.
func (r *record) listed() resource.Block {
	b := r.Listed()
	b.Orphaned = b.Orphaned || r.orphaned
	return b
}

// hasMicroblocks reports whether the block is of the era of microblocks.
func (r *record) hasMicroblocks() bool {
	return r.ParentMicroblockHash != "" || len(r.MicroblocksAccepted)+len(r.MicroblocksStreamed) > 0
}

// orphansKept bounds how many replaced blocks stay in the list.
const orphansKept = 100

// chainView holds what is known of the chain: its length, and the blocks that were
// loaded. It gives every block a row, loaded or not, the newest first; a block
// that was replaced keeps a row below the one that replaced it.
type chainView struct {
	started bool
	total   int64 // blocks of the chain, as the API counts them
	tip     int64 // height of the newest block
	floor   int64 // height of the oldest
	at      map[int64]*record
	orphans []*record // the highest first
	ids     map[string]*record
}

// maxHeight is the greatest height that a JSON number holds exactly.
const maxHeight = 1<<53 - 1

// rows returns how many rows there are.
func (c *chainView) rows() int {
	if !c.started {
		return 0
	}
	return int(min(c.tip-c.floor, math.MaxInt32)+1) + len(c.orphans)
}

// row returns what is in a row: the height, and the replaced block if the
// row is that of one.
func (c *chainView) row(i int) (height int64, orphan *record) {
	// Orphan n is below its height's block and the n orphans above it.
	n, found := slices.BinarySearchFunc(c.orphans, i, func(o *record, i int) int {
		return cmp.Compare(c.orphanRow(o), i)
	})
	if found {
		return c.orphans[n].Height, c.orphans[n]
	}
	return c.tip - int64(i-n), nil
}

// orphanRow returns the row of a replaced block.
func (c *chainView) orphanRow(o *record) int {
	n, _ := slices.BinarySearchFunc(c.orphans, o, byPlace)
	return int(c.tip-o.Height) + 1 + n
}

// byPlace orders replaced blocks as they are in the list.
func byPlace(a, b *record) int {
	return cmp.Or(cmp.Compare(b.Height, a.Height), cmp.Compare(a.ID(), b.ID()))
}

// rowOf returns the row of the canonical block at a height.
func (c *chainView) rowOf(height int64) int {
	n := 0
	for _, o := range c.orphans {
		if o.Height > height {
			n++
		}
	}
	return int(c.tip-height) + n
}

// record returns the loaded block of a row, nil when it is not loaded.
func (c *chainView) record(i int) *record {
	height, orphan := c.row(i)
	if orphan != nil {
		return orphan
	}
	return c.at[height]
}

// mergeResult holds what a page changed.
type mergeResult struct {
	fresh    int // blocks above the tip that was known
	replaced int // loaded blocks that are no longer canonical
	gone     int // loaded blocks above the tip of a chain that got shorter
	screen.Compared
}

// page adds a page of the list of recent blocks, which the server counted from
// an offset below its tip. So a later page also reports where the tip is by now. Unless the
// chain may go back, a page that is only lower is older than what is known.
func (c *chainView) page(records []*record, total int64, offset int, mayGoBack bool) mergeResult {
	var j mergeResult
	first := offset == 0
	records = slices.DeleteFunc(slices.Clone(records), func(r *record) bool { return r.Height < 0 || r.Height > maxHeight })
	if len(records) == 0 {
		if !first && c.started {
			c.floor = c.lowest()
		}
		return j
	}
	// A page whose rows are in no order must not move the tip about.
	slices.SortStableFunc(records, func(a, b *record) int { return cmp.Compare(b.Height, a.Height) })
	top := records[0].Height + int64(offset)
	if !first && total > 0 && top > total {
		top = c.tip // a list with holes, or a server that ignores the offset
	}
	before := c.tip
	if !c.started {
		c.at, c.ids = map[int64]*record{}, map[string]*record{}
		c.started, c.tip, c.floor, before = true, top, top, top
	}
	if first {
		j.Compared = screen.CompareChain(seen(records), c.tip, mayGoBack, c.seen)
	}
	if j.Other {
		c.at, c.ids, c.orphans = map[int64]*record{}, map[string]*record{}, nil
	}
	switch {
	case j.Shorter:
		j.gone = c.cut(top)
	case j.Other:
		c.tip = top
	case top > c.tip:
		j.fresh = int(top - before)
		c.tip = top
	}
	for _, r := range records {
		j.replaced += c.add(r)
	}
	if total > 0 {
		c.total = total
	}
	if first && total > 0 {
		c.floor = max(0, c.tip-total+1)
	}
	c.floor = min(c.floor, c.lowest())
	return j
}

// seen returns the block of the chain at a height, as far as it is loaded.
func (c *chainView) seen(height int64) (screen.SeenBlock, bool) {
	r := c.at[height]
	if r == nil {
		return screen.SeenBlock{}, false
	}
	return screen.SeenBlock{Height: r.Height, ID: r.ID(), Hash: r.Hash, Parent: r.ParentBlockHash}, true
}

// seen returns the blocks of a page that are of the chain.
func seen(page []*record) []screen.SeenBlock {
	var out []screen.SeenBlock
	for _, r := range page {
		if r.Canonical {
			out = append(out, screen.SeenBlock{Height: r.Height, ID: r.ID(), Hash: r.Hash, Parent: r.ParentBlockHash})
		}
	}
	return out
}

// forgetBelow forgets the blocks below a height.
func (c *chainView) forgetBelow(height int64) {
	for h, r := range c.at {
		if h < height {
			delete(c.ids, r.ID())
			delete(c.at, h)
		}
	}
}

// cut makes a lower block the tip, and returns how many loaded blocks were above it. They
// have left the chain without another in their place.
func (c *chainView) cut(tip int64) (gone int) {
	for h, r := range c.at {
		if h > tip {
			delete(c.ids, r.ID())
			delete(c.at, h)
			gone++
		}
	}
	c.orphans = slices.DeleteFunc(c.orphans, func(o *record) bool {
		if o.Height > tip {
			delete(c.ids, o.ID())
		}
		return o.Height > tip
	})
	c.tip = tip
	return gone
}

// lowest returns the height of the oldest block that is loaded.
func (c *chainView) lowest() int64 {
	low := c.tip
	for h := range c.at {
		low = min(low, h)
	}
	return low
}

// insert takes a block that did not come with a page.
func (c *chainView) insert(r *record) {
	if r.Height < 0 || r.Height > maxHeight {
		return
	}
	if r.Canonical && r.Height > c.tip {
		c.tip = r.Height
	}
	c.add(r)
	c.floor = min(c.floor, r.Height)
}

// add takes a block and returns how many loaded ones it shows to be replaced.
func (c *chainView) add(r *record) int {
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
	case old != nil && old.complete:
		r = old // a page of the list says less about it
	case old != nil && len(r.Raw) > 0 && bytes.Equal(old.Raw, r.Raw):
		old.Exchange = r.Exchange
		r = old
	default:
		own := *r
		r = &own
	}
	c.orphans = slices.DeleteFunc(c.orphans, func(o *record) bool { return o.ID() == r.ID() })
	c.at[r.Height], c.ids[r.ID()] = r, r
	// The parent that was loaded may be another than the one it names.
	if p := c.at[r.Height-1]; p != nil && r.ParentBlockHash != "" && p.Hash != r.ParentBlockHash {
		replaced += c.orphan(r.Height - 1)
	}
	return replaced
}

// orphan takes the block at a height out of the chain and keeps it as replaced.
func (c *chainView) orphan(height int64) int {
	r := c.at[height]
	if r == nil {
		return 0
	}
	delete(c.at, height)
	c.addOrphan(r)
	return 1
}

// addOrphan keeps a replaced block. Above the tip nothing is in its place.
func (c *chainView) addOrphan(r *record) {
	if r.Height > c.tip {
		return
	}
	o := *r
	o.orphaned, o.Canonical = true, false
	n, found := slices.BinarySearchFunc(c.orphans, &o, byPlace)
	if found {
		c.orphans[n] = &o
	} else {
		c.orphans = slices.Insert(c.orphans, n, &o)
	}
	c.ids[o.ID()] = &o
	if len(c.orphans) > orphansKept {
		last := c.orphans[orphansKept]
		delete(c.ids, last.ID())
		c.orphans = c.orphans[:orphansKept]
	}
}

// blocksKept bounds how many blocks stay loaded, some 3 kB each: a window of any
// height, and some pages round it. A row whose block was dropped is loaded again
// when it comes into sight.
const blocksKept = 600

// trim drops the blocks that are farthest from a height when there are too many.
// The newest page stays.
func (c *chainView) trim(around int64) {
	if len(c.at) <= blocksKept {
		return
	}
	farthest := browser.ByDistance(c.at, around)
	for _, h := range farthest[:len(farthest)-blocksKept*3/4] {
		if h <= c.tip-pageSize {
			delete(c.ids, c.at[h].ID())
			delete(c.at, h)
		}
	}
}

// lastLoaded returns the row of the last block that is loaded without a gap below
// the tip.
func (c *chainView) lastLoaded() int {
	n := 0
	for c.at[c.tip-int64(n)] != nil {
		n++
	}
	return max(0, c.rowOf(c.tip-int64(n)+1))
}

// loaded lists the loaded blocks, replaced ones too, as they are in the list.
func (c *chainView) loaded() []*record {
	all := make([]*record, 0, len(c.at)+len(c.orphans))
	for _, r := range c.at {
		all = append(all, r)
	}
	all = append(all, c.orphans...)
	slices.SortFunc(all, func(a, b *record) int {
		if a.Height == b.Height && a.orphaned != b.orphaned {
			if a.orphaned {
				return 1
			}
			return -1
		}
		return byPlace(a, b)
	})
	return all
}

// replacement returns the block that stands where a replaced one stood; nil when
// it is not loaded.
func (c *chainView) replacement(r *record) *record {
	if !r.orphaned {
		return nil
	}
	return c.at[r.Height]
}

// again returns a loaded block as it is known now: in the chain or replaced.
func (c *chainView) again(r *record) *record { return c.ids[r.ID()] }

// complete takes what is known of a loaded block beyond the list. After an error it may be
// requested again.
func (c *chainView) complete(r *record, err error) {
	if r == nil {
		return
	}
	known := c.ids[r.ID()]
	switch {
	case known == nil || known.orphaned:
		return
	case err != nil:
		known.single = false
		return
	}
	own := *r
	own.single, own.complete = true, true
	c.at[r.Height], c.ids[r.ID()] = &own, &own
}
