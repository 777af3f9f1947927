package chain

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var untouched = NewHistory()

// view returns the chain to which nothing was done.
func (c *Chain) view(now int64, rate Rate) View { return c.View(now, rate, untouched) }

// newest returns the newest blocks.
func (v *View) newest(n int64) []Block { return v.Blocks(v.All().Page(n, 0)) }

// same reports whether two lists of blocks are equal in every part.
func same(a, b []Block) bool { return reflect.DeepEqual(a, b) }

func hash(n uint64) Hash { return Hash{n, n, n, n} }

func TestATransactionIsInTheNextBlockOnEveryEndpoint(t *testing.T) {
	c := mustNew(t, paces[0])
	for _, now := range []int64{anchorMS, anchor.Add(-20_000 * time.Hour).UnixMilli()} {
		before := c.view(now, RateHealthy)
		h := before.Tip() + 1
		history := NewHistory().Add(h, hash(1)).Add(h, hash(2)).Add(h, hash(1))
		if v := c.View(now, RateHealthy, history); !same(v.newest(5), before.newest(5)) {
			t.Fatal("a pending transaction is shown")
		}
		for n := range int64(3) {
			then, err := c.Mined(now, n+1)
			if err != nil {
				t.Fatal(err)
			}
			v, plain := c.View(then, RateHealthy, history), c.view(then, RateHealthy)
			p, _ := v.Block(h)
			q, _ := plain.Block(h)
			if with, without := v.TxIDs(&p), plain.TxIDs(&q); !slices.Equal(with, append([]Hash{hash(2), hash(1)}, without...)) {
				t.Fatalf("transactions %v, without broadcast %v", with, without)
			}
			if p.Hash == q.Hash || p.Index == q.Index || p.Parent != q.Parent {
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

func TestTwoChainsWithOneSeedAreTheSame(t *testing.T) {
	a, b := mustNew(t, paces[0]), mustNew(t, paces[0])
	now := anchorMS
	for range 200 {
		now += 777
		v, w := a.view(now, RateReorg), b.view(now, RateReorg)
		if !same(v.newest(10), w.newest(10)) {
			t.Fatal("two chains differ")
		}
	}
	p := paces[0]
	p.Seed = 5
	v, w := a.view(now, RateHealthy), mustNew(t, p).view(now, RateHealthy)
	if same(v.newest(10), w.newest(10)) {
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
