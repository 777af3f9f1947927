package api

import (
	"errors"
	"net/http"

	"chainscope/mockserver/tokens"
)

// principalPattern is the path parameter shape of REST, as the service reports it.
const principalPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`

var principalShape = shape(principalPattern)

func fungibleToken(x *Exchange) {
	x.checkPrincipal()
	locale := x.queryString("locale")
	if x.answered {
		return
	}
	answer, err := x.Service.Tokens().Fungible(x.World.Tokens, x.param(0), locale, x.origin())
	x.tokenAnswer(answer, err)
}

func nonFungibleToken(x *Exchange) {
	x.checkPrincipal()
	id, locale := x.paramInteger(1, "token_id", bounds{}), x.queryString("locale")
	if x.answered {
		return
	}
	answer, err := x.Service.Tokens().NonFungible(x.World.Tokens, x.param(0), id, locale, x.origin())
	x.tokenAnswer(answer, err)
}

// tokenAnswer writes a record or the error in the service's words. Only an
// answer to a request without a query has an ETag.
func (x *Exchange) tokenAnswer(answer tokens.Answer, err error) {
	var failure tokens.Failure
	switch {
	case err == nil:
		if x.R.URL.RawQuery == "" && x.cached(answer.ETag) {
			return
		}
		x.JSON(http.StatusOK, answer.JSON)
	case errors.As(err, &failure):
		x.TokenError(string(failure))
	case errors.Is(err, tokens.ErrContractNotFound), errors.Is(err, tokens.ErrTokenNotFound):
		x.Bare(http.StatusNotFound, err.Error())
	default:
		x.Bare(http.StatusUnprocessableEntity, err.Error())
	}
}

// origin returns this server as the client called it; the Host was checked.
func (x *Exchange) origin() string { return "http://" + x.R.Host + x.Base }

func servePicture(x *Exchange) {
	picture, ok := x.Service.Tokens().Picture(x.param(0))
	if !ok {
		x.UnknownRoute()
		return
	}
	h := x.W.Header()
	if picture.Location != "" {
		h.Set("Location", picture.Location)
		x.W.WriteHeader(http.StatusFound)
		return
	}
	h.Set("Content-Type", picture.ContentType)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("X-Content-Type-Options", "nosniff")
	x.W.WriteHeader(http.StatusOK)
	_, _ = x.W.Write(picture.Body) // the client may have gone
}

// checkPrincipal checks the first path parameter.
func (x *Exchange) checkPrincipal() {
	if !principalShape().MatchString(x.param(0)) {
		x.invalid(`params/principal must match pattern "` + principalPattern + `"`)
	}
}

// maxTokens is the greatest page of the list of tokens.
const maxTokens = 60

const deployerPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}`

var deployerShape = shape(deployerPattern)

// listTokens finds fungible tokens by name, symbol or deployer.
func listTokens(x *Exchange) {
	if q := x.tokenQuery(); !x.answered {
		x.JSON(http.StatusOK, x.Service.Tokens().List(x.World.Tokens, q, x.origin()))
	}
}

// tokenQuery reads the query.
func (x *Exchange) tokenQuery() (q tokens.Query) {
	q.Name, q.Symbol, q.Deployer = x.queryString("name"), x.queryString("symbol"), x.queryString("address")
	if _, given := QueryValue(x.R.URL.RawQuery, "address"); given > 0 && !deployerShape().MatchString(q.Deployer) {
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
func (x *Exchange) queryEither(name, first, second string) bool {
	return x.wordOf(name, first, second) == second
}
