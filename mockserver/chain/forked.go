package chain

// Base is the block of a live chain at which an own chain begins: the parent of its first block.
// The zero value is none.
type Base struct {
	Height, BurnHeight int64
	Tenure             int64 // tenure (coinbase) height
	TimeMS, BurnTimeMS int64 // Unix milliseconds
	Hash, Index        Hash
	BurnHash           Hash
}

// A forked chain is a young one that continues its base: what the base and the blocks before it
// hold is not known here. It has no blocks but its own, and those hold what was sent to it alone. The first
// ones still belong to the base's burn block. At the instant when it is born the base is its tip.

// forked reports whether the chain has a base.
func (c *Chain) forked() bool { return c.params.Base != Base{} }

// Base returns the block at which the chain begins, and reports whether there is one.
func (c *Chain) Base() (Base, bool) { return c.params.Base, c.forked() }

// Base returns Chain.Base.
func (v *View) Base() (Base, bool) { return v.c.Base() }

// FirstHeight returns the lowest height that the chain can be at: that of its base, or 1.
func (c *Chain) FirstHeight() int64 {
	if c.forked() {
		return c.older
	}
	return 1
}

// beginsMS returns the instant from which there is a chain, in Unix milliseconds.
func (c *Chain) beginsMS() int64 { return c.blockTime(c.FirstHeight()) }

// block returns the base as a block.
func (b *Base) block() Block {
	return Block{
		Canonical: true, Height: b.Height, BurnHeight: b.BurnHeight, Tenure: b.Tenure, TimeMS: b.TimeMS, BurnTimeMS: b.BurnTimeMS,
		Hash: b.Hash, Index: b.Index, BurnHash: b.BurnHash,
	}
}

// Known returns a block of the chain, or its base, which is the tip at first.
func (v *View) Known(h int64) (Block, bool) {
	if base, forked := v.Base(); forked && h == base.Height {
		return base.block(), true
	}
	return v.Block(h)
}

// Own reports whether a height is one of the chain's own blocks, and not above its tip.
func (v *View) Own(h int64) bool { return v.All().Has(h) }

// baseRef returns what a hash of the base is.
func (c *Chain) baseRef(h Hash) (ref, bool) {
	b := c.params.Base
	switch {
	case !c.forked():
	case h == b.Index:
		return ref{kind: kindIndex, n: b.Height}, true
	case h == b.Hash:
		return ref{kind: kindBlock, n: b.Height}, true
	case h == b.BurnHash:
		return ref{kind: kindBurn}, true
	}
	return ref{}, false
}
