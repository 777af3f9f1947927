package mockserver

import (
	"net/http"
	"net/url"
	"strings"

	"chainscope/mockserver/chain"
)

// maxHeight is the highest burn height the service can store.
const maxHeight = 1<<31 - 1

// The sizes of a page of endpoints 3 and 6.
const (
	defaultLimit = 20
	maxLimit     = 30
)

// serveBlocks is endpoint 6: the canonical blocks, newest first.
func serveBlocks(x *exchange) {
	limit, offset, ok := x.page()
	if !ok {
		return
	}
	if limit == 0 {
		limit = defaultLimit // 0 counts as absent, here and not in endpoint 3
	}
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	x.built(func(dst []byte) []byte { return v.AppendBlocks(dst, limit, offset) })
}

// page reads limit and offset; on false it has answered 400.
func (x *exchange) page() (limit, offset int64, ok bool) {
	if x.r.URL.RawQuery == "" {
		return defaultLimit, 0, true
	}
	l, ok := x.queryInteger("limit", between(0, maxLimit), defaultLimit)
	if !ok {
		return 0, 0, false
	}
	o, ok := x.queryInteger("offset", atLeast(0), 0)
	if !ok {
		return 0, 0, false
	}
	if o >= 1<<63 {
		// The real service passes the database's fault on as a 500.
		text, _ := queryValue(x.r.URL.RawQuery, "offset")
		x.thrown(http.StatusBadRequest, "22003", `value "`+text+`" is out of range for type bigint`)
		return 0, 0, false
	}
	return int64(l), int64(o), true
}

// serveBlockByBurnHeight is endpoint 4: the block that stands for a burn block.
func serveBlockByBurnHeight(x *exchange) {
	height, ok := x.paramInteger(0, "burn_block_height", atLeast(0))
	if !ok {
		return
	}
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	var block chain.Block
	found := height <= maxHeight
	if found {
		var burn chain.Burn
		if burn, found = v.BurnByHeight(int64(height)); found {
			block = v.Best(&burn)
		}
	}
	x.record(&v, &block, found, "cannot find block by height")
}

// serveBlockByBurnHash is endpoint 5.
func serveBlockByBurnHash(x *exchange) {
	x.byHash("cannot find block by burn block hash", func(v *chain.View, hash chain.Hash) (chain.Block, bool) {
		burn, ok := v.BurnByHash(hash)
		if !ok {
			return chain.Block{}, false
		}
		return v.Best(&burn), true
	})
}

// serveBlockByHash finds a canonical block by its hash.
func serveBlockByHash(x *exchange) {
	x.byHash("cannot find block by hash", (*chain.View).BlockByHash)
}

// serveBlockByHeight finds a canonical block by its height.
func serveBlockByHeight(x *exchange) {
	height, ok := x.paramInteger(0, "height", atLeast(0))
	if !ok {
		return
	}
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	find := blockQuery{height: height}
	block, found := find.block(&v)
	x.record(&v, &block, found, "cannot find block by height")
}

// byHash answers with the block that is found by the hash of the path, which begins with 0x.
func (x *exchange) byHash(missing string, find func(*chain.View, chain.Hash) (chain.Block, bool)) {
	v := x.state().View
	if x.tipCached(&v) {
		return
	}
	digits, prefixed := strings.CutPrefix(x.param(0), "0x")
	if !prefixed {
		x.redirectToPrefixed(x.param(0))
		return
	}
	if strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		// The real service fails with a 500 by burn block; this is its answer where it checks.
		x.thrown(http.StatusBadRequest, "", "Invalid hash characters")
		return
	}
	var block chain.Block
	hash, found := chain.ParseHash(x.param(0))
	if found {
		block, found = find(&v, hash)
	}
	x.record(&v, &block, found, missing)
}

// record answers with a block, or with the words for a missing one.
func (x *exchange) record(v *chain.View, block *chain.Block, found bool, missing string) {
	if !found {
		x.thrown(http.StatusNotFound, "", missing)
		return
	}
	x.built(func(dst []byte) []byte { return v.AppendRecord(dst, block) })
}

// redirectToPrefixed sends the client to the same path with 0x before the hash.
func (x *exchange) redirectToPrefixed(hash string) {
	prefix, rest, _ := strings.Cut(x.route.pattern, "{")
	_, rest, _ = strings.Cut(rest, "}")
	to := x.base + prefix + "0x" + url.PathEscape(hash) + rest
	if x.r.URL.RawQuery != "" {
		to += "?" + x.r.URL.RawQuery
	}
	h := x.w.Header()
	h["Location"] = []string{to}
	h["X-Api-Version"] = x.s.version
	h["Content-Length"] = []string{"0"}
	x.w.WriteHeader(http.StatusFound)
}
