package chain

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// anchor is the instant of height 1,000,000.
var anchor = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// paces are pairs of intervals that have nothing in common.
var paces = []Params{
	{BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute},
	{BlockInterval: time.Second, BurnInterval: 10 * time.Second},
	{BlockInterval: 5 * time.Second, BurnInterval: 10 * time.Second},
	{BlockInterval: 50 * time.Millisecond, BurnInterval: time.Second},
	{BlockInterval: 7001 * time.Millisecond, BurnInterval: 61 * time.Second},
}

func mustNew(t testing.TB, p Params) *Chain {
	t.Helper()
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func eachPace(t *testing.T, f func(t *testing.T, c *Chain, r *rand.Rand)) {
	for i, p := range paces {
		t.Run(fmt.Sprintf("blocks every %s, burn blocks every %s", p.BlockInterval, p.BurnInterval), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				p.Seed = seed * 7919
				f(t, mustNew(t, p), rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
}

// heights yields random heights, and all around the change of era, the start
// and the anchor.
func heights(r *rand.Rand, n int) []int64 {
	var hs []int64
	for range n {
		hs = append(hs, 1+r.Int64N(2_000_000))
	}
	for d := int64(-500); d < 500; d++ {
		hs = append(hs, olderTenures+d, AnchorHeight+d)
	}
	for h := int64(1); h < 100; h++ {
		hs = append(hs, h)
	}
	return hs
}

func TestTimesRiseAndAreInverted(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		for _, h := range heights(r, 10_000) {
			at, next := c.blockTime(h), c.blockTime(h+1)
			if next <= at {
				t.Fatalf("height %d at %d, the next at %d", h, at, next)
			}
			if h > olderTenures && (next-at < c.step/2 || next-at > c.step+c.step/2) {
				t.Fatalf("height %d lasts %d ms, interval %d", h, next-at, c.step)
			}
			if got := c.heightAt(at); got != h {
				t.Fatalf("tip at the instant of %d is %d", h, got)
			}
			if got := c.heightAt(at - 1); got != h-1 {
				t.Fatalf("tip just before %d is %d", h, got)
			}
			j := c.burnOf(h)
			if c.void(j) || c.burnTime(j) > at || c.burnTime(c.nextTenure(j)) <= at {
				t.Fatalf("height %d at %d is not of burn block %d at %d", h, at, j, c.burnTime(j))
			}
		}
	})
}

func TestBurnBlocksRiseAndAreInverted(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		for range 5_000 {
			j := r.Int64N(300_000)
			at := c.burnTime(j)
			if c.burnTime(j+1)-at < c.step+c.step/2 {
				t.Fatalf("burn blocks %d and %d are too close", j, j+1)
			}
			if c.burnAt(at) != j || c.burnAt(at-1) != j-1 {
				t.Fatalf("burn block %d is not found by its time", j)
			}
		}
	})
}

func TestTheAnchorIsFixedAtEveryPace(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, _ *rand.Rand) {
		for n := int64(-2000); n < 2000; n++ {
			if got := c.heightAt(anchorMS + n*c.step); got != AnchorHeight+n {
				t.Fatalf("%d intervals after the anchor the tip is %d", n, got)
			}
		}
		if c.blockTime(AnchorHeight) != anchorMS {
			t.Fatal("height 1,000,000 is not at the anchor")
		}
	})
}

func TestEveryTenureHasItsRunOfBlocks(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		for _, h := range heights(r, 10_000) {
			j := c.burnOf(h)
			first, last := c.firstHeight(j), c.lastHeight(j)
			if h < first || h > last {
				t.Fatalf("height %d is not among %d to %d of its burn block", h, first, last)
			}
			if c.burnOf(first) != j || c.burnOf(last) != j || (first > 1 && c.burnOf(first-1) == j) || c.burnOf(last+1) == j {
				t.Fatalf("burn block %d does not begin at %d and end at %d", j, first, last)
			}
			if c.burnOfTenure(c.tenuresBefore(j)) != j {
				t.Fatalf("tenure of burn block %d is not inverted", j)
			}
			if c.tenuresBefore(c.burnOf(last+1)) != c.tenuresBefore(j)+1 {
				t.Fatalf("tenure height does not rise by one after burn block %d", j)
			}
			if h <= olderTenures && (first != last || c.tenuresBefore(j)+1 != h) {
				t.Fatalf("height %d of the older era is not its tenure", h)
			}
		}
	})
}

func TestSomeBurnBlocksAreVoidAndSomeShort(t *testing.T) {
	c := mustNew(t, paces[0])
	var void, one, many, longest int64
	const burns = 16_000
	for j := int64(olderBurns); j < olderBurns+burns; j++ {
		if c.void(j) {
			void++
			continue
		}
		n := c.lastHeight(j) - c.firstHeight(j) + 1
		longest = max(longest, n)
		if n == 1 {
			one++
		} else if n > 20 {
			many++
		}
	}
	if void != burns/8 || one < burns/50 || many < burns/2 || longest < 120 {
		t.Errorf("%d void, %d with one block, %d with more than 20, longest %d, of %d", void, one, many, longest, burns)
	}
}

func TestHashesAreInvertedAndForeignOnesRefused(t *testing.T) {
	c := mustNew(t, paces[0])
	other := mustNew(t, Params{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute})
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		want := ref{kind: 1 + kind(r.IntN(int(kinds)-1)), fork: Fork(r.IntN(16)), sub: uint16(r.Uint32()), n: r.Int64N(maxN + 1)}
		h := c.hashRef(want)
		if got, ok := c.unhash(h); !ok || got != want {
			t.Fatalf("%v becomes %v, %v", want, got, ok)
		}
		if _, ok := other.unhash(h); ok {
			t.Fatal("another seed has the hash")
		}
		bent := h
		bent[r.IntN(4)] ^= 1 << r.IntN(64)
		if _, ok := c.unhash(bent); ok {
			t.Fatalf("a flipped bit of %v is not seen", want)
		}
		if _, ok := c.unhash(Hash{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}); ok {
			t.Fatal("noise is taken for a hash")
		}
		var raw [32]byte
		for i := range raw {
			raw[i] = byte(h[i/8] >> (56 - i%8*8))
		}
		if HashOf(raw) != h || h.String() != "0x"+hex.EncodeToString(raw[:]) {
			t.Fatalf("%v is written as %s", raw, h)
		}
		for _, s := range []string{h.String(), strings.ToUpper(h.String()[2:]), h.String()[2:]} {
			if got, ok := ParseHash(s); !ok || got != h {
				t.Fatalf("%s is read as %v, %v", s, got, ok)
			}
		}
		if want.kind == kindBurn && !strings.HasPrefix(h.String(), "0x0000000000000000000") {
			t.Fatalf("burn hash %s shows no work", h)
		}
	}
	for _, h := range []Hash{genesisHash, genesisParent} {
		if _, ok := c.unhash(h); ok {
			t.Errorf("%s names a block", h)
		}
	}
	for _, s := range []string{"", "0x", "0X" + strings.Repeat("0", 64), strings.Repeat("g", 64), strings.Repeat("0", 63)} {
		if _, ok := ParseHash(s); ok {
			t.Errorf("%q is read as a hash", s)
		}
	}
}

func TestIntervalsThatCarryNoChainAreRefused(t *testing.T) {
	for name, p := range map[string]Params{
		"a block interval of zero":                 {BurnInterval: time.Second},
		"a block interval too short":               {BlockInterval: 49 * time.Millisecond, BurnInterval: time.Second},
		"a burn interval too short":                {BlockInterval: 50 * time.Millisecond, BurnInterval: 999 * time.Millisecond},
		"less than two blocks to a burn block":     {BlockInterval: 10 * time.Second, BurnInterval: 19 * time.Second},
		"a fraction of a millisecond":              {BlockInterval: time.Second + time.Microsecond, BurnInterval: time.Minute},
		"a fraction of a millisecond, burn":        {BlockInterval: time.Second, BurnInterval: time.Minute + 1},
		"a chain that would begin before year one": {BlockInterval: time.Hour, BurnInterval: 24 * 30 * time.Hour},
		"intervals that would overflow":            {BlockInterval: 1 << 61, BurnInterval: 1 << 62},
	} {
		var e *ParamError
		if _, err := New(p); !errors.As(err, &e) || e.Problem == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBlocksLookLikeLife(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.view(c.blockTime(AnchorHeight), RateHealthy)
	var single, full int
	counts := map[int]int{}
	const n = 20_000
	for h := int64(AnchorHeight - n); h < AnchorHeight; h++ {
		b, _ := v.Block(h)
		if b.TxCount == 1 {
			single++
		}
		if b.TxCount >= 90 {
			full++
			if b.TxCount > 153 {
				t.Fatalf("%d transactions in block %d", b.TxCount, h)
			}
			most := max(b.Cost.ReadCount*1000/costLimit.ReadCount, b.Cost.ReadLength*1000/costLimit.ReadLength,
				b.Cost.Runtime*1000/costLimit.Runtime, b.Cost.WriteCount*1000/costLimit.WriteCount, b.Cost.WriteLength*1000/costLimit.WriteLength)
			if most < 960 || most > 990 {
				t.Fatalf("full block %d uses %d thousandths of its limit", h, most)
			}
		}
		counts[b.TxCount]++
	}
	if single < n/10 || single > n/6 || full < n/400 || full > n/170 {
		t.Errorf("%d blocks with one transaction, %d full, of %d", single, full, n)
	}
	below := 0
	for k := range 14 {
		below += counts[k]
	}
	if below < n*93/100 || below > n*995/1000 {
		t.Errorf("%d of %d blocks have at most 13 transactions", below, n)
	}
}
