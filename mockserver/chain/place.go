package chain

import "slices"

// Place is the position of a transaction in the chain.
type Place struct {
	Block Block
	Index int // in the block, counted from the oldest transaction
	// Own counts the transactions that the anchored block itself has by the chain;
	// it is -1 for others.
	Own int
	// Microblock is the microblock that carries the transaction, and Sequence its
	// number; the zero hash where none does.
	Microblock Hash
	Sequence   int
}

// Place finds a transaction, as the records of the blocks list them: those of
// canonical blocks, and of blocks that stand for a burn block although they are not
// canonical.
func (v *View) Place(id Hash) (Place, bool) {
	if height, sent := v.history.Height(id); sent {
		b, ok := v.Block(height)
		i := slices.Index(b.sent, id)
		return Place{Block: b, Index: b.TxCount - len(b.sent) + i, Own: -1}, ok && i >= 0
	}
	r, ok := v.c.unhash(id)
	switch {
	case ok && r.kind == kindMicroTx && r.fork == 0:
		return v.microPlace(r)
	case !ok || r.kind != kindTx:
		return Place{}, false
	}
	b, ok := v.txBlock(r)
	own := int(r.sub)
	if !ok || own >= b.own {
		return Place{}, false
	}
	return Place{Block: b, Index: b.TxCount - len(b.sent) - b.own + own, Own: own}, true
}

// txBlock returns the block of a transaction of an anchored block.
func (v *View) txBlock(r ref) (Block, bool) {
	if r.fork == 0 {
		return v.Block(r.n)
	}
	if burn, ok := v.orphan(r.n); ok && r.fork == ForkOrphan {
		return v.Best(&burn), true
	}
	return Block{}, false
}

// microPlace returns the place of a transaction of a microblock, which the next height
// accepted.
func (v *View) microPlace(r ref) (Place, bool) {
	seq, i := int(r.sub>>8), int(r.sub&0xff)
	b, ok := v.Block(r.n + 1)
	if !ok || seq >= b.accepted || i >= v.c.streamTxs(r.n, seq) {
		return Place{}, false
	}
	p := Place{Block: b, Index: i, Own: -1, Microblock: v.c.microblock(r.n, seq), Sequence: seq}
	for before := range seq {
		p.Index += v.c.streamTxs(r.n, before)
	}
	return p, true
}

// Begins reports what a transaction of a block itself does for its tenure, as Chain.Begins does;
// a block that lost its burn block begins a tenure too.
func (p *Place) Begins(v *View) (change, coinbase bool) {
	if b := &p.Block; b.Height > v.c.older && b.Fork&ForkOrphan != 0 {
		return p.Own == 0, p.Own == 1
	}
	return v.c.begins(p.Block.Height, p.Own)
}
