package world

import (
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
)

// News is something that happened to a transaction. It is pending, mined or
// replaced as State.View and Tx say.
type News struct {
	Tx   *ledger.Tx
	Kind NewsKind
}

// NewsKind describes what happened.
type NewsKind int

// The kinds of News.
const (
	Received NewsKind = iota // it is in the mempool, for the first time or again
	Mined                    // a block has it
	Dropped                  // another took its place, or no block ever took it
)

// Since lists what happened to the transactions since an earlier state, in the order
// of what is received, mined and dropped. What was rolled back by going to an older
// state is left out.
func (s State) Since(before State) []News {
	if s.content == before.content {
		return nil
	}
	var received, mined, dropped []News
	for i := range s.ledgers {
		now, then := &s.ledgers[i], &before.ledgers[i]
		for t := range now.Mempool() {
			if old, known := then.Lookup(t.ID); !known || old.Result != nil {
				received = append(received, News{t, Received})
			}
		}
		for t := range now.Mined() {
			old, known := then.Lookup(t.ID)
			if known && old.Result != nil {
				break // and so are all that came before it
			}
			if !known {
				received = append(received, News{t, Received})
			}
			mined = append(mined, News{t, Mined})
		}
		for t := range then.Mempool() {
			if gone, known := now.Lookup(t.ID); known && gone.Dropped != "" {
				dropped = append(dropped, News{gone, Dropped})
			}
		}
	}
	slices.Reverse(mined) // the oldest first
	return slices.Concat(received, mined, dropped)
}

// NewBlocks returns the heights of the blocks that this state has and an earlier one
// had not. Those up to the earlier tip have replaced others.
func (s State) NewBlocks(before State) chain.Span {
	return chain.Span{First: s.View.Common(&before.View) + 1, Last: s.View.Tip()}
}
