package chain

import (
	"testing"
	"time"
)

// The clock of a young chain is the one that the virtual machine of contracts has: blocks
// each ten seconds, and with the sixty-first one a burn block, of the time of the sixtieth.
func TestANewChainHasAnEvenClock(t *testing.T) {
	born := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := mustNew(t, Params{Seed: 7, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Born: born.UnixMilli()})
	for h := int64(1); h <= 5_000; h++ {
		at := born.Add(time.Duration(h) * 10 * time.Second)
		v := c.View(at.UnixMilli(), RateHealthy, NewHistory())
		b, ok := v.Block(h)
		burn := (h-1)/60 + 1
		if v.Tip() != h || !ok || b.TimeMS != at.UnixMilli() || b.BurnHeight != burn || b.Tenure != burn {
			t.Fatalf("height %d: tip %d, %+v", h, v.Tip(), b)
		}
		if want := born.Add(time.Duration(burn-1) * 10 * time.Minute).Unix(); b.BurnTimeMS/1000 != want {
			t.Fatalf("height %d: burn time %d, want %d", h, b.BurnTimeMS/1000, want)
		}
		if got, next := c.Tenure(h); got != burn || next != burn*60+1 || c.BeginsTenure(h) != (h%60 == 1) {
			t.Fatalf("height %d: tenure %d to %d", h, got, next)
		}
		if before := c.View(at.UnixMilli()-1, RateHealthy, NewHistory()); h > 1 && before.Tip() != h-1 {
			t.Fatalf("height %d: the tip a moment before is %d", h, before.Tip())
		}
	}
	if !c.FirstBlock().Equal(born.Add(10 * time.Second)) {
		t.Errorf("the first block is of %v", c.FirstBlock())
	}
	other := mustNew(t, Params{Seed: 7, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Born: born.UnixMilli() + 1000})
	at := born.Add(time.Hour).UnixMilli()
	v, w := c.View(at, RateHealthy, NewHistory()), other.View(at, RateHealthy, NewHistory())
	if v.TipIndex() == w.TipIndex() {
		t.Error("chains that are born at other times have the same hashes")
	}
}
