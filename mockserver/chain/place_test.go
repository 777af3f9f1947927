package chain

import "testing"

// Of blocks of both eras, with microblocks and with transactions that were sent, each
// transaction is where the record lists it, and the tenures begin as their era has
// it.
func TestATransactionIsWhereTheRecordListsIt(t *testing.T) {
	c := mustNew(t, paces[0])
	history := untouched.Add(AnchorHeight, hash(1)).Add(AnchorHeight, hash(2))
	v := c.View(anchorMS, RateHealthy, history)
	streams := 0
	for _, first := range []int64{1, 70_000, olderTenures - 150, olderTenures + 1, AnchorHeight - 150} {
		for h := first; h < first+151 && h <= v.tip; h++ {
			b, ok := v.Block(h)
			if !ok {
				t.Fatal(h)
			}
			before, _ := v.Block(h - 1)
			ids, own := v.TxIDs(&b), 0
			if b.accepted > 1 {
				streams++
			}
			for at := range ids {
				id := ids[len(ids)-1-at]
				p, ok := v.Place(id)
				if !ok || p.Index != at || p.Block.Hash != b.Hash || p.Own >= 0 && p.Microblock != (Hash{}) {
					t.Fatalf("block %d, transaction %d: %v %+v", h, at, ok, p)
				}
				change, coinbase := p.Begins(&v)
				begins := h > olderTenures && before.BurnHash != b.BurnHash
				if change != (begins && p.Own == 0) || coinbase != (begins && p.Own == 1 || h <= olderTenures && p.Own == 0) {
					t.Fatalf("block %d, transaction %d: change %v, coinbase %v", h, p.Own, change, coinbase)
				}
				if p.Own >= 0 {
					own++
				}
			}
			if own != b.own {
				t.Fatalf("block %d has %d transactions of its own, not %d", h, b.own, own)
			}
		}
	}
	if streams == 0 {
		t.Error("no block took several microblocks")
	}
}

func TestWhatNoBlockHasHasNoPlace(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.view(anchorMS, RateHealthy)
	b, _ := v.Block(v.tip)
	for name, r := range map[string]ref{
		"one more than a block has":     {kind: kindTx, n: v.tip, sub: uint16(b.own)},
		"a block to come":               {kind: kindTx, n: v.tip + 1},
		"no block":                      {kind: kindTx},
		"a block":                       {kind: kindBlock, n: v.tip},
		"a lost fork, which has others": {kind: kindTx, fork: ForkLost, n: v.tip},
		"a microblock of the newer era": {kind: kindMicroTx, n: v.tip - 1},
		"one more than a microblock":    {kind: kindMicroTx, n: 5, sub: 255},
		"a microblock too many":         {kind: kindMicroTx, n: 5, sub: 9 << 8},
		"an orphan to come":             {kind: kindTx, fork: ForkOrphan, n: v.burn + 1},
	} {
		if p, ok := v.Place(c.hashRef(r)); ok {
			t.Errorf("%s has a place: %+v", name, p)
		}
	}
	if _, ok := v.Place(hash(9)); ok {
		t.Error("a hash of nothing has a place")
	}
}
