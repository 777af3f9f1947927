package mockserver

import (
	"net/http"

	"chainscope/mockserver/tokens"
)

// maxTokens is the greatest page of the list of tokens.
const maxTokens = 60

const deployerPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}`

var deployerShape = shape(deployerPattern)

// listTokens finds fungible tokens by name, symbol or deployer.
func listTokens(x *exchange) {
	q, ok := x.tokenQuery()
	if !ok {
		return
	}
	x.json(http.StatusOK, x.s.tokens().List(x.world.Tokens, q, x.origin()))
}

// tokenQuery reads the query; on false it has answered 400.
func (x *exchange) tokenQuery() (q tokens.Query, ok bool) {
	for name, into := range map[string]*string{"name": &q.Name, "symbol": &q.Symbol, "address": &q.Deployer} {
		if *into, ok = x.queryString(name); !ok {
			return q, false
		}
	}
	if _, given := queryValue(x.r.URL.RawQuery, "address"); given > 0 && !deployerShape().MatchString(q.Deployer) {
		x.invalid(`querystring/address must match pattern "` + deployerPattern + `"`)
		return q, false
	}
	if q.ValidOnly, ok = x.queryBool("valid_metadata_only", false); !ok {
		return q, false
	}
	if q.BySymbol, ok = x.queryEither("order_by", "name", "symbol"); !ok {
		return q, false
	}
	if q.Falling, ok = x.queryEither("order", "asc", "desc"); !ok {
		return q, false
	}
	offset, ok := x.queryInteger("offset", atLeast(0), 0)
	if !ok {
		return q, false
	}
	limit, ok := x.queryInteger("limit", between(1, maxTokens), defaultLimit)
	q.Limit, q.Offset = int(limit), int(min(offset, maxHeight))
	return q, ok
}

// queryEither reads a parameter that has two values and reports whether it is the
// second; absent, it is the first.
func (x *exchange) queryEither(name, first, second string) (isSecond, ok bool) {
	value, given := queryValue(x.r.URL.RawQuery, name)
	switch {
	case given == 0, given == 1 && value == first:
		return false, true
	case given == 1 && value == second:
		return true, true
	}
	p := "querystring/" + name + " must "
	x.invalid(p + "be equal to constant, " + p + "be equal to constant, " + p + "match a schema in anyOf")
	return false, false
}
