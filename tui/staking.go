package tui

import (
	"context"
	"encoding/json"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
)

// Bonds returns how the place of bonds is made.
func Bonds(o *Options) listing.Of[resource.Bond] {
	c := o.Client
	return listing.Of[resource.Bond]{
		Kind: resource.Bonds(), List: nav.KindBonds, Ops: []string{"bonds", "bond", "registrations for a bond"},
		ID: resource.Bond.ID,
		Page: func(ctx context.Context, _ nav.Place, cursor string) (listing.Page[resource.Bond], error) {
			a, err := c.Bonds(ctx, cursor)
			return pageOf(a, err, func(b apiclient.Bond) resource.Bond { return resource.Bond{Bond: b} })
		},
		One: func(ctx context.Context, id string) (listing.Row[resource.Bond], error) {
			index, err := strconv.ParseInt(id, 10, 32)
			if err != nil {
				index = -1 // which the client refuses with a sentence
			}
			a, err := c.Bond(ctx, index)
			row := listing.Row[resource.Bond]{Of: resource.Bond{Bond: a.Value}, Raw: a.Raw, Exchange: a.ExchangeID}
			if err == nil && a.Value.Registrations.Registered > 0 {
				of, failed := c.Registrations(ctx, index)
				row.Of.Registered, err = of.Value.Results, failed
			}
			return row, err
		},
	}
}

// Signers returns how the place of signers is made.
func Signers(o *Options) listing.Of[resource.Signer] {
	c := o.Client
	return listing.Of[resource.Signer]{
		Kind: resource.Signers(), List: nav.KindSigners, Ops: []string{"signers", "signer", "stakers of a signer"},
		ID: func(s resource.Signer) string { return s.ID },
		Page: func(ctx context.Context, _ nav.Place, cursor string) (listing.Page[resource.Signer], error) {
			a, err := c.Signers(ctx, cursor)
			return pageOf(a, err, func(s apiclient.Signer) resource.Signer { return resource.Signer{Signer: s} })
		},
		One: func(ctx context.Context, id string) (listing.Row[resource.Signer], error) {
			a, err := c.Signer(ctx, id)
			row := listing.Row[resource.Signer]{Of: resource.Signer{Signer: a.Value}, Raw: a.Raw, Exchange: a.ExchangeID}
			if err == nil {
				of, failed := c.Stakers(ctx, id)
				row.Of.Stakers, row.Of.All, err = of.Value.Results, of.Value.Total, failed
			}
			return row, err
		},
	}
}

// pageOf returns a page of a list of v3, with each row as it came.
func pageOf[A, T any](a apiclient.Answer[apiclient.List[A]], err error, row func(A) T) (listing.Page[T], error) {
	page := listing.Page[T]{Total: a.Value.Total, Raw: a.Raw, Next: apiclient.NextCursor(a.Value)}
	raw := apiclient.Results(a.Raw, len(a.Value.Results))
	for i, one := range a.Value.Results {
		page.Rows = append(page.Rows, listing.Row[T]{Of: row(one), Raw: raw[i], Exchange: a.ExchangeID})
	}
	return page, err
}

// ReadStaking reads what an account stakes, by one request, and its bonds, by another if it has
// any.
func ReadStaking(ctx context.Context, c *apiclient.Client, a resource.Account) (listing.Row[resource.Account], error) {
	position, err := c.Staking(ctx, a.Principal)
	if apiclient.RouteGone(err) {
		a.Staking = &resource.Staking{Gone: true}
		return listing.Row[resource.Account]{Of: a.WithFields()}, nil
	}
	if err != nil {
		return listing.Row[resource.Account]{}, err
	}
	a.Staking = &resource.Staking{Position: position.Value}
	raw := map[string]json.RawMessage{"staking": position.Raw}
	if position.Value.Bonds.Count > 0 {
		bonds, err := c.BondsOf(ctx, a.Principal)
		if err != nil {
			return listing.Row[resource.Account]{}, err
		}
		a.Staking.Bonds, raw["bonds"] = bonds.Value.Results, bonds.Raw
	}
	text, err := json.Marshal(raw)
	return listing.Row[resource.Account]{Of: a.WithFields(), Raw: text, Exchange: position.ExchangeID}, err
}
