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

// blockRoutes are endpoints 4, 5 and 6, all deprecated by the real service.
func blockRoutes() []route {
	const base = "/extended/v1/block"
	return []route{
		{method: "GET", pattern: base, life: blockLife, handle: serveBlocks},
		{method: "GET", pattern: base + "/by_burn_block_height/{burn_block_height}", life: blockLife, handle: serveBlockByBurnHeight},
		{method: "GET", pattern: base + "/by_burn_block_hash/{burn_block_hash}", life: blockLife, handle: serveBlockByBurnHash},
	}
}

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
	if height <= maxHeight {
		if burn, ok := v.BurnByHeight(int64(height)); ok {
			x.best(&v, &burn)
			return
		}
	}
	x.thrown(http.StatusNotFound, "", "cannot find block by height")
}

// serveBlockByBurnHash is endpoint 5.
func serveBlockByBurnHash(x *exchange) {
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
		// The real service fails with a 500 here; this is its answer where it checks.
		x.thrown(http.StatusBadRequest, "", "Invalid hash characters")
		return
	}
	if hash, ok := chain.ParseHash(x.param(0)); ok {
		if burn, ok := v.BurnByHash(hash); ok {
			x.best(&v, &burn)
			return
		}
	}
	x.thrown(http.StatusNotFound, "", "cannot find block by burn block hash")
}

// redirectToPrefixed sends the client to the same path with 0x before the hash.
func (x *exchange) redirectToPrefixed(hash string) {
	prefix, _, _ := strings.Cut(x.route.pattern, "{")
	to := x.base + prefix + "0x" + url.PathEscape(hash)
	if x.r.URL.RawQuery != "" {
		to += "?" + x.r.URL.RawQuery
	}
	h := x.w.Header()
	h["Location"] = []string{to}
	h["X-Api-Version"] = x.s.version
	h["Content-Length"] = []string{"0"}
	x.w.WriteHeader(http.StatusFound)
}

func (x *exchange) best(v *chain.View, burn *chain.Burn) {
	block := v.Best(burn)
	x.built(func(dst []byte) []byte { return v.AppendRecord(dst, &block) })
}
