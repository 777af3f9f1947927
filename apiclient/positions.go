package apiclient

import "sync"

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

// near returns the block nearest to a height whose index hash is known, at most
// maxOffsetV2 blocks away: its height and its hash, "" when there is none.
func (p *positions) near(height int64) (at int64, hash string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for away := range int64(maxOffsetV2 + 1) {
		for _, at := range [2]int64{height + away, height - away} {
			if hash := p.hashes[at]; hash != "" {
				return at, hash
			}
		}
	}
	return 0, ""
}

// lastTip returns the height of the newest block of the last page of v2, 0 when
// none was read.
func (p *positions) lastTip() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tip
}

// forget forgets all hashes: a block of them is no longer part of the chain.
func (p *positions) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hashes = nil
}
