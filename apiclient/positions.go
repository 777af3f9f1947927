package apiclient

import "sync"

// positions remembers the cursors of the pages of a list of blocks that begin at given
// heights. Those of v2 are index hashes, those of v3 any text.
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

// passed notes a page of v3, the first one or a later, and where the next older one begins.
func (p *positions) passed(list BlockList[Block], first bool, next string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(list.Results) == 0 {
		return
	}
	if first {
		p.tip = list.Results[0].Height
	}
	remember(&p.hashes, list.Results[len(list.Results)-1].Height-1, next)
}

// before returns the height of the newest block that was seen, and the nearest cursor at
// or above the one that lies so far below it, with how far: "" and the whole way when there
// is none near.
func (p *positions) before(offset int64) (tip int64, cursor string, left int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for away := range min(offset, maxWalk*maxLimit) {
		if cursor := p.hashes[p.tip-offset+away]; cursor != "" {
			return p.tip, cursor, int(away)
		}
	}
	return p.tip, "", int(offset)
}

// forget forgets all hashes: a block of them is no longer part of the chain.
func (p *positions) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hashes = nil
}
