package tui

import (
	"context"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// seek requests what has a hash, and stays where one is until it is known.
func (n *navigator) seek(hash string) tea.Cmd {
	n.showNotice("looking for "+hash, false)
	return screen.Fetch(n.env, &n.sought, func(ctx context.Context) (nav.Place, error) {
		return PlaceOfHash(ctx, n.env.Client, hash), nil
	})
}

// found goes to what has a hash. It is no longer wanted once one has gone elsewhere.
func (n *navigator) found(msg screen.Fetched[nav.Place]) tea.Cmd {
	if !n.sought.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
		return nil
	}
	n.notice = notice{}
	arrived := n.env.Last
	cmd := n.visit(msg.Value)
	n.env.Last = arrived
	return cmd
}

// PlaceOfHash requests what has a hash, and returns its place. The search does not know burn
// blocks; where nothing has the hash, or the search fails, the place of a transaction says so.
func PlaceOfHash(ctx context.Context, c *apiclient.Client, hash string) nav.Place {
	found, err := c.Search(ctx, hash)
	switch {
	case apiclient.KindOf(err) == apiclient.NotFound:
		if a, err := c.BurnBlockBlocks(ctx, hash, apiclient.Page{}); err == nil && len(a.Value.Results) > 0 {
			return nav.BlockAtBurnHash(hash)
		}
	case found.Value.Kind == apiclient.FoundBlock:
		return nav.BlockByIndexHash(hash)
	}
	return nav.Transaction(hash)
}
