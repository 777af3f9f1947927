package chain

import "sync/atomic"

// cachedBlocks is how many encoded blocks below the tip a chain keeps, for the
// pages that are asked for most. About 1.4 MB when full, 0.9 MB of listed ones.
const cachedBlocks = 1024

// cache is a ring of encoded canonical blocks of fork 0 and lineage 0 in the
// newer era: these never change, whatever is done to the chain. It is safe for
// concurrent use.
type cache struct {
	slots [cachedBlocks]atomic.Pointer[cachedBlock]
}

type cachedBlock struct {
	height int64
	body   []byte
}

func (k *cache) get(h int64) []byte {
	if b := k.slots[h&(cachedBlocks-1)].Load(); b != nil && b.height == h {
		return b.body
	}
	return nil
}

func (k *cache) put(h int64, body []byte) {
	k.slots[h&(cachedBlocks-1)].Store(&cachedBlock{h, append([]byte(nil), body...)})
}
