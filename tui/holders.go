package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"
)

// The rows that are read at a time.
const (
	HoldersRead = 50
	MovesRead   = 50
)

// assets finds the tokens that contracts name, each by one request.
type assets struct {
	client *apiclient.Client
	known  *Backgrounds
}

// of returns the only token of a contract that is fungible, or is not, as ADDRESS.contract::name.
func (a assets) of(ctx context.Context, contract string, fungible bool) (string, error) {
	answer, err := a.client.Contract(ctx, contract)
	if err != nil {
		return "", err
	}
	face, what := resource.ContractOf(&answer.Value).Face, "fungible"
	tokens := face.FungibleTokens
	if !fungible {
		tokens, what = face.NonFungibleTokens, "non-fungible"
	}
	switch len(tokens) {
	case 0:
		return "", &apiclient.Error{Kind: apiclient.NotFound, Op: "token", Err: fmt.Errorf("%s has no %s token", contract, what)}
	case 1:
		return contract + "::" + tokens[0].Name, nil
	}
	var names []string
	for _, t := range tokens {
		names = append(names, contract+"::"+t.Name)
	}
	return "", &apiclient.Error{Kind: apiclient.InvalidInput, Op: "token", Err: fmt.Errorf("%s has several %s tokens: %s", contract, what, strings.Join(names, ", "))}
}

// asset returns the token that a place names, with its contract.
func (a assets) asset(ctx context.Context, principal string, fungible bool) (asset, contract string, err error) {
	contract, _, named := strings.Cut(principal, "::")
	if named {
		return principal, contract, nil
	}
	asset, err = a.of(ctx, contract, fungible)
	return asset, contract, err
}

// Holders returns how the list of who has a fungible token is made. It takes three requests: for
// the name of the token in its contract, its unit, and who has it.
func Holders(o *Options) listing.Of[resource.Holder] {
	a := assets{o.Client, NewBackgrounds(o.Client)}
	return listing.Of[resource.Holder]{
		Kind: resource.Holders(), Ops: []string{"holders of a token", "contract"},
		Title: func(p nav.Place) string { return "Holders of " + text.Middle(p.Principal, 60) },
		ID:    func(h resource.Holder) string { return h.Principal },
		IDOf:  func(nav.Place) string { return "" },
		Enter: func(h resource.Holder) nav.Place { return resource.LinkTo(h.Principal) }, EnterLabel: "the account",
		Web: func(h resource.Holder) string { return "/address/" + h.Principal },
		Page: func(ctx context.Context, of nav.Place, cursor string) (listing.Page[resource.Holder], error) {
			return a.holders(ctx, of.Principal, cursor)
		},
		None: "Nobody has this token.",
	}
}

func (a assets) holders(ctx context.Context, principal, cursor string) (page listing.Page[resource.Holder], err error) {
	asset, contract, err := a.asset(ctx, principal, true)
	if err != nil {
		return page, err
	}
	answer, err := a.client.FungibleHolders(ctx, asset, HoldersRead, cursor)
	if err != nil {
		return page, err
	}
	left := 1
	unit, known := a.known.ReadUnits(ctx, []string{contract}, &left)[contract]
	var supply string
	_ = json.Unmarshal(answer.Value.Extra["total_supply"], &supply) // v3 does not say it
	all, _ := new(big.Int).SetString(supply, 10)
	page = listing.Page[resource.Holder]{Total: answer.Value.Total, Next: answer.Value.Next, Raw: answer.Raw}
	raw := apiclient.Results(answer.Raw, len(answer.Value.Results))
	for i, h := range answer.Value.Results {
		one := resource.Holder{Holder: h, Supply: all}
		if known {
			one.Unit = &unit
		}
		page.Rows = append(page.Rows, listing.Row[resource.Holder]{Of: one, Raw: raw[i], Exchange: answer.ExchangeID})
	}
	return page, nil
}

// TokenMoves returns how the list of what happened to a non-fungible token is made. It takes two
// requests: for the name of the token in its contract, and its history.
func TokenMoves(o *Options) listing.Of[resource.TokenMove] {
	a := assets{o.Client, nil}
	return listing.Of[resource.TokenMove]{
		Kind: resource.TokenMoves(), Ops: []string{"history of a token", "contract"},
		Title: func(p nav.Place) string {
			return "Moves of " + text.Middle(p.Principal, 50) + " #" + text.Truncate(p.TokenID, 20)
		},
		ID:   resource.TokenMove.ID,
		IDOf: func(nav.Place) string { return "" },
		// What happened changes with the chain alone.
		Settled: func(resource.TokenMove) bool { return true },
		Web:     func(m resource.TokenMove) string { return "/txid/" + m.TxID },
		Page: func(ctx context.Context, of nav.Place, cursor string) (page listing.Page[resource.TokenMove], err error) {
			value, err := tokenValue(of.TokenID)
			if err != nil {
				return page, err
			}
			asset, _, err := a.asset(ctx, of.Principal, false)
			if err != nil {
				return page, err
			}
			answer, err := a.client.NonFungibleHistory(ctx, asset, value, MovesRead, cursor)
			page = listing.Page[resource.TokenMove]{Total: answer.Value.Total, Next: answer.Value.Next, Raw: answer.Raw}
			raw := apiclient.Results(answer.Raw, len(answer.Value.Results))
			for i, m := range answer.Value.Results {
				page.Rows = append(page.Rows, listing.Row[resource.TokenMove]{Of: resource.TokenMove{TokenMove: m}, Raw: raw[i], Exchange: answer.ExchangeID})
			}
			return page, err
		},
		None: "Nothing is known to have happened to this token.",
	}
}

// tokenValue returns the id of a token as a Clarity value, in hexadecimal digits.
func tokenValue(id string) (string, error) {
	n, ok := new(big.Int).SetString(id, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 128 {
		return "", &apiclient.Error{Kind: apiclient.InvalidInput, Op: "token", Err: fmt.Errorf("%q is no id of a token: want a number from 0", id)}
	}
	return fmt.Sprintf("0x01%032x", n), nil
}

// ReadOwner reads who has a non-fungible token, by a call of its contract; "" for nobody.
func ReadOwner(ctx context.Context, c *apiclient.Client, contract, id string) (string, error) {
	value, err := tokenValue(id)
	if err != nil {
		return "", err
	}
	answer, err := c.CallReadOnly(ctx, contract, "get-owner", "", []string{value})
	if err != nil {
		return "", err
	}
	if !answer.Value.Okay {
		return "", fmt.Errorf("get-owner: %s", text.Line(answer.Value.Cause))
	}
	return resource.PrincipalIn(answer.Value.Result)
}
