package outcome

import (
	"fmt"
	"math/big"
)

// Waits holds what is known of why a transaction waits for a block.
type Waits struct {
	Nonce uint64 // of the transaction
	// Missing is the lowest nonce before it that no transaction has, nil for none; Of is the
	// account.
	Missing *uint64
	Of      string
	// Executed is the last nonce of the account that is in a block, nil where it is not known.
	// Next is the one to sign with now, where the transaction's own was used already.
	Executed *uint64
	Next     uint64
	// Unread names what of a live chain could not be read when it was its turn, "" for nothing.
	Unread string
	// Held says that the chain takes nothing into a block before it is mined by hand.
	Held bool
	// Fee holds what it pays, Least the least that transactions of its kind paid in recent
	// blocks, in micro-STX; 0 where it is not known.
	Fee, Least uint64
}

// pending explains a transaction that waits.
func (e Ended) pending(w *Why) {
	of := e.Waits
	w.Sentence = "It waits for a block."
	switch {
	case of == nil: // whether it can be in a block depends on nonces, which were not read
		w.Sentence = "It is in the mempool."
	case of.Executed != nil && *of.Executed >= of.Nonce:
		w.Sentence = fmt.Sprintf("It can never be in a block: its nonce %d was used already, the last one of %s in a block is %d.", of.Nonce, of.Of, *of.Executed)
		w.Fix = fmt.Sprintf("nothing, if the transaction with nonce %d did what was wanted; if not, sign it again with nonce %d", of.Nonce, max(of.Next, *of.Executed+1))
	case of.Missing != nil:
		w.Sentence = fmt.Sprintf("It waits for nonce %d of %s, which no transaction has; its own is %d.", *of.Missing, of.Of, of.Nonce)
		w.Fix = fmt.Sprintf("send a transaction with nonce %d", *of.Missing)
	case of.Unread != "":
		w.Sentence = "It waits: what it does is not known; " + of.Unread + "."
		w.Fix = "nothing, if the live chain answers again: the next block decides it; else drop it"
	case of.Held:
		w.Sentence = "It waits: the mempool is on hold, and nothing goes into a block."
		w.Fix = "release the mempool"
	case of.Fee < of.Least:
		w.Sentence = fmt.Sprintf("It waits for a block and pays %s; transactions of its kind in recent blocks paid at least %s.", MicroSTX(of.Fee), MicroSTX(of.Least))
		w.Certainty = likely
		w.Fix = fmt.Sprintf("send it again with the same nonce %d and a higher fee", of.Nonce)
	}
}

// MicroSTX writes micro-STX as STX.
func MicroSTX(micro uint64) string { return units(new(big.Int).SetUint64(micro), stxDecimals) + " STX" }
