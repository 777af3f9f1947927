package apiclient

import "sync"

// cursors remembers the cursors of a list of blocks by the height at which their pages
// begin. Those of v2 are index hashes, those of v3 any text.
type cursors struct {
	mu sync.Mutex
	// tip is the height of the newest block of the last page that was read, 0 when none
	// was.
	tip int64
	at  map[int64]string
}

// maxCursors bounds the map. A cursor takes about 100 bytes.
const maxCursors = 4096

// note keeps where a page begins, and the newest height unless it is 0.
func (c *cursors) note(tip, height int64, cursor string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if tip > 0 {
		c.tip = tip
	}
	if cursor == "" || height < 1 {
		return
	}
	if c.at == nil || len(c.at) >= maxCursors {
		c.at = map[int64]string{}
	}
	c.at[height] = cursor
}

// lastTip returns the height of the newest block of the last page, 0 when none was read.
func (c *cursors) lastTip() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tip
}

// near returns the cursor nearest to a height, at most most blocks above it or, if below is true,
// below it; "" when there is none.
func (c *cursors) near(height, most int64, below bool) (at int64, cursor string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for away := range most + 1 {
		if cursor := c.at[height+away]; cursor != "" {
			return height + away, cursor
		}
		if cursor := c.at[height-away]; below && cursor != "" {
			return height - away, cursor
		}
	}
	return 0, ""
}

// forget forgets all cursors: the block of one is no longer part of the chain.
func (c *cursors) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = nil
}
