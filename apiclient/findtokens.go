package apiclient

import (
	"context"
	"encoding/json"
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
	// Extra holds the other fields, as they came. Unknown decimals are 0 in it.
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
}

var tokenListDecoder = newDecoder(requireObject(func(c *jsoncursor.Cursor, l *TokenList) {
	var list BlockList[ListedToken] // the envelope of every list
	listOf(func(c *jsoncursor.Cursor, t *ListedToken) { tokenFields.decode(c, t, &t.Extra) })(c, &list)
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
