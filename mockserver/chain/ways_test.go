package chain

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
)

func TestEveryWayToABlockAgrees(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		views := 12
		if os.Getenv("CHAINSCOPE_LONG") != "" {
			views = 60
		}
		for i := range views {
			// The future must come after the past, at the change of era too.
			at := c.blockTime(13 + r.Int64N(1_200_000))
			if i%4 == 0 {
				at = c.blockTime(olderTenures + r.Int64N(40) - 10)
			}
			at += r.Int64N(c.step)
			v := c.view(at, []Rate{RateReorg, RateReorg, RateReorg, RateHealthy}[i%4])
			checkView(t, &v)
		}
	})
}

// checkView finds the newest blocks of a view in every way.
func checkView(t testing.TB, v *View) {
	t.Helper()
	blocks := v.Blocks(v.All().Page(13, 0))
	if blocks[0].Height != v.Tip() || blocks[0].Index != v.TipIndex() || len(blocks) != 13 {
		t.Fatalf("first %d, tip %d", blocks[0].Height, v.Tip())
	}
	for i := range blocks[:12] {
		b, parent := &blocks[i], &blocks[i+1]
		if !b.Canonical || b.Parent != parent.Hash || b.ParentIndex != parent.Index || b.Height != parent.Height+1 || b.TimeMS < parent.TimeMS ||
			b.BurnTimeMS > b.TimeMS || b.TimeMS > v.NowMS() {
			t.Fatalf("block %+v does not follow %+v", b, parent)
		}
		same := b.BurnHeight == parent.BurnHeight
		if same != (b.BurnHash == parent.BurnHash) || same != (b.Miner == parent.Miner) ||
			(b.Tenure == parent.Tenure) != same || (!same && b.Tenure != parent.Tenure+1) {
			t.Fatalf("burn block, miner and tenure do not change together: %+v %+v", b, parent)
		}
		checkMicroblocks(t, v, b, parent)
		if b.Cost.ReadCount >= costLimit.ReadCount || b.Cost.ReadLength >= costLimit.ReadLength || b.Cost.Runtime >= costLimit.Runtime ||
			b.Cost.WriteCount >= costLimit.WriteCount || b.Cost.WriteLength >= costLimit.WriteLength {
			t.Fatalf("costs over the limit: %+v", b)
		}

		burn, ok := v.BurnByHeight(b.BurnHeight)
		if !ok {
			t.Fatalf("burn block %d is not found", b.BurnHeight)
		}
		if byHash, ok := v.BurnByHash(b.BurnHash); !ok || byHash != burn {
			t.Fatalf("burn block %d by height %+v, by hash %+v", b.BurnHeight, burn, byHash)
		}
		if list := v.Blocks(burn.Page(1, burn.Last-b.Height)); len(list) != 1 || !reflect.DeepEqual(list[0], *b) {
			t.Fatalf("the burn block lists %+v, the chain %+v", list, b)
		}
		if best := v.Best(&burn); best.Height != burn.Last {
			t.Fatalf("%d is the best of its burn block, the newest is %d", best.Height, burn.Last)
		} else if at := v.Tip() - best.Height; at < 13 && !reflect.DeepEqual(best, blocks[at]) {
			t.Fatalf("the best of the burn block is %+v, the list has %+v", best, blocks[at])
		}
		if got, ok := v.BlockByHash(b.Index); !ok || got.Height != b.Height {
			t.Fatalf("index block hash of %d gives %d, %v", b.Height, got.Height, ok)
		}
	}
	// Nothing of the future is known.
	next := v.TipBurnHeight() - v.c.base
	for n, j := 0, next+1; n < 4; n, j = n+1, j+1 {
		if j <= v.c.burnAt(v.now) {
			continue
		}
		if _, ok := v.BurnByHeight(j + v.c.base); ok {
			t.Fatalf("burn block %d is to come, and is known", j)
		}
		for f := Fork(0); f < 2; f++ {
			if _, ok := v.BurnByHash(v.c.burnHash(j, f)); ok {
				t.Fatalf("burn hash of %d is to come, and is known", j)
			}
		}
	}
	if v.lost {
		if _, ok := v.BurnByHash(v.c.burnHash(v.burn, 0)); ok {
			t.Fatal("the burn block that will replace the newest is known already")
		}
	}
	if _, streamed := v.Microblocks(&blocks[0]); len(streamed) > 0 {
		t.Fatal("microblocks are accepted before there is a block to accept them")
	}
	if latest, _ := v.BurnByHeight(v.TipBurnHeight()); latest.Last != v.Tip() {
		t.Fatalf("latest ends at %d", latest.Last)
	}
	checkBurns(t, v)
}

// checkMicroblocks holds the microblocks of a block against those of its parent.
func checkMicroblocks(t testing.TB, v *View, b, parent *Block) {
	t.Helper()
	accepted, _ := v.Microblocks(b)
	if _, streamed := v.Microblocks(parent); !slices.Equal(accepted, streamed) {
		t.Fatalf("microblocks of %+v are not those of %+v", b, parent)
	}
	inMicro := 0
	for _, m := range accepted {
		inMicro += m.Txs
	}
	if len(v.TxIDs(b)) != b.TxCount || inMicro >= b.TxCount {
		t.Fatalf("%d transactions, %d of them in %d microblocks", b.TxCount, inMicro, len(accepted))
	}
	if b.Height > olderTenures+1 && len(accepted) > 0 {
		t.Fatal("a microblock in the newer era")
	}
}

// checkBurns looks at the newest burn blocks, those without a tenure and those
// replaced among them.
func checkBurns(t testing.TB, v *View) {
	t.Helper()
	for j := max(0, v.burn-20); j <= v.c.burnAt(v.now); j++ {
		burn, ok := v.BurnByHeight(j + v.c.base)
		if !ok {
			continue
		}
		best := v.Best(&burn)
		if best.BurnHeight != j+v.c.base {
			t.Fatalf("burn block %d gives a block of %d", j+v.c.base, best.BurnHeight)
		}
		if best.Canonical == v.c.void(j) {
			t.Fatalf("burn block %d, void %v, gives canonical %v", j, v.c.void(j), best.Canonical)
		}
		if !best.Canonical {
			checkStale(t, v, &burn, &best)
		}
		if v.c.void(j) || !v.c.loses(j, RateReorg) || (v.lost && j == v.burn) {
			continue
		}
		if v.c.lossEnd(j) <= v.c.blockTime(v.c.firstHeight(j)) {
			continue // replaced before it had a block
		}
		gone, ok := v.BurnByHash(v.c.burnHash(j, ForkLost))
		if !ok {
			t.Fatalf("replaced burn block %d is not known by its hash", j)
		}
		block := v.Best(&gone)
		if block.BurnHash != v.c.burnHash(j, ForkLost) || block.BurnHash == best.BurnHash {
			t.Fatalf("replaced burn block %d gives %+v", j, block)
		}
		checkStale(t, v, &gone, &block)
	}
}

// checkStale checks a block that is not canonical.
func checkStale(t testing.TB, v *View, burn *Burn, b *Block) {
	t.Helper()
	if b.Canonical || burn.Len() != 0 {
		t.Fatalf("block %d is canonical %v, of %d canonical ones", b.Height, b.Canonical, burn.Len())
	}
	canonical, ok := v.Block(b.Height)
	if !ok || canonical.Hash == b.Hash {
		t.Fatalf("nothing is in place of block %d", b.Height)
	}
	if b.BurnTimeMS > b.TimeMS || b.TimeMS > v.now {
		t.Fatalf("block %d at %d, burn block at %d, now %d", b.Height, b.TimeMS, b.BurnTimeMS, v.now)
	}
	if b.Fork&ForkOrphan != 0 {
		parent, ok := v.Block(b.Height - 1)
		if b.Height == 1 {
			return
		}
		if !ok || parent.Hash != b.Parent || parent.Index != b.ParentIndex || parent.Tenure+1 != b.Tenure {
			t.Fatalf("orphan %+v does not follow %+v", b, parent)
		}
	}
	if list := v.Blocks(burn.Page(20, 0)); len(list) != 0 {
		t.Fatalf("%d blocks are listed that are not canonical", len(list))
	}
}
