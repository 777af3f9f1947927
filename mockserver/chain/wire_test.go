package chain

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

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
	return listed{
		r.Canonical, r.Height, r.Hash, r.BlockTime, r.BlockTimeISO, r.TenureHeight, r.IndexBlockHash,
		r.ParentBlockHash, parentIndex, r.BurnBlockTime, r.BurnBlockTimeISO, r.BurnBlockHash, r.BurnBlockHeight,
		r.MinerTxid, len(r.Txs), r.ReadCount, r.ReadLength, r.Runtime, r.WriteCount, r.WriteLength,
	}
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
		if b.ReadCount >= costLimit.ReadCount || b.ReadLength >= costLimit.ReadLength || b.Runtime >= costLimit.Runtime ||
			b.WriteCount >= costLimit.WriteCount || b.WriteLength >= costLimit.WriteLength {
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
	if len(p.Results[0].MicrosStreamed) > 0 {
		t.Fatal("microblocks are accepted before there is a block to accept them")
	}
	if latest, _ := v.BurnByHeight(v.TipBurnHeight()); latest.Last != v.Tip() {
		t.Fatalf("latest ends at %d", latest.Last)
	}
	checkBurns(t, v)
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
