package chain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

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

func TestTheAnchorStandsAtEveryPace(t *testing.T) {
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
	for range 100_000 {
		want := ref{kind: 1 + kind(r.IntN(int(kinds)-1)), fork: Fork(r.IntN(16)), sub: uint16(r.Uint32()), n: r.Int64N(maxN + 1)}
		h := c.hashRef(want)
		if got, ok := c.unhash(h); !ok || got != want {
			t.Fatalf("%v becomes %v, %v", want, got, ok)
		}
		if _, ok := other.unhash(h); ok {
			t.Fatal("another seed knows the hash")
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

// record and listed have the fields of the two shapes in their order.
type record struct {
	Canonical         bool           `json:"canonical"`
	Height            int64          `json:"height"`
	Hash              string         `json:"hash"`
	BlockTime         int64          `json:"block_time"`
	BlockTimeISO      string         `json:"block_time_iso"`
	TenureHeight      int64          `json:"tenure_height"`
	IndexBlockHash    string         `json:"index_block_hash"`
	ParentBlockHash   string         `json:"parent_block_hash"`
	BurnBlockTime     int64          `json:"burn_block_time"`
	BurnBlockTimeISO  string         `json:"burn_block_time_iso"`
	BurnBlockHash     string         `json:"burn_block_hash"`
	BurnBlockHeight   int64          `json:"burn_block_height"`
	MinerTxid         string         `json:"miner_txid"`
	ReadCount         int64          `json:"execution_cost_read_count"`
	ReadLength        int64          `json:"execution_cost_read_length"`
	Runtime           int64          `json:"execution_cost_runtime"`
	WriteCount        int64          `json:"execution_cost_write_count"`
	WriteLength       int64          `json:"execution_cost_write_length"`
	Txs               []string       `json:"txs"`
	ParentMicroHash   string         `json:"parent_microblock_hash"`
	ParentMicroSeq    int            `json:"parent_microblock_sequence"`
	MicrosAccepted    []string       `json:"microblocks_accepted"`
	MicrosStreamed    []string       `json:"microblocks_streamed"`
	MicroblockTxCount map[string]int `json:"microblock_tx_count"`
}

type listed struct {
	Canonical        bool   `json:"canonical"`
	Height           int64  `json:"height"`
	Hash             string `json:"hash"`
	BlockTime        int64  `json:"block_time"`
	BlockTimeISO     string `json:"block_time_iso"`
	TenureHeight     int64  `json:"tenure_height"`
	IndexBlockHash   string `json:"index_block_hash"`
	ParentBlockHash  string `json:"parent_block_hash"`
	ParentIndexHash  string `json:"parent_index_block_hash"`
	BurnBlockTime    int64  `json:"burn_block_time"`
	BurnBlockTimeISO string `json:"burn_block_time_iso"`
	BurnBlockHash    string `json:"burn_block_hash"`
	BurnBlockHeight  int64  `json:"burn_block_height"`
	MinerTxid        string `json:"miner_txid"`
	TxCount          int    `json:"tx_count"`
	ReadCount        int64  `json:"execution_cost_read_count"`
	ReadLength       int64  `json:"execution_cost_read_length"`
	Runtime          int64  `json:"execution_cost_runtime"`
	WriteCount       int64  `json:"execution_cost_write_count"`
	WriteLength      int64  `json:"execution_cost_write_length"`
}

// asListed drops what endpoint 3 does not give.
func (r *record) asListed(parentIndex string) listed {
	return listed{r.Canonical, r.Height, r.Hash, r.BlockTime, r.BlockTimeISO, r.TenureHeight, r.IndexBlockHash,
		r.ParentBlockHash, parentIndex, r.BurnBlockTime, r.BurnBlockTimeISO, r.BurnBlockHash, r.BurnBlockHeight,
		r.MinerTxid, len(r.Txs), r.ReadCount, r.ReadLength, r.Runtime, r.WriteCount, r.WriteLength}
}

type page[T any] struct {
	Limit   int64 `json:"limit"`
	Offset  int64 `json:"offset"`
	Total   int64 `json:"total"`
	Results []T   `json:"results"`
}

// decode reads a body and checks that encoding/json writes the same bytes.
func decode[T any](t testing.TB, body []byte) T {
	t.Helper()
	var v T
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, body) {
		t.Fatalf("the body is not what encoding/json writes:\n%s\n%s", body, again)
	}
	return v
}

func checkTimes(t testing.TB, seconds int64, iso string) {
	t.Helper()
	if want := time.Unix(seconds, 0).UTC().Format("2006-01-02T15:04:05.000Z"); iso != want {
		t.Fatalf("%d is written %s, want %s", seconds, iso, want)
	}
}

func TestAllEndpointsAgreeAboutEveryBlock(t *testing.T) {
	eachPace(t, func(t *testing.T, c *Chain, r *rand.Rand) {
		views := 60
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

// checkView walks the newest blocks of a view through every endpoint.
func checkView(t testing.TB, v *View) {
	t.Helper()
	limit := int64(13)
	p := decode[page[record]](t, v.AppendBlocks(nil, limit, 0))
	if p.Total != v.Tip() || p.Results[0].Height != v.Tip() || p.Results[0].IndexBlockHash != v.TipIndex().String() || len(p.Results) != 13 {
		t.Fatalf("total %d, first %d, tip %d", p.Total, p.Results[0].Height, v.Tip())
	}
	for i := range p.Results[:12] {
		b, parent := &p.Results[i], &p.Results[i+1]
		checkTimes(t, b.BlockTime, b.BlockTimeISO)
		checkTimes(t, b.BurnBlockTime, b.BurnBlockTimeISO)
		if !b.Canonical || b.ParentBlockHash != parent.Hash || b.Height != parent.Height+1 || b.BlockTime < parent.BlockTime ||
			b.BurnBlockTime > b.BlockTime || b.BlockTime*1000 > v.NowMS() {
			t.Fatalf("block %+v does not follow %+v", b, parent)
		}
		same := b.BurnBlockHeight == parent.BurnBlockHeight
		if same != (b.BurnBlockHash == parent.BurnBlockHash) || same != (b.MinerTxid == parent.MinerTxid) ||
			(b.TenureHeight == parent.TenureHeight) != same || (!same && b.TenureHeight != parent.TenureHeight+1) {
			t.Fatalf("burn block, miner and tenure do not change together: %+v %+v", b, parent)
		}
		if strings.Join(b.MicrosAccepted, " ") != strings.Join(parent.MicrosStreamed, " ") ||
			b.ParentMicroSeq != len(b.MicrosAccepted)-1 || (b.ParentMicroHash == "") != (len(b.MicrosAccepted) == 0) ||
			(len(b.MicrosAccepted) > 0 && b.MicrosAccepted[0] != b.ParentMicroHash) {
			t.Fatalf("microblocks of %+v are not those of %+v", b, parent)
		}
		inMicro := 0
		for _, m := range b.MicrosAccepted {
			n, ok := b.MicroblockTxCount[m]
			if !ok {
				t.Fatalf("no count for microblock %s", m)
			}
			inMicro += n
		}
		if len(b.MicroblockTxCount) != len(b.MicrosAccepted) || inMicro >= len(b.Txs) {
			t.Fatalf("%d transactions, %d of them in %d microblocks", len(b.Txs), inMicro, len(b.MicrosAccepted))
		}
		if b.Height > olderTenures+1 && len(b.MicrosAccepted) > 0 {
			t.Fatal("a microblock in the newer era")
		}
		if b.ReadCount >= CostLimit.ReadCount || b.ReadLength >= CostLimit.ReadLength || b.Runtime >= CostLimit.Runtime ||
			b.WriteCount >= CostLimit.WriteCount || b.WriteLength >= CostLimit.WriteLength {
			t.Fatalf("costs over the limit: %+v", b)
		}

		burn, ok := v.BurnByHeight(b.BurnBlockHeight)
		if !ok {
			t.Fatalf("burn block %d is not found", b.BurnBlockHeight)
		}
		h, _ := ParseHash(b.BurnBlockHash)
		if byHash, ok := v.BurnByHash(h); !ok || byHash != burn {
			t.Fatalf("burn block %d by height %+v, by hash %+v", b.BurnBlockHeight, burn, byHash)
		}
		list := decode[page[listed]](t, v.AppendBurnBlocks(nil, &burn, 1, burn.Last-b.Height))
		if len(list.Results) != 1 || list.Total != burn.Total() || list.Results[0] != b.asListed(parent.IndexBlockHash) {
			t.Fatalf("endpoint 3 lists %+v, endpoint 6 %+v", list, b)
		}
		best := v.Best(&burn)
		one := decode[record](t, v.AppendRecord(nil, &best))
		if best.Height != burn.Last {
			t.Fatalf("endpoint 4 gives %d, the newest is %d", best.Height, burn.Last)
		}
		if at := p.Results[0].Height - best.Height; at < 13 {
			want, _ := json.Marshal(p.Results[at])
			got, _ := json.Marshal(one)
			if !bytes.Equal(got, want) {
				t.Fatalf("endpoint 4 gives %s, endpoint 6 %s", got, want)
			}
		}
		hash, _ := ParseHash(b.IndexBlockHash)
		if got, ok := v.BlockByHash(hash); !ok || got.Height != b.Height {
			t.Fatalf("index block hash of %d gives %d, %v", b.Height, got.Height, ok)
		}
	}
	// Nothing of the future is known.
	next := v.TipBurnHeight() - burnBase
	for n, j := 0, next+1; n < 4; n, j = n+1, j+1 {
		if j <= v.c.burnAt(v.now) {
			continue
		}
		if _, ok := v.BurnByHeight(j + burnBase); ok {
			t.Fatalf("burn block %d is to come, and is known", j)
		}
		for f := Fork(0); f < 2; f++ {
			if _, ok := v.BurnByHash(v.c.burnHash(j, f)); ok {
				t.Fatalf("burn hash of %d is to come, and is known", j)
			}
		}
	}
	if latest := v.Latest(); latest.Last != v.Tip() {
		t.Fatalf("latest ends at %d", latest.Last)
	}
	checkBurns(t, v)
}

// checkBurns looks at the newest burn blocks, those without a tenure and those
// replaced among them.
func checkBurns(t testing.TB, v *View) {
	t.Helper()
	for j := max(0, v.burn-20); j <= v.c.burnAt(v.now); j++ {
		burn, ok := v.BurnByHeight(j + burnBase)
		if !ok {
			continue
		}
		best := v.Best(&burn)
		if best.BurnHeight != j+burnBase {
			t.Fatalf("burn block %d gives a block of %d", j+burnBase, best.BurnHeight)
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
	r := decode[record](t, v.AppendRecord(nil, b))
	if r.Canonical || burn.Total() != 0 {
		t.Fatalf("block %d is canonical %v, total %d", b.Height, r.Canonical, burn.Total())
	}
	canonical, ok := v.Block(b.Height)
	if !ok || canonical.Hash == b.Hash {
		t.Fatalf("nothing stands in place of block %d", b.Height)
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
	list := decode[page[listed]](t, v.AppendBurnBlocks(nil, burn, 20, 0))
	if list.Total != 0 || len(list.Results) != 0 {
		t.Fatalf("endpoint 3 lists %d blocks that are not canonical", len(list.Results))
	}
}

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
	if got, want := a.AppendBlocks(nil, 30, 300), b.AppendBlocks(nil, 30, 300); !bytes.Equal(got, want) {
		t.Error("old blocks differ between two rates")
	}
}

func TestGenesisStandsAtBurnHeightZero(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.view(anchorMS, RateHealthy)
	burn, ok := v.BurnByHeight(0)
	if !ok {
		t.Fatal("burn height 0 is not known")
	}
	b := v.Best(&burn)
	r := decode[record](t, v.AppendRecord(nil, &b))
	if r.Canonical || r.Height != 0 || r.Hash != "0x"+strings.Repeat("0", 64) || r.ParentBlockHash != "0x"+strings.Repeat("f", 64) ||
		r.BlockTimeISO != "1970-01-01T00:00:00.000Z" || r.BurnBlockHeight != 0 || len(r.Txs) != 0 {
		t.Errorf("genesis is %+v", r)
	}
	first, _ := v.Block(1)
	if first.Parent != b.Hash || first.ParentIndex != b.Index {
		t.Errorf("block 1 follows %s, genesis is %s", first.Parent, b.Hash)
	}
	h, _ := ParseHash(r.BurnBlockHash)
	if byHash, ok := v.BurnByHash(h); !ok || v.Best(&byHash).Index != b.Index {
		t.Error("genesis is not found by its burn hash")
	}
	if _, ok := v.BurnByHash(Hash{}); ok {
		t.Error("the zero hash is a burn block")
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

// The golden hashes pin the chain of this version: a changed constant or draw
// changes every hash and every page that anybody keeps.
func TestTheChainOfASeedIsPinned(t *testing.T) {
	c := mustNew(t, Params{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute})
	v := c.view(anchorMS, RateHealthy)
	sum := sha256.New()
	for _, offset := range []int64{0, 1_000, 859_990, 999_980} {
		sum.Write(v.AppendBlocks(nil, 30, offset))
	}
	const want = "90fcc7419aad9c9a6b10bba870dd535821acc5cd4efc8367c717284b4fd15e49"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the chain changed: pages hash to %s, want %s", got, want)
	}
}

func TestPagesCostNoAllocation(t *testing.T) {
	c := mustNew(t, paces[0])
	v := c.view(anchorMS+123_456, RateHealthy)
	buf := make([]byte, 0, 1<<20)
	burn := v.Latest()
	for name, f := range map[string]func(){
		"endpoint 6 near the tip":       func() { buf = v.AppendBlocks(buf[:0], 30, 0) },
		"endpoint 6 in the older era":   func() { buf = v.AppendBlocks(buf[:0], 30, 900_000) },
		"endpoint 3":                    func() { buf = v.AppendBurnBlocks(buf[:0], &burn, 30, 0) },
		"endpoint 4":                    func() { b := v.Best(&burn); buf = v.AppendRecord(buf[:0], &b) },
		"the view of an instant itself": func() { w := c.view(anchorMS, RateHealthy); _ = w.Tip() },
	} {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
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
			most := max(b.Cost.ReadCount*1000/CostLimit.ReadCount, b.Cost.ReadLength*1000/CostLimit.ReadLength,
				b.Cost.Runtime*1000/CostLimit.Runtime, b.Cost.WriteCount*1000/CostLimit.WriteCount, b.Cost.WriteLength*1000/CostLimit.WriteLength)
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
