package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
)

// firstNames is how many names of a namespace are shown with it, fullPage how many the
// server has on a page.
const (
	firstNames = 20
	fullPage   = 100
)

// namespaces says how the place of namespaces is made.
func namespaces(o *Options) listing.Of[resource.Namespace] {
	c := o.Client
	return listing.Of[resource.Namespace]{
		Kind: resource.Namespaces(), List: nav.KindNamespaces, Ops: []string{"namespaces", "names"},
		ID: func(n resource.Namespace) string { return n.Name },
		Page: func(ctx context.Context, _ nav.Place, _ string) (listing.Page[resource.Namespace], error) {
			a, err := c.Namespaces(ctx)
			page := listing.Page[resource.Namespace]{Total: int64(len(a.Value)), Raw: a.Raw}
			for _, name := range a.Value {
				page.Rows = append(page.Rows, listing.Row[resource.Namespace]{Of: resource.Namespace{Name: name}, Raw: a.Raw, Exchange: a.ExchangeID})
			}
			return page, err
		},
		One: func(ctx context.Context, name string) (listing.Row[resource.Namespace], error) {
			a, err := c.Names(ctx, name, apiclient.NamesQuery{})
			if err != nil {
				return listing.Row[resource.Namespace]{Exchange: a.ExchangeID}, err
			}
			n := resource.Namespace{Name: name, Names: resource.NumberOf(int64(len(a.Value))), First: a.Value[:min(firstNames, len(a.Value))]}
			n.Names.AtLeast = hasMore(ctx, c, name, len(a.Value))
			return listing.Row[resource.Namespace]{Of: n, Raw: a.Raw, Exchange: a.ExchangeID}, nil
		},
	}
}

// hasMore reports whether there may be names after the first page. One that is not full
// need not be the last: names that were revoked are left out.
func hasMore(ctx context.Context, c *apiclient.Client, namespace string, first int) bool {
	if first >= fullPage {
		return true
	}
	_, err := c.Names(ctx, namespace, apiclient.NamesQuery{Page: 2})
	return apiclient.KindOf(err) != apiclient.InvalidInput
}
