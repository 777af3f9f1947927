package mockserver

import (
	"net/http"
	"strconv"

	"chainscope/mockserver/chain"
)

// blockRoutesV3 are the blocks and Bitcoin blocks of v3. No published document has
// the names of their fields: these are the words that v3 has for the same things in
// its transactions.
func blockRoutesV3() []route {
	const blocks, bitcoin = "/extended/v3/blocks", "/extended/v3/bitcoin-blocks"
	return []route{
		{method: "GET", pattern: blocks, life: v3BlockLife, handle: serveBlocksV3},
		{method: "GET", pattern: blocks + "/{height_or_hash}", life: v3BlockLife, handle: serveBlockV3},
		{method: "GET", pattern: bitcoin, life: v3BlockLife, handle: serveBitcoinBlocks},
		{method: "GET", pattern: bitcoin + "/{height_or_hash}", life: v3BlockLife, handle: serveBitcoinBlock},
		{method: "GET", pattern: bitcoin + "/{height_or_hash}/blocks", life: v3BlockLife, handle: serveBlocksOfBitcoinBlock},
	}
}

// pageV3 is a page of a list of v3.
type pageV3[T any] struct {
	Total   int64     `json:"total"`
	Limit   int64     `json:"limit"`
	Cursor  cursorsV3 `json:"cursor"`
	Results []T       `json:"results"`
}

// cursorsV3 are the places of a page of v3: next leads to the older entries. A nil
// cursor is null.
type cursorsV3 struct {
	Next     *string `json:"next"`
	Previous *string `json:"previous"`
	Current  *string `json:"current"`
}

type blockV3 struct {
	Height  int64     `json:"height"`
	Hash    string    `json:"hash"`
	Index   string    `json:"index_hash"`
	Time    int64     `json:"time"` // Unix seconds
	Tenure  int64     `json:"tenure_height"`
	TxCount int       `json:"tx_count"`
	Bitcoin bitcoinV3 `json:"bitcoin_block"`
	*blockDetailV3
}

type blockDetailV3 struct {
	Parent parentV3 `json:"parent_block"`
	Cost   costV3   `json:"execution_cost"`
}

type parentV3 struct {
	Hash  string `json:"hash"`
	Index string `json:"index_hash"`
}

type costV3 struct {
	ReadCount   int64 `json:"read_count"`
	ReadLength  int64 `json:"read_length"`
	Runtime     int64 `json:"runtime"`
	WriteCount  int64 `json:"write_count"`
	WriteLength int64 `json:"write_length"`
}

// bitcoinV3 is a Bitcoin block; the counts are in its own answers alone.
type bitcoinV3 struct {
	Height     int64  `json:"height"`
	Hash       string `json:"hash"`
	Time       int64  `json:"time"` // Unix seconds
	BlockCount *int64 `json:"stacks_block_count,omitempty"`
	TxCount    *int   `json:"tx_count,omitempty"`
}

func newBlockV3(b *chain.Block) blockV3 {
	return blockV3{
		Height: b.Height, Hash: b.Hash.String(), Index: b.Index.String(), Time: b.TimeMS / 1000, Tenure: b.Tenure, TxCount: b.TxCount,
		Bitcoin: bitcoinV3{Height: b.BurnHeight, Hash: b.BurnHash.String(), Time: b.BurnTimeMS / 1000},
	}
}

func newBitcoinV3(b *chain.BitcoinBlock) bitcoinV3 {
	count := b.Blocks.Last - b.Blocks.First + 1
	return bitcoinV3{Height: b.Height, Hash: b.Hash.String(), Time: b.TimeMS / 1000, BlockCount: &count, TxCount: &b.TxCount}
}

var heightShape = shape(`^[0-9]{1,15}$`)

// walkV3 reads limit and cursor and answers with a page of the entries of a span,
// the highest first. A cursor is a height. On false nothing was answered yet.
func walkV3[T any](x *exchange, in func(*chain.View) (chain.Span, bool), entry func(*chain.View, int64) T) bool {
	limit, ok := x.queryInteger("limit", between(1, maxLimit), defaultLimit)
	if !ok {
		return true
	}
	cursor, given := queryValue(x.r.URL.RawQuery, "cursor")
	if given > 1 || given == 1 && !heightShape().MatchString(cursor) {
		x.invalid(`querystring/cursor must match pattern "^[0-9]+$"`)
		return true
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
	x.value(http.StatusOK, newPageV3(span, first, int64(limit), func(h int64) T { return entry(&v, h) }))
	return true
}

// newPageV3 builds the page that begins at a height. previous leads to the top where
// fewer than limit entries lie before.
func newPageV3[T any](span chain.Span, first, limit int64, entry func(int64) T) pageV3[T] {
	page := pageV3[T]{Total: span.Last - span.First + 1, Limit: limit, Results: []T{}}
	text := func(h int64) *string {
		s := strconv.FormatInt(h, 10)
		return &s
	}
	for h := first; h > first-limit && h >= span.First; h-- {
		page.Results = append(page.Results, entry(h))
	}
	if len(page.Results) == 0 {
		return page
	}
	page.Cursor.Current = text(first)
	if first < span.Last {
		page.Cursor.Previous = text(min(first+limit, span.Last))
	}
	if first-limit >= span.First {
		page.Cursor.Next = text(first - limit)
	}
	return page
}

func blockEntryV3(v *chain.View, h int64) blockV3 {
	b, _ := v.Block(h)
	return newBlockV3(&b)
}

func serveBlocksV3(x *exchange) {
	walkV3(x, func(v *chain.View) (chain.Span, bool) { return v.All(), true }, blockEntryV3)
}

// askedV3 finds what the path names by height or hash; on false it has answered, with
// 404 and the words for a missing one, with 304 or with 400.
func askedV3[T any](x *exchange, of func(*blockQuery, *chain.View) (T, bool), missing string) (found T, ok bool) {
	find, ok := x.heightOrHash()
	if !ok {
		return found, false
	}
	v := x.state().View
	if x.tipCached(&v) {
		return found, false
	}
	if found, ok = of(&find, &v); !ok {
		x.thrown(http.StatusNotFound, "", missing)
	}
	return found, ok
}

func serveBlockV3(x *exchange) {
	b, ok := askedV3(x, (*blockQuery).block, "Block not found")
	if !ok {
		return
	}
	body := newBlockV3(&b)
	body.blockDetailV3 = &blockDetailV3{
		Parent: parentV3{b.Parent.String(), b.ParentIndex.String()},
		Cost:   costV3{b.Cost.ReadCount, b.Cost.ReadLength, b.Cost.Runtime, b.Cost.WriteCount, b.Cost.WriteLength},
	}
	x.value(http.StatusOK, body)
}

func serveBitcoinBlocks(x *exchange) {
	walkV3(x, func(v *chain.View) (chain.Span, bool) {
		return chain.Span{First: v.FirstBurnHeight(), Last: v.NewestBurnHeight()}, true
	}, func(v *chain.View, h int64) bitcoinV3 {
		b, _ := v.Bitcoin(h)
		return newBitcoinV3(&b)
	})
}

// bitcoin finds a Bitcoin block. The latest is that of the newest Stacks block.
func (q *blockQuery) bitcoin(v *chain.View) (chain.BitcoinBlock, bool) {
	switch {
	case q.latest:
		return v.Bitcoin(v.TipBurnHeight())
	case q.hash != nil:
		return v.BitcoinByHash(*q.hash)
	case q.invalid || q.height > maxHeight:
		return chain.BitcoinBlock{}, false
	}
	return v.Bitcoin(int64(q.height))
}

const noBitcoinBlock = "Bitcoin block not found"

func serveBitcoinBlock(x *exchange) {
	if b, ok := askedV3(x, (*blockQuery).bitcoin, noBitcoinBlock); ok {
		x.value(http.StatusOK, newBitcoinV3(&b))
	}
}

func serveBlocksOfBitcoinBlock(x *exchange) {
	find, ok := x.heightOrHash()
	if !ok {
		return
	}
	answered := walkV3(x, func(v *chain.View) (chain.Span, bool) {
		b, ok := find.bitcoin(v)
		return b.Blocks, ok
	}, blockEntryV3)
	if !answered {
		x.thrown(http.StatusNotFound, "", noBitcoinBlock)
	}
}
