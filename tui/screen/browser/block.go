package browser

import (
	"slices"

	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// Block returns the subject of a block. The first thing that is copied of it is its hash.
func (f *Frame) Block(kind resource.Kind[resource.Block], of *chain.Block) screen.Subject {
	b := of.Listed()
	sub := screen.Subject{Title: "Block " + text.Count(b.Height), Raw: of.Raw, ExchangeID: of.Exchange, At: nav.BlockByIndexHash(b.IndexBlockHash), Copies: Copies(kind.Fields(b))}
	if i := slices.IndexFunc(sub.Copies, func(c screen.Copy) bool { return c.Text == b.Hash }); i > 0 {
		first := sub.Copies[i]
		sub.Copies = slices.Insert(slices.Delete(sub.Copies, i, i+1), 0, first)
	}
	if b.Hash != "" {
		sub.Web = f.Env.WebPage("/block/" + b.Hash)
	}
	return f.WithField(sub)
}

// GoTransactions goes to the transactions of a block: by its height, or by its hash where
// another block is at that height.
func (f *Frame) GoTransactions(b resource.Block) tea.Cmd {
	if b.Orphaned {
		return f.Env.Visit(nav.TransactionsIn(nav.Ref{By: nav.ByIndexHash, Hash: b.IndexBlockHash}))
	}
	return f.Env.Visit(nav.TransactionsIn(nav.Ref{By: nav.ByHeight, Height: b.Height}))
}
