package tui

import (
	"context"
	"slices"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
)

// firstNames is the number of names that are shown with a namespace, fullPage the number on
// a page of the server.
const (
	firstNames = 20
	fullPage   = 100
)

// namespacesRead returns the namespaces whose names were read, on disk.
func namespacesRead(o *Options) recently {
	return recently{o.Store, o.Network, "namespaces", 20}
}

// Namespaces returns how the place of namespaces is made.
func Namespaces(o *Options) listing.Of[resource.Namespace] {
	c := o.Client
	return listing.Of[resource.Namespace]{
		Kind: resource.Namespaces(), List: nav.KindNamespaces, Ops: []string{"namespaces", "names"},
		Find:  o.Mock != nil, // elsewhere it is a request
		ID:    func(n resource.Namespace) string { return n.Name },
		Enter: func(n resource.Namespace) nav.Place { return nav.Names(n.Name) }, EnterLabel: "its names",
		Known: func(listed, read resource.Namespace) resource.Namespace {
			read.Why = listed.Why
			if listed.Names.Known() && !listed.Names.AtLeast {
				read.Names = listed.Names
			}
			return read
		},
		Page: func(ctx context.Context, _ nav.Place, _ string) (listing.Page[resource.Namespace], error) {
			return pageOfNamespaces(ctx, o)
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

// pageOfNamespaces lists the namespaces of a server, and those that were read before: a server
// need not have such a list. The catalogue of a mock has the number of their names.
func pageOfNamespaces(ctx context.Context, o *Options) (listing.Page[resource.Namespace], error) {
	read := namespacesRead(o).recent()
	a, err := o.Client.Namespaces(ctx)
	if apiclient.RouteGone(err) && len(read) > 0 {
		err = nil
	}
	var counts map[string]int64
	if o.Mock != nil && err == nil {
		counts, _ = namespaceCounts(ctx, o) // the list is whole without them
	}
	all := slices.Clone(a.Value)
	for _, name := range read {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	page := listing.Page[resource.Namespace]{Total: int64(len(all)), Raw: a.Raw}
	for _, name := range all {
		n := resource.Namespace{Name: name}
		if count, counted := counts[name]; counted {
			n.Names = resource.NumberOf(count)
		}
		if slices.Contains(read, name) {
			n.Why = "read before"
		}
		page.Rows = append(page.Rows, listing.Row[resource.Namespace]{Of: n, Raw: a.Raw, Exchange: a.ExchangeID})
	}
	return page, err
}

// namespaceCounts returns how many names the namespaces of a mock have, by its catalogue.
func namespaceCounts(ctx context.Context, o *Options) (map[string]int64, error) {
	catalogue, err := o.Mock.Catalogue(ctx)
	counts := map[string]int64{}
	for _, n := range catalogue.Namespaces {
		counts[n.Name] = n.Count
	}
	return counts, err
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
