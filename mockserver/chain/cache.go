package chain

import "sync/atomic"

// keptBlocks is how many written blocks below the tip are kept, for the pages
// that everybody asks for. About 1.4 MB when full, 0.9 MB of listed ones.
const keptBlocks = 1024

// keep is a ring of written canonical blocks of fork 0 in the newer era: what
// is written of these never changes. It is safe for concurrent use.
type keep struct {
	slots [keptBlocks]atomic.Pointer[keptBlock]
}

type keptBlock struct {
	height int64
	body   []byte
}

func (k *keep) get(h int64) []byte {
	if b := k.slots[h&(keptBlocks-1)].Load(); b != nil && b.height == h {
		return b.body
	}
	return nil
}

func (k *keep) put(h int64, body []byte) {
	k.slots[h&(keptBlocks-1)].Store(&keptBlock{h, append([]byte(nil), body...)})
}
