package screen

import (
	"chainscope/tui/chain"

	tea "github.com/charmbracelet/bubbletea"
)

// ChainChanged says that the chain is another one from a height on: blocks were replaced
// or rolled back, or another server answers. Every place receives it and forgets what it
// holds of such blocks.
type ChainChanged struct {
	From int64
	// Burn is the height of the first burn block that may have changed.
	Burn int64
	// Newest is the index block hash of the newest block by which it was noticed, "" for
	// none: who holds that one has noticed too.
	Newest string
}

// NotifyChange reports to every place how a page has changed a chain; nil where it has not.
func NotifyChange(c *chain.Chain, change chain.Change) tea.Cmd {
	if !change.Changed {
		return nil
	}
	said := ChainChanged{From: change.From, Newest: c.Newest().IndexBlockHash}
	if before := c.At(change.From - 1); before != nil {
		said.Burn = before.BurnBlockHeight
	}
	return func() tea.Msg { return said }
}

// NewestBlocks are the newest blocks, the highest first, as a place has read them. Places
// that show them too need not request them, or cannot.
type NewestBlocks []*chain.Block

// PublishBlocks passes the newest blocks on to the other places.
func PublishBlocks(blocks []*chain.Block) tea.Cmd {
	return func() tea.Msg { return NewestBlocks(blocks) }
}
