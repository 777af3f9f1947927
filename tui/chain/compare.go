package chain

import "slices"

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

// Compare compares the first page of a list of blocks, the highest first, with what
// was loaded before: its newest height, and the block at a height. A single block says
// nothing of those below it, since two may have been mined at the tip. Where the chain may
// not go back, a page that is only shorter comes from a server that lags behind.
func Compare(page []*Block, newest int64, mayGoBack bool, at func(height int64) *Block) Compared {
	page = slices.DeleteFunc(slices.Clone(page), func(b *Block) bool { return !b.Canonical })
	if len(page) == 0 {
		return Compared{}
	}
	c := Compared{Shorter: page[0].Height < newest}
	agrees, differs := false, false
	for _, b := range page {
		old := at(b.Height)
		switch {
		case old == nil:
		case old.ID() == b.ID():
			agrees = true
		default:
			differs = true
			c.From, c.Changed = b.Height, true
		}
	}
	lowest := page[len(page)-1]
	if below := at(lowest.Height - 1); below != nil && lowest.ParentBlockHash != "" {
		if below.Hash == lowest.ParentBlockHash {
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
