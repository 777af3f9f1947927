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
		newList("Show who owns a name, and until when", registeredNames).ofOne(),
		newList("List the signers with whom accounts stake, or show one", signers),
		newList("List the protocol bonds, or show one", bonds),
	}
}

// List is such a place.
type List struct {
	Kind nav.Kind
	// Help is what the help of the command says it does, Thing what one is called.
	Help, Thing string
	// OneOnly says that the command prints one thing: the list is of this program's own.
	OneOnly bool
	// Columns are the names of its columns.
	Columns []string
	// Read reads the list, as far as a filter lets its rows through; One reads one thing.
	Read func(ctx context.Context, c *apiclient.Client, filter string) (resource.Sheet, error)
	One  func(ctx context.Context, c *apiclient.Client, id string) (resource.Sheet, error)

	tab func(*Model) tab
}

func (l List) ofOne() List {
	l.OneOnly = true
	return l
}

func newList[T any](help string, of func(*Options) listing.Of[T]) List {
	described := of(&Options{})
	kind := described.Kind
	return List{
		Kind: described.List, Help: help, Thing: kind.Name, Columns: kind.Files(),
		Read: func(ctx context.Context, c *apiclient.Client, filter string) (resource.Sheet, error) {
			return of(&Options{Client: c}).Sheet(ctx, filter)
		},
		One: func(ctx context.Context, c *apiclient.Client, id string) (resource.Sheet, error) {
			one, err := of(&Options{Client: c}).One(ctx, id)
			sheet := kind.Sheet([]T{one.Of})
			sheet.Raw, sheet.Fields = one.Raw, kind.Fields(one.Of)
			return sheet, err
		},
		tab: func(m *Model) tab {
			place := listing.New(m.env, m.theme, of(&m.options))
			return tab{described.List, place.Title(), "", place}
		},
	}
}
