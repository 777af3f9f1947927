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
	if q := x.tokenQuery(); !x.answered {
		x.json(http.StatusOK, x.s.tokens().List(x.world.Tokens, q, x.origin()))
	}
}

// tokenQuery reads the query.
func (x *exchange) tokenQuery() (q tokens.Query) {
	q.Name, q.Symbol, q.Deployer = x.queryString("name"), x.queryString("symbol"), x.queryString("address")
	if _, given := queryValue(x.r.URL.RawQuery, "address"); given > 0 && !deployerShape().MatchString(q.Deployer) {
		x.invalid(`querystring/address must match pattern "` + deployerPattern + `"`)
	}
	q.ValidOnly = x.queryBool("valid_metadata_only")
	q.BySymbol = x.queryEither("order_by", "name", "symbol")
	q.Falling = x.queryEither("order", "asc", "desc")
	q.Offset = int(min(x.queryInteger("offset", atLeast(0), 0), maxHeight))
	q.Limit = int(x.queryInteger("limit", between(1, maxTokens), defaultLimit))
	return q
}

// queryEither reads a parameter that has two values and reports whether it is the
// second; absent, it is the first.
func (x *exchange) queryEither(name, first, second string) bool {
	return x.wordOf(name, first, second) == second
}
