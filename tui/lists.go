package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
)

// Lists are the places that are a list of one kind of thing, and the commands that print
// them.
func Lists() []List {
	return []List{
		newList("List the namespaces, or show one", namespaces),
	}
}

// List is such a place.
type List struct {
	Kind nav.Kind
	// Help is what the help of the command says it does, Thing what one is called.
	Help, Thing string
	// Columns are the names of its columns.
	Columns []string
	// Read reads the list, as far as a filter lets its rows through; One reads one thing.
	Read func(ctx context.Context, c *apiclient.Client, filter string) (resource.Sheet, error)
	One  func(ctx context.Context, c *apiclient.Client, id string) (resource.Sheet, error)

	tab func(*Model) tab
}

func newList[T any](help string, of func(*apiclient.Client) listing.Of[T]) List {
	kind := of(nil).Kind
	return List{
		Kind: of(nil).List, Help: help, Thing: kind.Name, Columns: kind.Files(),
		Read: func(ctx context.Context, c *apiclient.Client, filter string) (resource.Sheet, error) {
			return of(c).Sheet(ctx, filter)
		},
		One: func(ctx context.Context, c *apiclient.Client, id string) (resource.Sheet, error) {
			one, err := of(c).One(ctx, id)
			sheet := kind.Sheet([]T{one.Of})
			sheet.Raw, sheet.Fields = one.Raw, kind.Fields(one.Of)
			return sheet, err
		},
		tab: func(m *Model) tab {
			place := listing.New(m.env, m.theme, of(m.options.Client))
			return tab{of(nil).List, place.Title(), "", place}
		},
	}
}
