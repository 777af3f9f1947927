package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// callsMade returns how the list of what a transaction called is made. One of a live chain is run again for it.
func callsMade(c *apiclient.Client, mock bool, r *replays) listing.Of[resource.Traced] {
	live := func() bool { return !mock && r.on != nil && !c.About().Mock }
	return listing.Of[resource.Traced]{
		Kind: resource.TracedCalls(), Ops: []string{"trace a transaction"},
		Title: func(p nav.Place) string { return "Calls of " + text.Middle(p.TxID, 18) },
		ID:    resource.Traced.ID,
		IDOf:  func(nav.Place) string { return "" },
		Pace:  func(nav.Place) listing.Pace { return listing.WithChains },
		// What ran changes with the chain alone.
		Settled: func(resource.Traced) bool { return true },
		Enter:   resource.Traced.Source, EnterLabel: "the source", Progress: r.far.words,
		Scope: "transactions", Keys: []listing.Key[resource.Traced]{{
			Binding: r.key, Named: func(of *resource.Traced) bool { return of == nil && live() },
			At: func(at nav.Place) tea.Cmd {
				if !live() {
					return nil
				}
				return r.cost(at.TxID, 0)
			},
		}},
		Page: func(ctx context.Context, of nav.Place, _ string) (page listing.Page[resource.Traced], err error) {
			var a apiclient.Answer[apiclient.Trace]
			if live() {
				a, err = r.trace(ctx, of.TxID)
			} else {
				a, err = c.Trace(ctx, of.TxID)
			}
			page.Raw = a.Raw
			page.Note, page.Warn = resource.ReplayWords(&a.Value)
			for i := range a.Value.Root {
				for _, t := range resource.TraceRows(&a.Value.Root[i]) {
					t.Of = &a.Value
					page.Rows = append(page.Rows, listing.Row[resource.Traced]{Of: t, Raw: a.Raw, Exchange: a.ExchangeID})
				}
			}
			page.Total = int64(len(page.Rows))
			return page, err
		},
	}
}

// mayHaveCalled reports whether a transaction in a block may have called something.
func mayHaveCalled(t *resource.Transaction) bool {
	return t != nil && t.Transaction != nil && t.Mined() && (t.ContractCall != nil || t.SmartContract != nil)
}
