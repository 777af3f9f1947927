package chain

import (
	"encoding/binary"
	"math"
	"slices"

	iradix "github.com/hashicorp/go-immutable-radix/v2"

	"chainscope/mockserver/splitmix"
)

// maxSent bounds the transactions that a History keeps; the oldest go first.
const maxSent = 20_000

// History holds what was done to a chain: transactions that were sent to it and
// blocks that were replaced on demand. It is an immutable value; a change
// returns another one and shares with it what did not change, so that keeping
// an old History costs nothing.
//
// A block's hash depends on the history up to its height: after a way back,
// another block at the same height has another hash.
type History struct {
	events  *iradix.Tree[*event] // by height; none is ever changed
	heights *iradix.Tree[*int64] // of the transactions, by id
	first   int64                // lowest height with an event
	reorgs  uint32               // replaced on demand so far
	floor   event                // what the heights from floorAt to first hold
	floorAt int64
}

// event holds what happened at one height.
type event struct {
	txs     []Hash // in the order they came
	reorg   uint32 // number of the reorganisation that began here, 0 for none
	lineage uint16 // of this height and all above up to the next event
}

// NewHistory returns the history of a chain to which nothing was done.
func NewHistory() History {
	return History{events: iradix.New[*event](), heights: iradix.New[*int64](), first: math.MaxInt64, floorAt: math.MaxInt64}
}

func heightKey(h int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(h)) }

func hashKey(h Hash) []byte {
	key := make([]byte, 0, 32)
	for _, w := range h {
		key = binary.BigEndian.AppendUint64(key, w)
	}
	return key
}

// at returns the transactions sent to a height and the height's lineage.
func (h *History) at(height int64) (txs []Hash, lineage uint16) {
	if height < h.first {
		if height >= h.floorAt {
			return nil, h.floor.lineage
		}
		return nil, 0
	}
	key := heightKey(height)
	if e, ok := h.events.Get(key); ok {
		return e.txs, e.lineage
	}
	below := h.events.Root().ReverseIterator()
	below.SeekReverseLowerBound(key)
	_, e, _ := below.Previous() // there is one: height is above first
	return nil, e.lineage
}

// event returns what happened at a height.
func (h *History) event(height int64) event {
	if e, ok := h.events.Get(heightKey(height)); ok {
		return *e
	}
	return event{}
}

// Height returns the height that holds or will hold a transaction.
func (h *History) Height(id Hash) (height int64, known bool) {
	if at, known := h.heights.Get(hashKey(id)); known {
		return *at, true
	}
	return 0, false
}

// Add puts transactions into the block at a height, which is not below that of
// any other event. A transaction that is known stays where it is.
func (h History) Add(height int64, ids ...Hash) History {
	e := h.event(height)
	e.txs = slices.Clip(e.txs)
	added := len(e.txs)
	for _, id := range ids {
		if _, known := h.Height(id); known {
			continue
		}
		e.txs = append(e.txs, id)
		h.heights, _, _ = h.heights.Insert(hashKey(id), &height)
	}
	if len(e.txs) == added {
		return h
	}
	return h.put(height, e).bounded()
}

// Rewind takes everything back that happened at a height and above.
func (h History) Rewind(from int64) History {
	var txs []Hash
	above := h.events.Root().Iterator()
	above.SeekLowerBound(heightKey(from))
	events := h.events
	for key, e, ok := above.Next(); ok; key, e, ok = above.Next() {
		events, _, _ = events.Delete(key)
		txs = append(txs, e.txs...)
	}
	h.events = events
	for _, id := range txs {
		h.heights, _, _ = h.heights.Delete(hashKey(id))
	}
	if h.first >= from {
		h.first = math.MaxInt64
	}
	return h
}

// Reorg replaces the blocks from a height on by others; the caller has taken
// back what happened there with Rewind.
func (h History) Reorg(from int64) History {
	h.reorgs++
	return h.put(from, event{reorg: h.reorgs})
}

// put sets the event of the highest height.
func (h History) put(height int64, e event) History {
	_, before := h.at(height - 1)
	mixed := splitmix.Mix(uint64(before)<<32 | uint64(e.reorg))
	for _, id := range e.txs {
		mixed = splitmix.Mix(mixed ^ id[3])
	}
	e.lineage = uint16(mixed)
	if e.lineage == 0 {
		e.lineage = 1 // 0 is a chain to which nothing was done
	}
	h.events, _, _ = h.events.Insert(heightKey(height), &e)
	h.first = min(h.first, height)
	return h
}

// bounded forgets the oldest blocks if there are too many transactions.
func (h History) bounded() History {
	for h.heights.Len() > maxSent && h.events.Len() > 1 {
		key, e, _ := h.events.Root().Minimum()
		h.floor, h.floorAt = event{lineage: e.lineage}, h.first
		h.events, _, _ = h.events.Delete(key)
		for _, id := range e.txs {
			h.heights, _, _ = h.heights.Delete(hashKey(id))
		}
		key, _, _ = h.events.Root().Minimum()
		h.first = int64(binary.BigEndian.Uint64(key))
	}
	return h
}
