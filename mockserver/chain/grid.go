package chain

import "chainscope/mockserver/splitmix"

// Instants are Unix milliseconds. A burn block is addressed by its index,
// counted from the burn block of height 1; the base turns it into a burn
// height.

const (
	burnsInGroup   = 16
	tenuresInGroup = 14
)

// tick returns the instant of height h on the newer era's grid. The grid's own
// instants are upper bounds, so that N whole intervals after the anchor are
// exactly N heights after it.
func (c *Chain) tick(h int64) int64 {
	at := c.origin + (h-c.older-1)*c.step
	if h == AnchorHeight || c.young() {
		return at
	}
	return at - int64(splitmix.Below(c.draw(drawBlockTime, h), c.jitter))
}

// tickAt returns the newest height of the newer era's grid at an instant.
func (c *Chain) tickAt(t int64) int64 {
	h := floorDiv(t-c.origin, c.step) + c.older + 1
	if c.tick(h+1) <= t {
		return h + 1
	}
	return h
}

// burnTime returns the instant of a burn block. In every eight there is one pair
// as close as two burn blocks can be (a tenure of one block or two); the other
// gaps are squared jitter: mostly short of the interval, sometimes near twice.
func (c *Chain) burnTime(j int64) int64 {
	at := c.burnOrig + j*c.burnStep
	if c.young() {
		return at
	}
	close := int64(splitmix.Below(c.draw(drawClose, floorDiv(j, 8)), 7))
	switch floorMod(j, 8) {
	case close:
		return at + int64(c.burnJit)
	case close + 1:
		return at
	}
	u := c.draw(drawBurnTime, j) >> 32
	return at + int64(splitmix.Below(u*u, c.burnJit))
}

// burnAt returns the newest burn block at an instant, with or without a tenure.
func (c *Chain) burnAt(t int64) int64 {
	j := floorDiv(t-c.burnOrig, c.burnStep)
	if c.burnTime(j) > t {
		return j - 1
	}
	return j
}

// voids gives the two places of a group of sixteen burn blocks that have no
// tenure, the smaller first; place 0 always has one.
func (c *Chain) voids(group int64) (int64, int64) {
	u := c.draw(drawVoid, group)
	a := int64(splitmix.Below(u, burnsInGroup-1)) + 1
	b := int64(splitmix.Below(splitmix.Mix(u), burnsInGroup-2)) + 1
	if b >= a {
		return a, b + 1
	}
	return b, a
}

// void reports whether a burn block has no tenure.
func (c *Chain) void(j int64) bool {
	if c.young() {
		return false
	}
	a, b := c.voids(floorDiv(j, burnsInGroup))
	place := floorMod(j, burnsInGroup)
	return place == a || place == b
}

// tenuresBefore counts the tenures of the burn blocks before j.
func (c *Chain) tenuresBefore(j int64) int64 {
	if c.young() {
		return j
	}
	group, place := floorDiv(j, burnsInGroup), floorMod(j, burnsInGroup)
	a, b := c.voids(group)
	n := group*tenuresInGroup + place
	if a < place {
		n--
	}
	if b < place {
		n--
	}
	return n
}

// burnOfTenure returns the burn block of tenure n, counted from 0.
func (c *Chain) burnOfTenure(n int64) int64 {
	if c.young() {
		return n
	}
	group, place := floorDiv(n, tenuresInGroup), floorMod(n, tenuresInGroup)
	a, b := c.voids(group)
	if place >= a {
		place++
	}
	if place >= b {
		place++
	}
	return group*burnsInGroup + place
}

// tenureAtOrBefore steps back over burn blocks without a tenure.
func (c *Chain) tenureAtOrBefore(j int64) int64 {
	for c.void(j) {
		j--
	}
	return j
}

// nextTenure returns the burn block of the tenure after that of j.
func (c *Chain) nextTenure(j int64) int64 {
	for j++; c.void(j); j++ {
	}
	return j
}

// blockTime returns the instant of a height; in the older era that of its burn
// block.
func (c *Chain) blockTime(h int64) int64 {
	if h <= c.older && !c.young() {
		return c.burnTime(c.burnOfTenure(h - 1))
	}
	return c.tick(h)
}

// heightAt returns the tip at an instant; 0 or less before the first block.
func (c *Chain) heightAt(t int64) int64 {
	if h := c.tickAt(t); h > c.older {
		return h
	} else if c.young() {
		return c.older
	}
	j := min(c.burnAt(t), c.olderBurns-1)
	if j < 0 {
		return 0
	}
	return c.tenuresBefore(c.tenureAtOrBefore(j)) + 1
}

// burnOf returns the burn block whose tenure holds a height.
func (c *Chain) burnOf(h int64) int64 {
	switch {
	case h <= c.older && c.young():
		return 0
	case h <= c.older:
		return c.burnOfTenure(h - 1)
	}
	return c.tenureAtOrBefore(c.burnAt(c.tick(h)))
}

// firstHeight returns the first height not before a burn block: the first of its
// tenure if it has one, else the height its orphan is at.
func (c *Chain) firstHeight(j int64) int64 {
	switch {
	case j < c.olderBurns:
		return c.tenuresBefore(j) + 1
	case j <= 0 && c.forked():
		return c.older
	}
	t := c.burnTime(j)
	h := max(floorDiv(t-c.origin, c.step)+c.older+1, c.older+1)
	for c.tick(h) < t {
		h++
	}
	return h
}

// lastHeight returns the last height of the tenure of a burn block.
func (c *Chain) lastHeight(j int64) int64 {
	return c.firstHeight(c.nextTenure(j)) - 1
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }
