package chain

// BitcoinBlock is a burn block with or without Stacks blocks.
type BitcoinBlock struct {
	Height  int64
	Hash    Hash
	TimeMS  int64 // Unix milliseconds
	Blocks  Span  // its canonical Stacks blocks
	TxCount int   // of these
}

// Bitcoin finds a burn block by its height, from that of the first Stacks block to
// NewestBurnHeight.
func (v *View) Bitcoin(height int64) (BitcoinBlock, bool) {
	j := height - v.c.base
	if j < v.firstBurn() || j > v.c.burnAt(v.now) {
		return BitcoinBlock{}, false
	}
	b := BitcoinBlock{Height: height, Hash: v.BurnHash(height), TimeMS: v.c.burnTime(j), Blocks: none}
	burn, ok := v.tenure(j)
	if v.c.void(j) || !ok {
		return b, true
	}
	b.Blocks = burn.Span
	for _, block := range v.Blocks(burn.Span) {
		b.TxCount += block.TxCount
	}
	return b, true
}

// BurnHash returns the hash of a burn block of those that Bitcoin finds.
func (v *View) BurnHash(height int64) Hash {
	return v.c.burnHash(height-v.c.base, v.burnFork(height-v.c.base))
}

// BitcoinByHash finds a burn block that was not replaced.
func (v *View) BitcoinByHash(h Hash) (BitcoinBlock, bool) {
	r, ok := v.c.unhash(h)
	if !ok || r.kind != kindBurn || r.sub != 0 || r.fork != v.burnFork(r.n) {
		return BitcoinBlock{}, false
	}
	return v.Bitcoin(r.n + v.c.base)
}

// burnFork returns the fork of a burn block that the view shows.
func (v *View) burnFork(j int64) Fork {
	if v.lost && j == v.burn {
		return ForkLost
	}
	return 0
}

// FirstBurnHeight returns the burn height of the first Stacks block, or the first above that of the
// base.
func (v *View) FirstBurnHeight() int64 { return v.c.base + v.firstBurn() }

func (v *View) firstBurn() int64 {
	if v.c.forked() {
		return 1
	}
	return 0
}
