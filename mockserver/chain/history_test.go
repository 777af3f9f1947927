package chain

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var untouched = NewHistory()

// view is the chain to which nothing was done.
func (c *Chain) view(now int64, rate Rate) View { return c.View(now, rate, untouched) }

func hash(n uint64) Hash { return Hash{n, n, n, n} }

func TestATransactionIsInTheNextBlockOnEveryEndpoint(t *testing.T) {
	c := mustNew(t, paces[0])
	for _, now := range []int64{anchorMS, anchor.Add(-20_000 * time.Hour).UnixMilli()} {
		before := c.view(now, RateHealthy)
		h := before.Tip() + 1
		history := NewHistory().Add(h, hash(1)).Add(h, hash(2)).Add(h, hash(1))
		if v := c.View(now, RateHealthy, history); !bytes.Equal(v.AppendBlocks(nil, 5, 0), before.AppendBlocks(nil, 5, 0)) {
			t.Fatal("a pending transaction is shown")
		}
		for n := range int64(3) {
			then, err := c.Mined(now, n+1)
			if err != nil {
				t.Fatal(err)
			}
			v, plain := c.View(then, RateHealthy, history), c.view(then, RateHealthy)
			p := decode[page[record]](t, v.AppendBlocks(nil, 1, v.Tip()-h)).Results[0]
			q := decode[page[record]](t, plain.AppendBlocks(nil, 1, v.Tip()-h)).Results[0]
			if len(p.Txs) != len(q.Txs)+2 || p.Txs[0] != hash(2).String() || p.Txs[1] != hash(1).String() {
				t.Fatalf("transactions %v, without broadcast %v", p.Txs, q.Txs)
			}
			if p.Hash == q.Hash || p.IndexBlockHash == q.IndexBlockHash || p.ParentBlockHash != q.ParentBlockHash {
				t.Fatal("a block with other transactions has the hash of the one without, or another parent")
			}
			if v.TipIndex() == plain.TipIndex() {
				t.Fatal("the tags of two different lists are the same")
			}
			checkView(t, &v)
		}
		if at, known := history.Height(hash(1)); at != h || !known {
			t.Errorf("the transaction is said to be in %d, %v", at, known)
		}
		if _, there := before.Place(hash(77)); there {
			t.Error("a transaction that was never sent has a place")
		}
	}
}

func TestReplacedBlocksHaveOtherHashesAndParentsAgree(t *testing.T) {
	c := mustNew(t, paces[0])
	h := c.Tip(anchorMS)
	sent := NewHistory().Add(h-3, hash(1)).Add(h-1, hash(2)).Add(h, hash(3))
	replaced := sent.Rewind(h - 1).Reorg(h - 1)
	before, after := c.View(anchorMS, RateHealthy, sent), c.View(anchorMS, RateHealthy, replaced)
	checkView(t, &after)
	for at := h - 5; at <= h; at++ {
		a, _ := before.Block(at)
		b, _ := after.Block(at)
		if same := a.Hash == b.Hash && a.Index == b.Index; same != (at < h-1) {
			t.Errorf("height %d of %d: same hash %v", at, h, same)
		}
		if parent, _ := after.Block(at - 1); parent.Hash != b.Parent || parent.Index != b.ParentIndex {
			t.Errorf("height %d: the parent is not the block below", at)
		}
		if _, ok := after.BlockByHash(a.Hash); ok != (at < h-1) {
			t.Errorf("height %d: the old hash finds a block: %v", at, ok)
		}
		if found, ok := after.BlockByHash(b.Index); !ok || found.Height != at {
			t.Errorf("height %d: not found by its index hash", at)
		}
	}
	twice := replaced.Reorg(h - 1)
	if a, b := c.View(anchorMS, RateHealthy, twice), after; a.TipIndex() == b.TipIndex() {
		t.Error("a second replacement leaves the hash")
	}
	if _, known := replaced.Height(hash(2)); known {
		t.Error("a transaction of a replaced block is still in it")
	}
}

func TestEncodedBlocksOfTheCacheAreTheSameAsNewOnes(t *testing.T) {
	shared := mustNew(t, paces[0])
	now := anchorMS
	var history History
	for round := range 40 {
		if history = NewHistory(); round%2 == 1 {
			history = history.Add(shared.Tip(now)-20, hash(1))
		}
		now += 97 * shared.step
		v := shared.View(now, RateReorg, history)
		fresh := mustNew(t, paces[0]).View(now, RateReorg, history)
		for _, offset := range []int64{0, 25, 990, 1010} {
			v.AppendBlocks(nil, 30, offset)
			if !bytes.Equal(v.AppendBlocks(nil, 30, offset), fresh.AppendBlocks(nil, 30, offset)) {
				t.Fatalf("tip %d, offset %d: a block of the cache differs", v.Tip(), offset)
			}
		}
		burn, _ := v.BurnByHeight(v.TipBurnHeight())
		for range 20 {
			v.AppendBurnBlocks(nil, &burn, 30, 1)
			if !bytes.Equal(v.AppendBurnBlocks(nil, &burn, 30, 0), fresh.AppendBurnBlocks(nil, &burn, 30, 0)) {
				t.Fatalf("tip %d, burn block %d: a block of the cache differs", v.Tip(), burn.j)
			}
			burn, _ = v.tenure(v.c.burnOf(burn.First - 1))
		}
	}
}

func TestTwoChainsWithOneSeedAreTheSame(t *testing.T) {
	a, b := mustNew(t, paces[0]), mustNew(t, paces[0])
	now := anchorMS
	for range 200 {
		now += 777
		v, w := a.view(now, RateReorg), b.view(now, RateReorg)
		if !bytes.Equal(v.AppendBlocks(nil, 10, 0), w.AppendBlocks(nil, 10, 0)) {
			t.Fatal("two chains differ")
		}
	}
	p := paces[0]
	p.Seed = 5
	v, w := a.view(now, RateHealthy), mustNew(t, p).view(now, RateHealthy)
	if bytes.Equal(v.AppendBlocks(nil, 10, 0), w.AppendBlocks(nil, 10, 0)) {
		t.Error("two seeds give the same chain")
	}
}

func TestAHistoryIsBounded(t *testing.T) {
	history := NewHistory()
	for n := range int64(maxSent + 10) {
		history = history.Add(10+n, Hash{3: uint64(n)})
	}
	if history.heights.Len() != maxSent || history.events.Len() != maxSent {
		t.Errorf("%d transactions at %d heights", history.heights.Len(), history.events.Len())
	}
	if txs, lineage := history.at(19); txs != nil || lineage == 0 {
		t.Errorf("the last forgotten height holds %v, lineage %d", txs, lineage)
	}
	if txs, _ := history.at(20); len(txs) != 1 {
		t.Errorf("the first height that is kept holds %v", txs)
	}
	if _, lineage := history.at(5); lineage != 0 {
		t.Error("a height before everything has a lineage")
	}
}

// TestAHistoryIsWhatASimpleListWouldBe compares with a list of blocks.
func TestAHistoryIsWhatASimpleListWouldBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := map[int64][]Hash{}
		history := NewHistory()
		var old []History
		var seen []string
		text := func(h *History) string {
			var out []byte
			for height := range int64(60) {
				txs, lineage := h.at(height)
				out = fmt.Appendf(out, "%d %v %d\n", height, txs, lineage)
			}
			return string(out)
		}
		tip, next := int64(5), uint64(1)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				history = history.Add(tip+1, hash(next))
				model[tip+1] = append(model[tip+1], hash(next))
				next++
			case 1:
				tip += rapid.Int64Range(1, 3).Draw(t, "mined")
			case 2:
				from := max(1, tip-rapid.Int64Range(0, 3).Draw(t, "depth"))
				history = history.Rewind(from).Reorg(from)
				var returned []Hash
				for height := from; height <= tip+1; height++ {
					returned = append(returned, model[height]...)
					delete(model, height)
				}
				history = history.Add(tip+1, returned...)
				model[tip+1] = returned
			case 3:
				old, seen = append(old, history), append(seen, text(&history))
			}
			if tip > 50 {
				break
			}
		}
		for height := range int64(60) {
			txs, _ := history.at(height)
			if len(txs) != len(model[height]) || len(txs) > 0 && fmt.Sprint(txs) != fmt.Sprint(model[height]) {
				t.Fatalf("height %d holds %v, want %v", height, txs, model[height])
			}
		}
		for i := range old {
			if text(&old[i]) != seen[i] {
				t.Fatal("a history that was kept has changed")
			}
		}
	})
}
