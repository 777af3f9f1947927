package apiclient

import (
	"context"
	"encoding/json"
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"chainscope/apiclient/internal/jsoncursor"
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
	Extra map[string]json.RawMessage `json:"-"`
}

// TokenQuery selects tokens of a list; what is "" selects all.
type TokenQuery struct {
	// Name is a part of the name, Symbol the whole symbol; capital letters are the same
	// as small ones.
	Name, Symbol string
}

// TokenList is the first page of a list of tokens. A token with metadata in several locales is
// in it, and counted in Total, once for each.
type TokenList struct {
	Total   int64
	Results []ListedToken
}

// maxTokens is the greatest page of the list of tokens.
const maxTokens = 60

var tokenFields = fieldTable[ListedToken]{
	{"contract_principal", func(c *jsoncursor.Cursor, t *ListedToken) { t.Principal = c.String() }},
	{"name", func(c *jsoncursor.Cursor, t *ListedToken) { t.Name = c.String() }},
	{"symbol", func(c *jsoncursor.Cursor, t *ListedToken) { t.Symbol = c.String() }},
	{"decimals", func(c *jsoncursor.Cursor, t *ListedToken) { t.Decimals = smallInt(c) }},
	{"total_supply", func(c *jsoncursor.Cursor, t *ListedToken) { t.TotalSupply, _ = supply(c) }},
	{"image_uri", func(c *jsoncursor.Cursor, t *ListedToken) { t.ImageURI = c.String() }},
	{"image_canonical_uri", func(c *jsoncursor.Cursor, t *ListedToken) { t.ImageCanonicalURI = c.String() }},
}

var tokenListDecoder = newDecoder(requireObject(func(c *jsoncursor.Cursor, l *TokenList) {
	var list BlockList[ListedToken] // the envelope of every list
	listOf(func(c *jsoncursor.Cursor, t *ListedToken) {
		tokenFields.decode(c, t, &t.Extra)
		if t.Name+t.Symbol == "" && t.TotalSupply == nil {
			t.Decimals = nil
		}
	})(c, &list)
	l.Total, l.Results = list.Total, list.Results
}))

// FungibleTokens lists the first 60 fungible tokens of a query, by name. The contract has no such
// route: on a server without one RouteGone reports the error.
func (c *Client) FungibleTokens(ctx context.Context, q TokenQuery) (Answer[TokenList], error) {
	const op, path = "list of tokens", "/metadata/v1/ft"
	query := "?limit=" + strconv.Itoa(maxTokens)
	for _, part := range [][2]string{{"name", q.Name}, {"symbol", q.Symbol}} {
		name, value := part[0], part[1]
		if value == "" {
			continue
		}
		if err := validText(name, value); err != nil {
			return Answer[TokenList]{}, invalid(op, err)
		}
		query += "&" + name + "=" + url.QueryEscape(value)
	}
	return firstServed(ctx, c, op, form[TokenList]{route{1, path}, func(ctx context.Context) (Answer[TokenList], error) {
		return fetch(ctx, c, request[TokenList]{op: op, store: true, decode: tokenListDecoder, path: path + query})
	}})
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
			if !at[t.Principal] && ValidPrincipal(t.Principal) == nil {
				at[t.Principal] = true
				found.Tokens = append(found.Tokens, t)
			}
		}
	}
	return found, nil
}
