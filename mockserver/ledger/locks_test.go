package ledger

import (
	"math"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// A pool locks of several accounts at once; a block that is rolled back takes back what it locked.
func TestWhatATransactionLocksGoesWithItsBlock(t *testing.T) {
	alice, bob, carol := signerOf("alice"), signerOf("bob").principal(), signerOf("carol").principal()
	n := newNode()
	amounts := []uint64{5, 7}
	n.outcome = func(l *Ledger, _ *Tx) Effect {
		by := uint64(l.Height()) * 10
		return Effect{Locks: []Lock{{amounts[0] + by, 100, bob, "pox-4"}, {amounts[1] + by, 100, carol, "pox-4"}, {amounts[1] + by + 1, 100, carol, "pox-4"}}}
	}
	call := stxtx.ContractCall{Contract: clarity.Principal{Address: bob.Address, Contract: "pool"}, Function: "lock"}
	locked := func(of clarity.Principal, want uint64) {
		t.Helper()
		if lock, tx, ok := n.LockOf(of, math.MaxInt64); ok != (want > 0) || lock.Amount != want || ok && len(tx.Locks) != 3 {
			t.Errorf("%v has %+v, want %d", of, lock, want)
		}
	}
	locked(bob, 0)
	for i, wants := range [][2]uint64{{15, 18}, {25, 28}} {
		n.mustSend(t, alice.signed(t, uint64(i), 3_000, call))
		n.mine()
		locked(bob, wants[0])
		locked(carol, wants[1])
	}
	n.reorg(1)
	locked(bob, 15)
	locked(carol, 18)
	n.reorg(2)
	locked(bob, 0)
	locked(carol, 0)
}
