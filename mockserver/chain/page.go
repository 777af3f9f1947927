package chain

import (
	"strconv"
)

// Span is a stretch of heights, both ends included; it is empty where Last is
// below First.
type Span struct{ First, Last int64 }

// has reports whether a height lies in the span.
func (s Span) has(h int64) bool { return s.First <= h && h <= s.Last }

// Len is the number of heights.
func (s Span) Len() int64 { return max(0, s.Last-s.First+1) }

// All is the span of the canonical blocks.
func (v *View) All() Span { return Span{1, v.tip} }

// Tenure returns the canonical blocks of a tenure. Blocks of the older era have no
// tenure of their own.
func (v *View) Tenure(n int64) Span {
	if n <= v.c.older || n > v.c.tenuresBefore(v.burn)+1 {
		return Span{1, 0}
	}
	j := v.c.burnOfTenure(n - 1)
	return Span{v.c.firstHeight(j), min(v.c.lastHeight(j), v.tip)}
}

// indexAt is the index block hash of the canonical block at a height.
func (v *View) indexAt(h int64) Hash {
	_, lineage := v.history.at(h)
	return v.c.indexHash(h, v.fork(h), 0, lineage)
}

// HeightOfIndex finds a canonical block by its index block hash, which is what a
// cursor of v2 is.
func (v *View) HeightOfIndex(h Hash) (int64, bool) {
	b, ok := v.BlockByHash(h)
	return b.Height, ok && b.Index == h
}

// AppendPage writes a page of v2: up to limit blocks of a span from the height high
// on, newest first. The cursors are the first blocks of the pages before and after;
// next_cursor is that of the newer page, and null where fewer than limit blocks are
// newer. A page that begins outside the span is empty, and then total is 0.
func (v *View) AppendPage(dst []byte, limit, offset int64, in Span, high int64) []byte {
	total, inside := in.Last-in.First+1, in.has(high)
	if !inside {
		total = 0
	}
	dst = appendEnvelope(dst, limit, offset, total)
	dst = v.appendCursor(dst, `,"next_cursor":`, high+limit, inside && in.has(high+limit))
	dst = v.appendCursor(dst, `,"prev_cursor":`, high-limit, inside && in.has(high-limit))
	dst = v.appendCursor(dst, `,"cursor":`, high, inside)
	dst = append(dst, results...)
	if inside {
		dst = v.appendCanonical(dst, high, max(in.First, high-limit+1), asListed)
	}
	return append(dst, "]}"...)
}

func (v *View) appendCursor(dst []byte, key string, h int64, known bool) []byte {
	dst = append(dst, key...)
	if !known {
		return append(dst, "null"...)
	}
	return append(appendHash(append(dst, '"'), v.indexAt(h)), '"')
}

// AppendListed writes a canonical block as the lists of v2 give it.
func (v *View) AppendListed(dst []byte, h int64) []byte {
	return v.appendCanonical(dst, h, h, asListed)
}

// AppendBurns writes the burn blocks with canonical blocks from offset on, newest
// first. total is the number of their blocks, and 0 where the page is empty.
func (v *View) AppendBurns(dst []byte, limit, offset int64) []byte {
	newest := v.c.tenuresBefore(v.burn) // tenures are counted from 0
	total := v.tip
	if limit == 0 || offset > newest {
		total, limit = 0, 0
	}
	dst = append(appendEnvelope(dst, limit, offset, total), results...)
	for n := newest - offset; limit > 0 && n >= 0; n-- {
		burn, _ := v.tenure(v.c.burnOfTenure(n))
		if dst = v.AppendBurn(dst, &burn); n == 0 || n == newest-offset-limit+1 {
			break
		}
		dst = append(dst, ',')
	}
	return append(dst, "]}"...)
}

// AppendBurn writes a burn block that has a canonical block.
func (v *View) AppendBurn(dst []byte, burn *Burn) []byte {
	var b Block
	var s setting
	hashes := make([]Hash, 0, burn.Total())
	var txs int
	var newest int64 // Unix seconds, like the others
	for h := burn.Last; h >= burn.First; h-- {
		v.canonical(&b, h, &s)
		hashes = append(hashes, b.Hash)
		txs += b.TxCount
		if h == burn.Last {
			newest = floorDiv(b.TimeMS, 1000)
		}
	}
	dst = appendBurnBlock(append(dst, '{'), &b)
	dst = append(dst, `,"stacks_blocks":[`...)
	for _, hash := range hashes {
		dst = appendItem(dst, hash)
	}
	dst = append(dst, `],"avg_block_time":`...)
	dst = strconv.AppendInt(dst, (newest-floorDiv(b.TimeMS, 1000))/max(1, burn.Total()-1), 10)
	dst = append(dst, `,"total_tx_count":`...)
	return append(strconv.AppendInt(dst, int64(txs), 10), '}')
}

// TxIDs lists the transactions of a block as its record does, the newest first.
func (v *View) TxIDs(b *Block) []Hash {
	ids := make([]Hash, b.TxCount)
	for i := range ids {
		ids[i] = v.TxID(b, i)
	}
	return ids
}

// maxSearch bounds how far below the tip two views are compared.
const maxSearch = 1_000

// Common returns the greatest height up to which two views of one chain have the same
// blocks. It is looked for within the newest thousand.
func (v *View) Common(other *View) int64 {
	top := min(v.tip, other.tip)
	for h := top; h > max(0, top-maxSearch); h-- {
		if v.indexAt(h) == other.indexAt(h) {
			return h
		}
	}
	return max(0, top-maxSearch)
}

// Next is the instant at which the chain itself next changes what the view shows, in
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
