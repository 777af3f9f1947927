package apiclient

import (
	"maps"
	"sync"
)

// positions remembers where in the list of blocks of v2 a page begins that starts at
// a given height. The list is paged by cursors, which are index hashes.
type positions struct {
	mu sync.Mutex
	// tip is the height of the newest block of the last page that was read.
	tip    int64
	hashes map[int64]string
}

// maxPositions bounds the map. A block takes about 100 bytes.
const maxPositions = 4096

// saw notes the blocks of a page of v2 and where the next older one begins.
func (p *positions) saw(list BlockList[Block]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if list.Total > 0 {
		p.tip = list.Total
	}
	for _, b := range list.Results {
		remember(&p.hashes, b.Height, b.IndexBlockHash)
		remember(&p.hashes, b.Height-1, b.ParentIndexBlockHash)
	}
}

func remember(m *map[int64]string, height int64, cursor string) {
	if cursor == "" || height < 1 {
		return
	}
	if *m == nil || len(*m) >= maxPositions {
		*m = map[int64]string{}
	}
	(*m)[height] = cursor
}

// hash returns the index hash of the block at a height, "" when it is not known.
func (p *positions) hash(height int64) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hashes[height]
}

// lastTip returns the height of the newest block of the last page of v2, 0 when
// none was read.
func (p *positions) lastTip() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tip
}

// replaced forgets the hashes from a height on: a block of them is no longer part of
// the chain.
func (p *positions) replaced(from int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.hashes, func(height int64, _ string) bool { return height >= from })
}
