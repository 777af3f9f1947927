package chain

// A young chain begins with burn block 1 and Stacks block 1. It has no older era and every
// burn block has a tenure. Its clock is even: a block each block interval, a burn block each
// burn interval. A Stacks block at the instant of a burn block still belongs to the one
// before: the first block of a tenure comes after its burn block.

// young reports whether the chain is a young one.
func (c *Chain) young() bool { return c.params.Born != 0 }

func (c *Chain) beginNew() {
	c.older, c.olderBurns, c.base = 0, 0, 1
	if base, forked := c.Base(); forked {
		c.older, c.base, c.tenure = base.Height, base.BurnHeight, base.Tenure
	}
	c.jitter, c.burnJit = 0, 0
	c.origin = c.params.Born + c.step
	c.burnOrig = c.params.Born + 1
}

// Tenure returns the burn height of a block, and the first height of the next tenure.
func (c *Chain) Tenure(height int64) (burn, next int64) {
	j := c.burnOf(height)
	return j + c.base, c.firstHeight(c.nextTenure(j))
}

// BeginsTenure reports whether a block is the first of a burn block.
func (c *Chain) BeginsTenure(height int64) bool {
	return c.firstHeight(c.burnOf(height)) == height
}
