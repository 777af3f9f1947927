package api

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"

	"chainscope/mockserver/chain"
)

// maxOffset is the largest distance of a page of v2 from its cursor, either way.
const maxOffset = 300

const cursorPattern = `^0x[a-fA-F0-9]{64}$`

var cursorShape = shape(cursorPattern)

// pageQuery says which page of a v2 list is requested.
type pageQuery struct {
	limit, offset int64
	cursor        *chain.Hash // nil for the newest page
}

// cursorPage reads limit, offset and cursor.
func (x *Exchange) cursorPage() (q pageQuery) {
	q.limit = cmp.Or(int64(x.queryInteger("limit", between(0, maxLimit), defaultLimit)), defaultLimit)
	q.offset = int64(x.queryInteger("offset", between(-maxOffset, maxOffset), 0))
	text, given := QueryValue(x.R.URL.RawQuery, "cursor")
	switch {
	case given > 1:
		x.invalid("querystring/cursor must be string")
	case given == 1 && !cursorShape().MatchString(text):
		x.invalid(`querystring/cursor must match pattern "` + cursorPattern + `"`)
	case given == 1:
		hash, _ := chain.ParseHash(text)
		q.cursor = &hash
	}
	return q
}

// serveBlockList lists the canonical blocks, newest first.
func serveBlockList(x *Exchange) {
	q, v := x.cursorPage(), x.state().View
	if !x.tipCached(&v) {
		x.blockPage(&v, q, v.All())
	}
}

// serveTenure lists the blocks of a tenure. Without a cursor the search begins at
// the tip, so that only the newest tenure has any.
func serveTenure(x *Exchange) {
	tenure := x.paramInteger(0, "tenure_height", atLeast(0))
	q, v := x.cursorPage(), x.state().View
	if tenure > maxHeight {
		x.Thrown(http.StatusBadRequest, "", "Invalid tenure height")
	}
	if x.answered {
		return
	}
	in := v.All()
	if tenure > 0 {
		in = v.Tenure(int64(tenure))
	}
	x.blockPage(&v, q, in)
}

// blockPage answers with the page of a span of blocks.
func (x *Exchange) blockPage(v *chain.View, q pageQuery, in chain.Span) {
	high := v.Tip()
	if q.cursor != nil {
		at, ok := v.HeightOfIndex(*q.cursor)
		if first := at - q.offset; !ok || at < in.First || at > in.Last || first < in.First || first > in.Last {
			x.Thrown(http.StatusNotFound, "", "Cursor not found")
			return
		}
		high = at
	}
	x.object(q.page(v, in, high-q.offset))
}

// page returns the page of a span from the height high on. The cursors are the first blocks of the
// pages before and after; next_cursor is that of the newer page, and null where fewer than limit
// blocks are newer. A page that begins outside the span is empty, and then total is 0.
func (q *pageQuery) page(v *chain.View, in chain.Span, high int64) object {
	inside, shown := in.Has(high), chain.Span{First: 1}
	if inside {
		shown = chain.Span{First: max(in.First, high-q.limit+1), Last: high}
	}
	cursor := func(h int64) any {
		if !inside || !in.Has(h) {
			return nil
		}
		return v.IndexAt(h)
	}
	body := totalled(window{int(q.limit), int(q.offset)}, int(in.Len()), listedBodies(v, shown))
	return slices.Insert(body, 3,
		field{"next_cursor", cursor(high + q.limit)}, field{"prev_cursor", cursor(high - q.limit)}, field{"cursor", cursor(high)})
}

// serveBlock finds a canonical block by its height, its hash or its index block
// hash.
func serveBlock(x *Exchange) {
	if block, ok := x.requestedBlock(); ok {
		x.object(listedBody(&block))
	}
}

// block finds a canonical block.
func (q *blockQuery) block(v *chain.View) (chain.Block, bool) {
	return named(q, v.Tip(), v.BlockByHash, v.Block)
}

// serveBurnBlocks lists the burn blocks that have Stacks blocks, newest first.
func serveBurnBlocks(x *Exchange) {
	w, v := x.page(), x.state().View
	if x.tipCached(&v) {
		return
	}
	results := each(v.Burns(int64(w.limit), int64(w.offset)), func(b chain.Burn) object { return burnBody(&v, &b) })
	x.object(totalled(w, int(v.All().Len()), results)) // the total is that of the Stacks blocks
}

// serveOneBurnBlock finds a burn block that has Stacks blocks.
func serveOneBurnBlock(x *Exchange) {
	find := x.heightOrHash()
	if v, burn, ok := x.requestedBurn(&find, 1, "Not found"); ok {
		x.object(burnBody(&v, &burn))
	}
}

// serveSignatures lists the signatures of those who signed a block: all signers of its cycle. A
// block that is not there has none.
func serveSignatures(x *Exchange) {
	w, find := x.exactWindow(), x.heightOrHash()
	if x.answered {
		return
	}
	s, all := x.stacking(), []string{}
	known, ok := find.block(&s.txs.View)
	if !find.invalid && (!ok || known.BurnHeight < s.era.since("3.0")) { // until then miners alone made blocks
		x.object(w.page(0, all))
		return
	}
	b, ok := x.requestedBlock()
	if !ok {
		return
	}
	for _, one := range s.shares(s.cycleOf(b.BurnHeight)) {
		part := sha256.Sum256(fmt.Appendf(nil, "signature of %s by %s", b.Index, one.key))
		all = append(all, fmt.Sprintf("0x%02x%x%x", part[0]&1, part, sha256.Sum256(part[:])))
	}
	x.object(w.page(len(all), cut(w, all)))
}
