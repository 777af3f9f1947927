package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// Calls returns how the list of what a transaction called is made.
func Calls(c *apiclient.Client) listing.Of[resource.Traced] {
	return listing.Of[resource.Traced]{
		Kind: resource.TracedCalls(), Ops: []string{"trace a transaction"},
		Title: func(p nav.Place) string { return "Calls of " + text.Middle(p.TxID, 18) },
		ID:    resource.Traced.ID,
		IDOf:  func(nav.Place) string { return "" },
		Pace:  func(nav.Place) listing.Pace { return listing.WithChains },
		// What ran changes with the chain alone.
		Settled: func(resource.Traced) bool { return true },
		Enter:   resource.Traced.Source, EnterLabel: "the source",
		Page: func(ctx context.Context, of nav.Place, _ string) (page listing.Page[resource.Traced], err error) {
			a, err := c.Trace(ctx, of.TxID)
			page.Raw = a.Raw
			for i := range a.Value.Root {
				for _, t := range resource.TraceRows(&a.Value.Root[i]) {
					page.Rows = append(page.Rows, listing.Row[resource.Traced]{Of: t, Raw: a.Raw, Exchange: a.ExchangeID})
				}
			}
			page.Total = int64(len(page.Rows))
			return page, err
		},
	}
}

// showCalls returns what the key does that leads to what a transaction called: only a mock can know that.
func showCalls(mock bool) func(*resource.Transaction) tea.Cmd {
	return func(t *resource.Transaction) tea.Cmd {
		switch {
		case t == nil || t.Transaction == nil:
			return nil
		case !mock:
			return screen.Notice(apiclient.ErrNoTraces.Error())
		}
		return screen.Go(nav.Trace(t.ID))
	}
}

// mayHaveCalled reports whether a transaction in a block may have called something.
func mayHaveCalled(t *resource.Transaction) bool {
	return t != nil && t.Transaction != nil && t.Mined() && (t.ContractCall != nil || t.SmartContract != nil)
}
