package api

import (
	"net/http"
	"strconv"

	"chainscope/mockserver/chain"
)

// The fields of blocks and Bitcoin blocks are those that the release notes of 9.6 and 9.7
// name; how those of a Bitcoin block inside a block are called is a guess. These tables
// are the one place to change when a document names them.

// timesV3 returns the two forms of an instant, of which the second came with 9.6.
func timesV3(ms int64) object { return object{{"time", ms / 1000}, {"time_iso", isoTime(ms)}} }

func blockV3(b *chain.Block) object {
	bitcoin := append(object{{"height", b.BurnHeight}, {"hash", b.BurnHash}}, timesV3(b.BurnTimeMS)...)
	return append(append(object{{"height", b.Height}, {"hash", b.Hash}, {"index_hash", b.Index}}, timesV3(b.TimeMS)...),
		field{"tenure_height", b.Tenure}, field{"tx_count", b.TxCount}, field{"bitcoin_block", bitcoin})
}

// Bytes of a block: those of its head, and those that a transaction has on average.
const (
	headBytes        = 226
	transactionBytes = 342
)

// blockDetailV3 returns a block that is requested by itself.
func blockDetailV3(b *chain.Block) object {
	return append(blockV3(b),
		field{"parent_block", object{{"hash", b.Parent}, {"index_hash", b.ParentIndex}}},
		field{"size", headBytes + transactionBytes*b.TxCount},
		field{"execution_cost", b.Cost},
	)
}

func bitcoinV3(b *chain.BitcoinBlock) object {
	return append(append(object{{"height", b.Height}, {"hash", b.Hash}}, timesV3(b.TimeMS)...),
		field{"stacks_block_count", b.Blocks.Len()}, field{"tx_count", b.TxCount})
}

const heightForm = `^[0-9]{1,10}$`

var heightShape = shape(heightForm)

// walkV3 reads limit and cursor and answers with a page of the entries of a span,
// the highest first. A cursor is a height. It reports false where there is no span.
func walkV3(x *Exchange, in func(*chain.View) (chain.Span, bool), entry func(*chain.View, int64) object) bool {
	limit := x.queryInteger("limit", between(1, maxLimit), defaultLimit)
	cursor, given := QueryValue(x.R.URL.RawQuery, "cursor")
	if given > 1 || given == 1 && !heightShape().MatchString(cursor) {
		x.invalid(`querystring/cursor must match pattern "` + heightForm + `"`)
	}
	v := x.state().View
	if x.tipCached(&v) {
		return true
	}
	span, ok := in(&v)
	if !ok {
		return false
	}
	first := span.Last
	if given == 1 {
		at, _ := strconv.ParseInt(cursor, 10, 64) // the shape was checked
		first = min(first, at)
	}
	x.object(newPageV3(span, first, int64(limit), func(h int64) object { return entry(&v, h) }))
	return true
}

// newPageV3 builds the page that begins at a height. Previous leads to the top where
// fewer than limit entries lie before.
func newPageV3(span chain.Span, first, limit int64, entry func(int64) object) object {
	var results []object
	for h := first; h > first-limit && h >= span.First; h-- {
		results = append(results, entry(h))
	}
	text := func(h int64, there bool) any {
		if !there || len(results) == 0 {
			return nil
		}
		return strconv.FormatInt(h, 10)
	}
	return pageV3(span.Last-span.First+1, limit, results,
		text(first-limit, first-limit >= span.First), text(min(first+limit, span.Last), first < span.Last), text(first, true))
}

func blockEntryV3(v *chain.View, h int64) object {
	b, _ := v.Block(h)
	return blockV3(&b)
}

func serveBlocksV3(x *Exchange) {
	walkV3(x, func(v *chain.View) (chain.Span, bool) { return v.All(), true }, blockEntryV3)
}

// requestedV3 finds what the path names by height or hash; on false it has answered, with
// 404 and the words for a missing one, with 304 or with 400.
func requestedV3[T any](x *Exchange, of func(*blockQuery, *chain.View) (T, bool), missing string) (found T, ok bool) {
	find, v := x.namedV3(), x.state().View
	if x.answered || x.tipCached(&v) {
		return found, false
	}
	if found, ok = of(&find, &v); !ok {
		x.Thrown(http.StatusNotFound, "", missing)
	}
	return found, ok
}

var bareHash = shape(`^[0-9a-fA-F]{64}$`)

// namedV3 reads a height or a hash. One without 0x is answered by the way to the other.
func (x *Exchange) namedV3() (q blockQuery) {
	if bareHash().MatchString(x.param(0)) {
		x.redirectToPrefixed(x.param(0))
		return q
	}
	return x.heightOrHash()
}

func serveBlockV3(x *Exchange) {
	if b, ok := requestedV3(x, (*blockQuery).block, "Block not found"); ok {
		x.object(blockDetailV3(&b))
	}
}

func serveBitcoinBlocks(x *Exchange) {
	walkV3(x, func(v *chain.View) (chain.Span, bool) {
		return chain.Span{First: v.FirstBurnHeight(), Last: v.NewestBurnHeight()}, true
	}, func(v *chain.View, h int64) object {
		b, _ := v.Bitcoin(h)
		return bitcoinV3(&b)
	})
}

// bitcoin finds a Bitcoin block. The latest is that of the newest Stacks block.
func (q *blockQuery) bitcoin(v *chain.View) (chain.BitcoinBlock, bool) {
	return named(q, v.TipBurnHeight(), v.BitcoinByHash, v.Bitcoin)
}

const noBitcoinBlock = "Bitcoin block not found"

func serveBitcoinBlock(x *Exchange) {
	if b, ok := requestedV3(x, (*blockQuery).bitcoin, noBitcoinBlock); ok {
		x.object(bitcoinV3(&b))
	}
}

func serveBlocksOfBitcoinBlock(x *Exchange) {
	find := x.namedV3()
	if x.answered {
		return
	}
	answered := walkV3(x, func(v *chain.View) (chain.Span, bool) {
		b, ok := find.bitcoin(v)
		return b.Blocks, ok
	}, blockEntryV3)
	if !answered {
		x.Thrown(http.StatusNotFound, "", noBitcoinBlock)
	}
}

// pageV3 returns a page of a list of v3. Next leads to the older entries; a nil cursor is null.
func pageV3(total, limit int64, results []object, next, previous, current any) object {
	return object{
		{"total", total}, {"limit", limit}, {"cursor", object{{"next", next}, {"previous", previous}, {"current", current}}}, {"results", results},
	}
}
