package chain

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestReorgsReplaceOnlyTheTopAndSettle(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		for _, rate := range []Rate{RateReorg, RateHealthy} {
			now := c.blockTime(AnchorHeight + r.Int64N(100_000))
			if r.IntN(2) == 0 {
				now = c.blockTime(olderTenures - 20)
			}
			before := c.view(now, rate)
			deepest, replaced := int64(0), 0
			for range 3_000 {
				now += 1 + r.Int64N(c.step/3)
				v := c.view(now, rate)
				if v.tip < before.tip {
					t.Fatalf("the tip falls from %d to %d", before.tip, v.tip)
				}
				depth := int64(0)
				for h := before.tip; h > before.tip-20; h-- {
					was, is := before.fork(h), v.fork(h)
					if is&^was != 0 {
						t.Fatalf("height %d goes from fork %d to %d", h, was, is)
					}
					if was != is {
						if depth != before.tip-h {
							t.Fatalf("height %d is replaced, one above is not", h)
						}
						depth++
					}
				}
				if v.tip > before.tip && v.fork(before.tip)&ForkReplaced != 0 {
					t.Fatalf("tip %d does not settle before the next block", before.tip)
				}
				if depth > 0 {
					replaced++
				}
				deepest = max(deepest, depth)
				before = v
			}
			if replaced == 0 || deepest > 13 {
				t.Fatalf("rate %d: %d replacements, the deepest of %d", rate, replaced, deepest)
			}
		}
	})
}

func TestSwitchingTheScenarioLeavesSettledBlocks(t *testing.T) {
	c := mustNew(t, paces[0])
	a, b := c.view(anchorMS, RateHealthy), c.view(anchorMS, RateReorg)
	if !same(a.Blocks(a.All().Page(30, 300)), b.Blocks(b.All().Page(30, 300))) {
		t.Error("old blocks differ between two rates")
	}
}

func TestGenesisIsAtBurnHeightZero(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.view(anchorMS, RateHealthy)
	burn, ok := v.BurnByHeight(0)
	if !ok {
		t.Fatal("burn height 0 is not known")
	}
	b := v.Best(&burn)
	if b.Canonical || b.Height != 0 || b.Hash.String() != "0x"+strings.Repeat("0", 64) || b.Parent.String() != "0x"+strings.Repeat("f", 64) ||
		b.TimeMS != 0 || b.BurnHeight != 0 || b.TxCount != 0 {
		t.Errorf("genesis is %+v", b)
	}
	first, _ := v.Block(1)
	if first.Parent != b.Hash || first.ParentIndex != b.Index {
		t.Errorf("block 1 follows %s, genesis is %s", first.Parent, b.Hash)
	}
	if byHash, ok := v.BurnByHash(b.BurnHash); !ok || v.Best(&byHash).Index != b.Index {
		t.Error("genesis is not found by its burn hash")
	}
	if _, ok := v.BurnByHash(Hash{}); ok {
		t.Error("the zero hash is a burn block")
	}
}

func TestLandmarksAreHeightsOfTheView(t *testing.T) {
	c := mustNew(t, paces[0])
	for _, h := range []int64{1, 2, 30, olderTenures - 1, olderTenures + 1, olderTenures + 500, AnchorHeight} {
		v := c.view(c.blockTime(h), RateReorg)
		all := v.Landmarks()
		if all[len(all)-1].What != "genesis" || all[0].Height > h {
			t.Fatalf("at %d: %+v", h, all)
		}
		for i, l := range all {
			if l.Height < 0 || l.Height > h || (i > 0 && l.BurnHeight > all[i-1].BurnHeight) {
				t.Errorf("at %d: landmark %+v", h, l)
			}
			burn, known := v.BurnByHeight(l.BurnHeight)
			if known == (l.What == "void") {
				t.Errorf("at %d: landmark %+v, known %v", h, l, known)
			}
			if l.What == "tip" && burn.Last != h {
				t.Errorf("at %d: landmark %+v", h, l)
			}
		}
	}
}
