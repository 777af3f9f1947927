package chain

import (
	"testing"
	"time"
)

var testBase = Base{
	Height: 8_700_000, BurnHeight: 961_000, Tenure: 240_000, TimeMS: 1_766_000_000_000, BurnTimeMS: 1_765_999_000_000,
	Hash: Hash{0, 0, 0, 1}, Index: Hash{0, 0, 0, 2}, BurnHash: Hash{0, 0, 0, 3},
}

func forkedChain(t *testing.T, born time.Time) *Chain {
	t.Helper()
	return mustNew(t, Params{Seed: 7, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Born: born.UnixMilli(), Base: testBase})
}

// An own chain begins with the block that it is forked at as its tip, and goes on from its heights, hashes
// and tenure.
func TestAForkedChainGoesOnFromItsBase(t *testing.T) {
	born := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := forkedChain(t, born)
	v := c.View(born.UnixMilli(), RateReorg, NewHistory())
	if tip, _ := v.Known(v.Tip()); v.Tip() != testBase.Height || tip.Hash != testBase.Hash || tip.Index != testBase.Index || tip.TimeMS != testBase.TimeMS {
		t.Fatalf("at its birth: height %d, %+v", v.Tip(), tip)
	}
	if v.TipIndex() != testBase.Index || v.TipBurnHeight() != 961_000 || v.NewestBurnHeight() != 961_000 || v.All().Len() != 0 {
		t.Errorf("at its birth: index %v, burn %d and %d, %d own blocks", v.TipIndex(), v.TipBurnHeight(), v.NewestBurnHeight(), v.All().Len())
	}
	if _, ok := v.Block(testBase.Height); ok {
		t.Error("the base is one of the chain's own blocks")
	}
	if before := c.View(born.Add(-time.Hour).UnixMilli(), RateHealthy, NewHistory()); before.Tip() != testBase.Height {
		t.Errorf("before its birth the tip is %d", before.Tip())
	}
	for n := int64(1); n <= 500; n++ {
		h, at := testBase.Height+n, born.Add(time.Duration(n)*10*time.Second)
		v := c.View(at.UnixMilli(), RateHealthy, NewHistory())
		b, ok := v.Block(h)
		burn := (n - 1) / 60
		if v.Tip() != h || !ok || b.TimeMS != at.UnixMilli() || b.BurnHeight != 961_000+burn || b.Tenure != 240_000+burn || b.TxCount != 0 {
			t.Fatalf("height %d: tip %d, %+v", h, v.Tip(), b)
		}
		if n == 1 && (b.ParentIndex != testBase.Index || b.Parent != testBase.Hash) {
			t.Errorf("the parent of the first own block is %v %v", b.Parent, b.ParentIndex)
		}
		if burn == 0 && (b.BurnHash != testBase.BurnHash || b.BurnTimeMS != testBase.BurnTimeMS) {
			t.Errorf("height %d: burn block %v of %d", h, b.BurnHash, b.BurnTimeMS)
		}
		if got, next := c.Tenure(h); got != 961_000+burn || next != testBase.Height+1+(burn+1)*60 || c.BeginsTenure(h) != (n%60 == 1 && n > 1) {
			t.Fatalf("height %d: tenure %d to %d, begins %v", h, got, next, c.BeginsTenure(h))
		}
		if found, ok := v.BlockByHash(b.Index); !ok || found.Height != h {
			t.Fatalf("height %d is not found by its hash", h)
		}
	}
}

// A forked chain holds nothing but what is sent to it, and no burn block of before.
func TestAForkedChainInventsNothing(t *testing.T) {
	born := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := forkedChain(t, born)
	id := Hash{1, 2, 3, 4}
	v := c.View(born.Add(3*time.Hour).UnixMilli(), RateHealthy, NewHistory().Add(testBase.Height+2, id))
	for _, b := range v.Blocks(v.All()) {
		if want := 0; b.Height != testBase.Height+2 && b.TxCount != want {
			t.Fatalf("height %d has %d transactions", b.Height, b.TxCount)
		}
	}
	if p, ok := v.Place(id); !ok || p.Block.Height != testBase.Height+2 || p.Block.TxCount != 1 {
		t.Errorf("what was sent: %+v, %v", p, ok)
	}
	if _, ok := v.BurnByHeight(961_000); ok {
		t.Error("the base's burn block is an own one")
	}
	if burns := v.Burns(100, 0); len(burns) != 17 || v.FirstBurnHeight() != 961_001 {
		t.Errorf("%d own burn blocks from %d", len(burns), v.FirstBurnHeight())
	}
	if own := v.Tenure(240_000); own != (Span{testBase.Height + 1, testBase.Height + 60}) {
		t.Errorf("own blocks of the base's tenure: %v", own)
	}
	if marks := v.Landmarks(); len(marks) != 2 || marks[1].Height != testBase.Height {
		t.Errorf("landmarks: %+v", marks)
	}
	other := testBase
	other.Index = Hash{9, 9, 9, 9}
	d := mustNew(t, Params{Seed: 7, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Born: born.UnixMilli(), Base: other})
	if w := d.View(v.NowMS(), RateHealthy, NewHistory()); w.TipIndex() == v.TipIndex() {
		t.Error("own chains of two forks have the same hashes")
	}
}
