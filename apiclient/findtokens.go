package apiclient

import (
	"cmp"
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// ListedToken is a fungible token in a list of tokens. "" means not known.
type ListedToken struct {
	Principal string `json:"contract_principal"`
	Name      string `json:"name"`
	Symbol    string `json:"symbol"`
	// Decimals is nil when it is not known. A list says 0 of what it does not know: that
	// is nil where nothing else is known either.
	Decimals *int `json:"decimals"`
	// TotalSupply is in the token's smallest unit, nil when it is not known.
	TotalSupply *big.Int `json:"-"`
	// ImageURI is the address of a copy of the picture, ImageCanonicalURI of the original.
	ImageURI          string `json:"image_uri"`
	ImageCanonicalURI string `json:"image_canonical_uri"`
	// Extra holds the other fields, as they came.
	Extra map[string]json.RawMessage `json:",embed"`
}

// TokenQuery selects tokens of a list; what is "" selects all.
type TokenQuery struct {
	// Name is a part of the name, Symbol the whole symbol; capital letters are the same
	// as small ones.
	Name, Symbol string
	// Limit bounds what is listed; 0 is a page.
	Limit int
}

// TokenList is the first page of a list of tokens. A token with metadata in several locales is
// in it, and counted in Total, once for each.
type TokenList struct {
	Total   int64
	Results []ListedToken
}

// maxTokens is the greatest page of the list of tokens.
const maxTokens = 60

// decodeTokens decodes a list of tokens, which has the envelope of every list.
func decodeTokens(body []byte) (TokenList, error) {
	list, err := listOf[ListedToken](nil)(body)
	for i := range list.Results {
		t := &list.Results[i]
		if err == nil {
			t.TotalSupply, _, err = extractSupply(&t.Extra)
		}
		if t.Name+t.Symbol == "" && t.TotalSupply == nil {
			t.Decimals = nil
		}
	}
	return TokenList{Total: list.Total, Results: list.Results}, err
}

// FungibleTokens lists the first fungible tokens of a query, 60 at most, by name. The contract has no such
// route: on a server without one RouteGone reports the error.
func (c *Client) FungibleTokens(ctx context.Context, q TokenQuery) (Answer[TokenList], error) {
	const op, path = "list of tokens", "/metadata/v1/ft"
	query := addQuery("", "limit", strconv.Itoa(cmp.Or(q.Limit, maxTokens)))
	for _, part := range [][2]string{{"name", q.Name}, {"symbol", q.Symbol}} {
		name, value := part[0], part[1]
		if value == "" {
			continue
		}
		if err := validText(name, value); err != nil {
			return Answer[TokenList]{}, invalid(op, err)
		}
		query = addQuery(query, name, value)
	}
	return firstServed(ctx, c, op, by(c, route{1, path}, "", query, decodeTokens))
}

// FoundTokens are the tokens of a search, each once.
type FoundTokens struct {
	Tokens []ListedToken
	// More reports whether the server has more of that name than were read.
	More bool
}

// FindTokens finds fungible tokens whose symbol is a text, then those whose name has it.
// That takes two requests, since the server's list selects by both at once only.
func (c *Client) FindTokens(ctx context.Context, text string) (FoundTokens, error) {
	text = strings.TrimSpace(text)
	if err := validText("name", text); err != nil {
		return FoundTokens{}, invalid("list of tokens", err)
	}
	bySymbol, err := c.FungibleTokens(ctx, TokenQuery{Symbol: text})
	if err != nil {
		return FoundTokens{}, err
	}
	byName, err := c.FungibleTokens(ctx, TokenQuery{Name: text})
	if err != nil {
		return FoundTokens{}, err
	}
	found := FoundTokens{More: byName.Value.Total > int64(len(byName.Value.Results))}
	at := map[string]bool{}
	for _, list := range []TokenList{bySymbol.Value, byName.Value} {
		for _, t := range list.Results {
			if !at[t.Principal] && CheckPrincipal(t.Principal) == nil {
				at[t.Principal] = true
				found.Tokens = append(found.Tokens, t)
			}
		}
	}
	return found, nil
}
