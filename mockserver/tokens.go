package mockserver

import (
	"errors"
	"net/http"

	"chainscope/mockserver/tokens"
)

// principalPattern is the path parameter shape of REST, as the service reports it.
const principalPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`

var principalShape = shape(principalPattern)

func fungibleToken(x *exchange) {
	x.checkPrincipal()
	locale := x.queryString("locale")
	if x.answered {
		return
	}
	answer, err := x.service.tokens().Fungible(x.world.Tokens, x.param(0), locale, x.origin())
	x.tokenAnswer(answer, err)
}

func nonFungibleToken(x *exchange) {
	x.checkPrincipal()
	id, locale := x.paramInteger(1, "token_id", bounds{}), x.queryString("locale")
	if x.answered {
		return
	}
	answer, err := x.service.tokens().NonFungible(x.world.Tokens, x.param(0), id, locale, x.origin())
	x.tokenAnswer(answer, err)
}

// tokenAnswer writes a record or the error in the service's words. Only an
// answer to a request without a query has an ETag.
func (x *exchange) tokenAnswer(answer tokens.Answer, err error) {
	var failure tokens.Failure
	switch {
	case err == nil:
		if x.r.URL.RawQuery == "" && x.cached(answer.ETag) {
			return
		}
		x.json(http.StatusOK, answer.JSON)
	case errors.As(err, &failure):
		x.tokenError(string(failure))
	case errors.Is(err, tokens.ErrContractNotFound), errors.Is(err, tokens.ErrTokenNotFound):
		x.bare(http.StatusNotFound, err.Error())
	default:
		x.bare(http.StatusUnprocessableEntity, err.Error())
	}
}

// origin returns this server as the client called it; the Host was checked.
func (x *exchange) origin() string { return "http://" + x.r.Host + x.base }

func servePicture(x *exchange) {
	picture, ok := x.service.tokens().Picture(x.param(0))
	if !ok {
		x.unknownRoute()
		return
	}
	h := x.w.Header()
	if picture.Location != "" {
		h.Set("Location", picture.Location)
		x.w.WriteHeader(http.StatusFound)
		return
	}
	h.Set("Content-Type", picture.ContentType)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("X-Content-Type-Options", "nosniff")
	x.w.WriteHeader(http.StatusOK)
	_, _ = x.w.Write(picture.Body) // the client may have gone
}

// checkPrincipal checks the first path parameter.
func (x *exchange) checkPrincipal() {
	if !principalShape().MatchString(x.param(0)) {
		x.invalid(`params/principal must match pattern "` + principalPattern + `"`)
	}
}

// maxTokens is the greatest page of the list of tokens.
const maxTokens = 60

const deployerPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}`

var deployerShape = shape(deployerPattern)

// listTokens finds fungible tokens by name, symbol or deployer.
func listTokens(x *exchange) {
	if q := x.tokenQuery(); !x.answered {
		x.json(http.StatusOK, x.service.tokens().List(x.world.Tokens, q, x.origin()))
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
