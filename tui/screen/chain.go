package screen

import (
	"encoding/json"

	"chainscope/apiclient"

	tea "github.com/charmbracelet/bubbletea"
)

// ChainChanged says that the chain is another one from a height on: blocks were replaced
// or taken back, or another server answers. Every place hears of it and forgets what it
// holds of such blocks.
type ChainChanged struct {
	From int64
	// Burn is the height of the first burn block that may have changed.
	Burn int64
	// Newest is the index block hash of the newest block by which it was noticed, "" for
	// none: who holds that one has noticed too.
	Newest string
}

// SayChainChanged tells every place.
func SayChainChanged(c ChainChanged) tea.Cmd { return func() tea.Msg { return c } }

// NewestBlocks are the newest blocks, the highest first, as a place has read them. Places
// that show them too need not ask for them, or cannot.
type NewestBlocks struct {
	Blocks []apiclient.Block
	Raw    json.RawMessage // of the first, as the server sent it
}

// HandOn passes the newest blocks on to the other places.
func HandOn(blocks []apiclient.Block, raw json.RawMessage) tea.Cmd {
	return func() tea.Msg { return NewestBlocks{blocks, raw} }
}

// SeenBlock holds what tells blocks apart.
type SeenBlock struct {
	Height   int64
	ID, Hash string // the index block hash, and the block hash
	Parent   string // the hash of the block before, "" where it is not known
}

// Compared holds what a page of the newest blocks says of what was loaded before.
type Compared struct {
	// Shorter reports that the chain ends below what was its newest block.
	Shorter bool
	// Other reports that the chain is another one as far as is known, and Apart that the
	// page does not reach down to what was loaded: nothing of that is known to be of this
	// chain.
	Other, Apart bool
	// From is the lowest height that is known to have changed, when Changed.
	From    int64
	Changed bool
}

// CompareChain compares the first page of a list of blocks, the highest first, with what
// was loaded before: its newest height, and the block at a height. A single block says
// nothing of those below it, since two may have been mined at the tip. Where the chain may
// not go back, a page that is only shorter comes from a server that lags behind.
func CompareChain(page []SeenBlock, newest int64, mayGoBack bool, at func(height int64) (SeenBlock, bool)) Compared {
	if len(page) == 0 {
		return Compared{}
	}
	c := Compared{Shorter: page[0].Height < newest}
	agrees, differs := false, false
	for _, b := range page {
		old, loaded := at(b.Height)
		switch {
		case !loaded:
		case old.ID == b.ID:
			agrees = true
		default:
			differs = true
			c.From, c.Changed = b.Height, true
		}
	}
	lowest := page[len(page)-1]
	if below, loaded := at(lowest.Height - 1); loaded && lowest.Parent != "" {
		if below.Hash == lowest.Parent {
			agrees = true
		} else {
			differs = true
			c.From, c.Changed = below.Height, true
		}
	}
	if agrees && !differs && !mayGoBack {
		return Compared{}
	}
	if c.Shorter && !c.Changed {
		c.From, c.Changed = page[0].Height+1, true
	}
	c.Other = !agrees && (c.Shorter || differs && len(page) > 1)
	c.Apart = !agrees && !differs && !c.Shorter
	if c.Other {
		c.From, c.Changed = 0, true
	}
	return c
}
