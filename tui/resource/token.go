package resource

import (
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Token is a token in a list.
type Token struct {
	Principal string   `json:"principal"`
	TokenID   string   `json:"token_id,omitempty"` // decimal, "" for a fungible token
	What      string   `json:"what,omitempty"`     // why a mock has it, in a word
	Name      string   `json:"name,omitempty"`
	Symbol    string   `json:"symbol,omitempty"`
	Decimals  *int     `json:"decimals,omitempty"`
	Supply    string   `json:"total_supply,omitempty"` // decimal, in the smallest unit
	Locales   []string `json:"locales,omitempty"`
	Seen      bool     `json:"seen"` // it was shown before

	Units *big.Int `json:"-"` // the supply as a number, nil when it is not known

	// FT or NFT is all that the server says of it in a locale, nil for not read.
	FT     *apiclient.FungibleToken    `json:"-"`
	NFT    *apiclient.NonFungibleToken `json:"-"`
	Locale string                      `json:"-"`
}

// Kind returns FT or NFT.
func (t Token) Kind() string {
	if t.TokenID == "" {
		return "FT"
	}
	return "NFT"
}

// Label names the token by its contract, and its id.
func (t Token) Label() string {
	_, name, _ := strings.Cut(t.Principal, ".")
	if t.TokenID != "" {
		name += " #" + t.TokenID
	}
	return name
}

// Shift returns by how many decimals amounts are shifted, 0 where that is not known.
func (t Token) Shift() int {
	if t.Decimals == nil || *t.Decimals < 0 || *t.Decimals > text.MaxDecimals {
		return 0
	}
	return *t.Decimals
}

// Tokens describes tokens. What a mock has for tests of clients says what for.
func Tokens(tests bool) Kind[Token] {
	contract, what := 14, ""
	if tests {
		contract, what = 22, "WHAT" // their names say what they are for
	}
	return Kind[Token]{Name: "token", Fields: Token.fields, Columns: []Column[Token]{
		{Name: "kind", Head: "KIND", Least: 4, Most: 4, Keep: 9, Value: func(t Token) Value { return TextOf(t.Kind()) }, Draw: tokenKind},
		{Name: "contract", Head: "CONTRACT", Least: contract, Most: 22, Keep: 8, Value: func(t Token) Value { return TextOf(t.Label()) }, Names: func(t Token) string { return t.Principal }},
		{Name: "name", Field: "name", Head: "NAME", Least: 13, Most: 24, Keep: 4, Value: func(t Token) Value { return TextOf(t.Name) }},
		{Name: "symbol", Field: "symbol", Head: "SYMBOL", Least: 6, Most: 8, Keep: 6, Style: func(th *theme.Theme) theme.Style { return th.Accent }, Value: func(t Token) Value { return TextOf(t.Symbol) }},
		{Name: "decimals", Field: "decimals", Head: "DEC", Type: Number, Least: 3, Most: 3, Keep: 3, Style: Muted, Value: tokenDecimals, Blank: true},
		{Name: "supply", Head: "SUPPLY", Type: Amount, Least: 16, Most: 20, Keep: 5, Style: Numeral, Value: tokenSupply, Blank: true},
		{Name: "address", Head: "ADDRESS", Type: Principal, Least: 22, Most: 41, Keep: 2, Style: Muted, Value: func(t Token) Value {
			address, _, _ := strings.Cut(t.Principal, ".")
			return TextOf(address)
		}},
		{Name: "what", Field: "what", Head: what, Least: 9, Most: 9, Keep: 7, Value: func(t Token) Value { return TextOf(t.What) }, Draw: tokenWhat},
		{Name: "principal", Field: "principal", Type: Principal, Value: func(t Token) Value { return TextOf(t.Principal) }},
		{Name: "id", Field: "token_id", Type: Amount, Value: tokenID},
		{Name: "units", Field: "total_supply", Hidden: true, Value: func(t Token) Value { return TextOf(t.Supply) }},
		{Name: "locales", Field: "locales", Hidden: true, Value: func(t Token) Value { return TextOf(strings.Join(t.Locales, " ")) }},
	}}
}

// tokenSupply returns unknown where the decimals are: in another unit it would be another amount.
func tokenSupply(t Token) Value {
	if t.Decimals == nil || !usable(*t.Decimals) {
		return Value{}
	}
	return AmountOf(t.Units, *t.Decimals)
}

func tokenDecimals(t Token) Value {
	if t.Decimals == nil {
		return Value{}
	}
	return NumberOf(int64(*t.Decimals))
}

// tokenID returns a number of any length.
func tokenID(t Token) Value {
	id, ok := new(big.Int).SetString(t.TokenID, 10)
	if !ok {
		return Value{}
	}
	return AmountOf(id, 0)
}

// tokenKind draws the kind, and a check behind what was shown before.
func tokenKind(t Token, width int, th *theme.Theme) string {
	mark := ""
	if t.Seen {
		mark = th.OK.Render(th.Glyphs.Check)
	}
	return text.Fill(th.Muted.Render(text.Pad(t.Kind(), width-1))+mark, width)
}

func tokenWhat(t Token, width int, th *theme.Theme) string {
	style := th.Muted
	switch t.What {
	case "error", "no_token":
		style = th.Bad
	case "hostile", "pending":
		style = th.Warn
	}
	return style.Render(text.Fill(text.TruncateWith(t.What, width, th.Glyphs.Ellipsis), width))
}
