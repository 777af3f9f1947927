package mockserver

import (
	"net/http"

	"chainscope/mockserver/chain"
)

const hashPattern = `^(0x)?[a-fA-F0-9]{64}$`

var hashShape = shape(hashPattern)

// serveBurnBlock is endpoint 3: the canonical blocks of a burn block.
func serveBurnBlock(x *exchange) {
	find := x.heightOrHash()
	w := x.page()
	if v, burn, ok := x.burnAsked(&find, 0, "Burn block not found"); ok {
		x.object(totalled(w, int(burn.Len()), listedBodies(&v, w.of(burn.Span))))
	}
}

// burnAsked finds a burn block with at least least Stacks blocks; on false it has answered 304,
// 400 or 404, the latter with the words for a missing one.
func (x *exchange) burnAsked(find *blockQuery, least int64, missing string) (v chain.View, burn chain.Burn, ok bool) {
	v = x.state().View
	if x.tipCached(&v) {
		return v, burn, false
	}
	if find.invalid {
		x.thrown(http.StatusBadRequest, "", "Invalid block height or hash")
		return v, burn, false
	}
	if burn, ok = find.burn(&v); !ok || burn.Len() < least {
		x.thrown(http.StatusNotFound, "", missing)
		return v, burn, false
	}
	return v, burn, true
}

// blockQuery says which block or burn block is requested.
type blockQuery struct {
	latest  bool
	hash    *chain.Hash
	height  float64
	invalid bool // fits the schema and names nothing
}

// heightOrHash reads the path parameter by the service's schema.
func (x *exchange) heightOrHash() blockQuery {
	text := x.param(0)
	if text == "latest" {
		return blockQuery{latest: true}
	}
	if hashShape().MatchString(text) {
		hash, _ := chain.ParseHash(text)
		return blockQuery{hash: &hash}
	}
	height, ok := coerceInteger(text)
	if !ok {
		const p = "params/height_or_hash must "
		x.invalid(p + `be equal to constant, ` + p + `match pattern "` + hashPattern + `", ` + p + `be integer, ` + p + `match a schema in anyOf`)
	}
	// A hash with 0X is a number to the schema, and below zero there is none.
	long := len(text) == 66 && text[:2] == "0X"
	return blockQuery{height: height, invalid: height < 0 || long}
}

// burn finds a burn block.
func (q *blockQuery) burn(v *chain.View) (chain.Burn, bool) {
	return named(q, v.TipBurnHeight(), v.BurnByHash, v.BurnByHeight)
}

// named finds what a query names; latest is the height of the latest.
func named[T any](q *blockQuery, latest int64, byHash func(chain.Hash) (T, bool), byHeight func(int64) (T, bool)) (none T, ok bool) {
	switch {
	case q.latest:
		return byHeight(latest)
	case q.hash != nil:
		return byHash(*q.hash)
	case q.invalid || q.height > maxHeight:
		return none, false
	}
	return byHeight(int64(q.height))
}
