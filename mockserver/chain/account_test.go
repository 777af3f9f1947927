package chain

import "testing"

// Who takes part in a transaction of the chain leads back to it, whether it is of an anchored
// block or of a microblock, and nobody else does.
func TestAnAccountLeadsToItsTransaction(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.View(anchorMS, RateHealthy, untouched)
	seen := map[[20]byte]bool{}
	for _, first := range []int64{70_000, olderTenures - 10, AnchorHeight - 20} {
		for h := first; h < first+21; h++ {
			b, _ := v.Block(h)
			for _, id := range v.TxIDs(&b) {
				for n := range MaxAccounts {
					account := c.Account(id, n)
					if found, height, ok := c.TxOf(account); seen[account] || !ok || found != id || height != h {
						t.Fatalf("account %d of %s: %s of block %d, %v, want block %d", n, id, found, height, ok, h)
					}
					seen[account] = true
					account[3]++
					if found, _, ok := c.TxOf(account); ok {
						t.Fatalf("a stranger leads to %s", found)
					}
				}
			}
		}
	}
	if len(seen) < 500 {
		t.Errorf("only %d accounts were tried", len(seen))
	}
	b, _ := v.Block(AnchorHeight)
	raw, account := b.Hash.Bytes(), [20]byte{}
	copy(account[:], raw[12:])
	if id, _, ok := c.TxOf(account); ok {
		t.Errorf("a block leads to %s", id)
	}
}
