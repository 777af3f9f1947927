package blocks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"chainscope/apiclient"
)

// record is a block with the exact JSON it came as.
type record struct {
	apiclient.Block
	raw      json.RawMessage
	exchange uint64
	orphaned bool
}

// id tells blocks apart; heights do not, since a block can be replaced.
func (r *record) id() string {
	if r.IndexBlockHash == "" {
		return strconv.FormatInt(r.Height, 10) + " " + r.Hash
	}
	return r.IndexBlockHash
}

// orphansKept bounds how many replaced blocks stay in the list.
const orphansKept = 100

// known is what is known of the chain: its length, and the blocks that were
// loaded. It gives every block a row, loaded or not, the newest first; a block
// that was replaced keeps a row below the one that replaced it.
type known struct {
	started bool
	tip     int64 // height of the newest block
	floor   int64 // height of the oldest
	at      map[int64]*record
	orphans []*record // the highest first
	ids     map[string]*record
}

// rows is how many rows there are.
func (k *known) rows() int {
	if !k.started {
		return 0
	}
	return int(k.tip-k.floor+1) + len(k.orphans)
}

// row says what stands in a row: the height, and the replaced block if the
// row is that of one.
func (k *known) row(i int) (height int64, orphan *record) {
	// Orphan n stands below its height's block and the n orphans above it.
	n, found := slices.BinarySearchFunc(k.orphans, i, func(o *record, i int) int {
		return cmp.Compare(k.orphanRow(o), i)
	})
	if found {
		return k.orphans[n].Height, k.orphans[n]
	}
	return k.tip - int64(i-n), nil
}

// orphanRow is the row of a replaced block.
func (k *known) orphanRow(o *record) int {
	n, _ := slices.BinarySearchFunc(k.orphans, o, byPlace)
	return int(k.tip-o.Height) + 1 + n
}

// byPlace orders replaced blocks as they stand in the list.
func byPlace(a, b *record) int {
	return cmp.Or(cmp.Compare(b.Height, a.Height), cmp.Compare(a.id(), b.id()))
}

// rowOf is the row of the canonical block at a height.
func (k *known) rowOf(height int64) int {
	n := 0
	for _, o := range k.orphans {
		if o.Height > height {
			n++
		}
	}
	return int(k.tip-height) + n
}

// record is the loaded block of a row, nil when it is not loaded.
func (k *known) record(i int) *record {
	height, orphan := k.row(i)
	if orphan != nil {
		return orphan
	}
	return k.at[height]
}

// joined tells what a page changed.
type joined struct {
	fresh    int // blocks above the tip that was known
	replaced int // loaded blocks that are no longer canonical
}

// page adds a page of the list of recent blocks, which the server counted from
// an offset below its tip. So a later page also tells where the tip is by now.
func (k *known) page(records []*record, total int64, offset int) joined {
	var j joined
	first := offset == 0
	if len(records) == 0 {
		if !first && k.started {
			k.floor = k.lowest()
		}
		return j
	}
	top := records[0].Height + int64(offset)
	if !first && total > 0 && top > total {
		top = k.tip // a list with holes, or a server that ignores the offset
	}
	before := k.tip
	if !k.started {
		k.at, k.ids = map[int64]*record{}, map[string]*record{}
		k.started, k.tip, k.floor, before = true, top, top, top
	}
	switch {
	case first && top < k.tip:
		// The chain is shorter now: what was above was replaced.
		for h := range k.at {
			if h > top {
				j.replaced += k.orphan(h)
			}
		}
		k.tip = top
	case top > k.tip:
		j.fresh = int(top - before)
		k.tip = top
	}
	for _, r := range records {
		j.replaced += k.add(r)
	}
	if first && total > 0 {
		k.floor = max(0, k.tip-total+1)
	}
	k.floor = min(k.floor, k.lowest())
	return j
}

// lowest is the height of the oldest block that is loaded.
func (k *known) lowest() int64 {
	low := k.tip
	for h := range k.at {
		low = min(low, h)
	}
	return low
}

// insert takes a block that did not come with a page.
func (k *known) insert(r *record) {
	if r.Canonical && r.Height > k.tip {
		k.tip = r.Height
	}
	k.add(r)
	k.floor = min(k.floor, r.Height)
}

// add takes a block and returns how many loaded ones it shows to be replaced.
func (k *known) add(r *record) int {
	if !r.Canonical {
		k.keepOrphan(r)
		return 0
	}
	replaced := 0
	old := k.at[r.Height]
	if old != nil && old.id() != r.id() {
		replaced += k.orphan(r.Height)
		old = nil
	}
	if old != nil && len(r.raw) > 0 && bytes.Equal(old.raw, r.raw) {
		old.exchange = r.exchange
		r = old
	} else {
		r = r.own()
	}
	k.orphans = slices.DeleteFunc(k.orphans, func(o *record) bool { return o.id() == r.id() })
	k.at[r.Height], k.ids[r.id()] = r, r
	// The parent that was loaded may be another than the one it names.
	if p := k.at[r.Height-1]; p != nil && r.ParentBlockHash != "" && p.Hash != r.ParentBlockHash {
		replaced += k.orphan(r.Height - 1)
	}
	return replaced
}

// orphan takes the block at a height out of the chain and keeps it as replaced.
func (k *known) orphan(height int64) int {
	r := k.at[height]
	if r == nil {
		return 0
	}
	delete(k.at, height)
	k.keepOrphan(r)
	return 1
}

func (k *known) keepOrphan(r *record) {
	o := *r.own()
	o.orphaned, o.Canonical = true, false
	n, found := slices.BinarySearchFunc(k.orphans, &o, byPlace)
	if found {
		k.orphans[n] = &o
	} else {
		k.orphans = slices.Insert(k.orphans, n, &o)
	}
	k.ids[o.id()] = &o
	if len(k.orphans) > orphansKept {
		last := k.orphans[orphansKept]
		delete(k.ids, last.id())
		k.orphans = k.orphans[:orphansKept]
	}
}

// blocksKept bounds how many blocks stay loaded, some 2 kB each; a row whose block
// was dropped is loaded again when it comes into sight.
const blocksKept = 4000

// trim drops the blocks that are farthest from a height when there are too many.
// The newest page stays.
func (k *known) trim(around int64) {
	if len(k.at) <= blocksKept {
		return
	}
	heights := slices.SortedFunc(maps.Keys(k.at), func(a, b int64) int {
		return cmp.Compare(max(b-around, around-b), max(a-around, around-a))
	})
	for _, h := range heights[:len(heights)-blocksKept*3/4] {
		if h <= k.tip-pageSize {
			delete(k.ids, k.at[h].id())
			delete(k.at, h)
		}
	}
}

// lastLoaded is the row of the last block that is loaded without a gap below
// the tip.
func (k *known) lastLoaded() int {
	h := k.tip
	for k.at[h] != nil {
		h--
	}
	return max(0, k.rowOf(h+1))
}

// group lists the loaded blocks round one that the same burn block confirmed,
// the highest first, replaced ones last.
func (k *known) group(r *record) []*record {
	same := func(h int64) bool { return k.at[h] != nil && k.at[h].BurnBlockHash == r.BurnBlockHash }
	h := r.Height
	for same(h + 1) {
		h++
	}
	var all []*record
	for ; same(h); h-- {
		all = append(all, k.at[h])
	}
	for _, o := range k.orphans {
		if o.BurnBlockHash == r.BurnBlockHash {
			all = append(all, o)
		}
	}
	return all
}

// loaded lists the loaded blocks, replaced ones too, as they stand in the list.
func (k *known) loaded() []*record {
	all := make([]*record, 0, len(k.at)+len(k.orphans))
	for _, r := range k.at {
		all = append(all, r)
	}
	all = append(all, k.orphans...)
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
