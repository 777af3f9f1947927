package chain

// Span is a stretch of heights, both ends included; it is empty where Last is
// below First.
type Span struct{ First, Last int64 }

// none is the span without a height.
var none = Span{1, 0}

// Has reports whether a height lies in the span.
func (s Span) Has(h int64) bool { return s.First <= h && h <= s.Last }

// Len returns the number of heights.
func (s Span) Len() int64 { return max(0, s.Last-s.First+1) }

// All returns the span of the canonical blocks.
func (v *View) All() Span {
	if v.c.forked() {
		return Span{v.c.older + 1, v.tip}
	}
	return Span{1, v.tip}
}

// Tenure returns the canonical blocks of a tenure. Blocks of the older era have no
// tenure of their own.
func (v *View) Tenure(n int64) Span {
	if base, forked := v.Base(); forked {
		j := n - base.Tenure
		if j < 0 || j > v.burn {
			return none
		}
		return Span{max(v.c.firstHeight(j), base.Height+1), min(v.c.lastHeight(j), v.tip)}
	}
	if n <= v.c.older || n > v.c.tenuresBefore(v.burn)+1 {
		return none
	}
	j := v.c.burnOfTenure(n - 1)
	return Span{v.c.firstHeight(j), min(v.c.lastHeight(j), v.tip)}
}

// IndexAt returns the index block hash of the canonical block at a height.
func (v *View) IndexAt(h int64) Hash {
	_, lineage := v.history.at(h)
	return v.c.indexHash(h, v.fork(h), 0, lineage)
}

// HeightOfIndex finds a canonical block by its index block hash, which is what a
// cursor of v2 is.
func (v *View) HeightOfIndex(h Hash) (int64, bool) {
	b, ok := v.BlockByHash(h)
	return b.Height, ok && b.Index == h
}

// Page returns a page of a span, counted from its last height: empty past its end.
func (s Span) Page(limit, offset int64) Span {
	if offset >= s.Len() {
		return none
	}
	last := s.Last - offset
	return Span{max(s.First, last-limit+1), last}
}

// Blocks returns the canonical blocks of a span, the newest first.
func (v *View) Blocks(in Span) []Block {
	var s setting
	blocks := make([]Block, in.Len())
	for i := range blocks {
		v.canonical(&blocks[i], in.Last-int64(i), &s)
	}
	return blocks
}

// Burns returns the burn blocks with canonical blocks from offset on, the newest first.
func (v *View) Burns(limit, offset int64) []Burn {
	tenures := Span{v.firstBurn(), v.c.tenuresBefore(v.burn)}.Page(limit, offset)
	burns := make([]Burn, tenures.Len())
	for i := range burns {
		burns[i], _ = v.tenure(v.c.burnOfTenure(tenures.Last - int64(i)))
	}
	return burns
}

// TxID returns the id of a transaction of a block, the newest for 0: what was sent to the
// chain, the anchored block's own, then those of the accepted microblocks. There are
// b.TxCount of them.
func (v *View) TxID(b *Block, i int) Hash {
	if i < len(b.sent) {
		return b.sent[len(b.sent)-1-i]
	}
	if i -= len(b.sent); i < b.own {
		r := at(kindTx, b.Height, b.Fork&ForkOrphan, b.burn)
		r.sub = uint16(b.own - 1 - i)
		return v.c.hashRef(r)
	}
	i -= b.own
	for seq := b.accepted - 1; seq >= 0; seq-- {
		n := v.c.streamTxs(b.Height-1, seq)
		if i < n {
			return v.c.hashRef(ref{kind: kindMicroTx, sub: uint16(seq<<8 | (n - 1 - i)), n: b.Height - 1})
		}
		i -= n
	}
	panic("chain: a block has no such transaction")
}

// TxIDs lists the transactions of a block as its record does, the newest first.
func (v *View) TxIDs(b *Block) []Hash {
	ids := make([]Hash, b.TxCount)
	for i := range ids {
		ids[i] = v.TxID(b, i)
	}
	return ids
}

// Microblock is a microblock with the number of its transactions.
type Microblock struct {
	Hash Hash
	Txs  int
}

// Microblocks returns the microblocks of its parent that a block accepted, and those of its own
// that the next one accepted, each the newest first. The newer era has none.
func (v *View) Microblocks(b *Block) (accepted, streamed []Microblock) {
	return v.c.microblocks(b.Height-1, b.accepted), v.c.microblocks(b.Height, b.streamed)
}

func (c *Chain) microblocks(h int64, n int) []Microblock {
	stream := make([]Microblock, n)
	for i := range stream {
		stream[i] = Microblock{c.microblock(h, n-1-i), c.streamTxs(h, n-1-i)}
	}
	return stream
}

// maxSearch bounds how far below the tip two views are compared.
const maxSearch = 1_000

// Common returns the greatest height up to which two views of one chain have the same
// blocks. It is searched for within the newest thousand.
func (v *View) Common(other *View) int64 {
	top := min(v.tip, other.tip)
	for h := top; h > max(0, top-maxSearch); h-- {
		if v.IndexAt(h) == other.IndexAt(h) {
			return h
		}
	}
	return max(0, top-maxSearch)
}

// Next returns the instant at which the chain itself next changes what the view shows, in
// Unix milliseconds: a block comes, or the tip is replaced.
func (v *View) Next() int64 {
	next := v.c.blockTime(v.tip + 1)
	if v.lost {
		next = min(next, v.c.lossEnd(v.burn))
	}
	if v.replaced {
		from := v.c.blockTime(v.tip)
		next = min(next, from+(v.c.blockTime(v.tip+1)-from)/2)
	}
	return next
}
