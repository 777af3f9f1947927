package chain

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func frozen(t testing.TB, at time.Time) *Live {
	t.Helper()
	l, err := NewLive(mustNew(t, paces[0]), Options{Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFreezingBeforeTheFirstBlockIsRefusedWithItsInstant(t *testing.T) {
	c := mustNew(t, paces[0])
	at := c.FirstBlock().Add(-time.Second)
	_, err := NewLive(c, Options{Freeze: &at})
	var e *FreezeError
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	_, said, _ := strings.Cut(err.Error(), "begins at ")
	right, err := time.Parse(time.RFC3339, said)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLive(c, Options{Freeze: &right})
	if err != nil {
		t.Fatal(err)
	}
	if v := l.View(RateHealthy); v.Tip() != 1 {
		t.Errorf("at the instant that the error names the tip is %d", v.Tip())
	}
}

func TestAWallClockThatStepsBackDoesNotTakeBlocksBack(t *testing.T) {
	now := anchor.Add(time.Hour)
	l, err := NewLive(mustNew(t, paces[0]), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	before := l.View(RateHealthy)
	now = now.Add(-24 * time.Hour)
	if v := l.View(RateHealthy); v.Tip() != before.Tip() {
		t.Errorf("the tip goes from %d to %d", before.Tip(), v.Tip())
	}
	now = now.Add(48 * time.Hour)
	if v := l.View(RateHealthy); v.Tip() <= before.Tip() {
		t.Error("the chain does not grow")
	}
	now = time.Time{}
	l.Reset()
	if v := l.View(RateHealthy); v.Tip() != 1 {
		t.Errorf("with a wall clock before the chain the tip is %d", v.Tip())
	}
}

func TestMiningMakesExactlySoManyBlocks(t *testing.T) {
	for _, at := range []time.Time{anchor, anchor.Add(1234567 * time.Millisecond), anchor.Add(-20_000 * time.Hour)} {
		l := frozen(t, at)
		was := l.View(RateHealthy)
		want := was.Tip()
		for _, n := range []int64{1, 2, 7, 500, MaxMine} {
			want += n
			tip, err := l.Mine(n)
			if err != nil {
				t.Fatal(err)
			}
			if v := l.View(RateHealthy); tip != want || v.Tip() != want {
				t.Fatalf("%d mined: answer %d, tip %d, want %d", n, tip, v.Tip(), want)
			}
		}
		l.Reset()
		if v := l.View(RateHealthy); v.Tip() != was.Tip() {
			t.Errorf("after a reset the tip is %d, was %d", v.Tip(), was.Tip())
		}
	}
	l := frozen(t, anchor)
	l.Mine(3)
	if v := l.View(RateHealthy); v.NowMS() != anchor.UnixMilli()+30_000 {
		t.Errorf("three blocks move the clock to %d", v.NowMS())
	}
	for _, n := range []int64{0, -1, MaxMine + 1} {
		var e *MineError
		if _, err := l.Mine(n); !errors.As(err, &e) {
			t.Errorf("mining %d blocks: %v", n, err)
		}
	}
	end := frozen(t, time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC))
	if _, err := end.Mine(MaxMine); err == nil {
		t.Error("the clock leaves the year 9999")
	}
}

func TestABroadcastTransactionIsInTheNextBlockOnEveryEndpoint(t *testing.T) {
	for _, at := range []time.Time{anchor, anchor.Add(-20_000 * time.Hour)} {
		l, plain := frozen(t, at), frozen(t, at)
		a, b := [32]byte{1, 2, 3}, [32]byte{4, 5, 6}
		before := l.View(RateHealthy)
		pending := string(before.AppendBlocks(nil, 5, 0))
		h := l.AddTx(a)
		if h != before.Tip()+1 || l.AddTx(b) != h || l.AddTx(a) != h {
			t.Fatalf("lands in %d, tip %d", h, before.Tip())
		}
		if v := l.View(RateHealthy); string(v.AppendBlocks(nil, 5, 0)) != pending {
			t.Fatal("a pending transaction shows")
		}
		for range 3 { // later from the kept blocks
			l.Mine(1)
			plain.Mine(1)
			v, w := l.View(RateHealthy), plain.View(RateHealthy)
			offset := v.Tip() - h
			v.AppendBlocks(nil, 5, 0)
			p := decode[page[record]](t, v.AppendBlocks(nil, 1, offset)).Results[0]
			q := decode[page[record]](t, w.AppendBlocks(nil, 1, offset)).Results[0]
			if p.Hash != q.Hash || p.IndexBlockHash != q.IndexBlockHash {
				t.Fatal("the hash of the block changed")
			}
			if len(p.Txs) != len(q.Txs)+2 || p.Txs[0] != HashOf(b).String() || p.Txs[1] != HashOf(a).String() {
				t.Fatalf("transactions %v, without broadcast %v", p.Txs, q.Txs)
			}
			checkView(t, &v)
		}
		if got, ok := l.TxHeight(a); !ok || got != h {
			t.Errorf("the transaction is said to be in %d, %v", got, ok)
		}
		l.Reset()
		if _, ok := l.TxHeight(a); ok {
			t.Error("a reset leaves the transaction")
		}
		l.Mine(1)
		v, w := l.View(RateHealthy), frozen(t, at)
		w.Mine(1)
		x := w.View(RateHealthy)
		if !bytes.Equal(v.AppendBlocks(nil, 3, 0), x.AppendBlocks(nil, 3, 0)) {
			t.Error("after a reset the next block is not as it was")
		}
	}
}

func TestTwoProcessesWithOneSeedShowOneChain(t *testing.T) {
	now := anchor
	clock := func() time.Time { return now }
	a, _ := NewLive(mustNew(t, paces[0]), Options{Now: clock})
	b, _ := NewLive(mustNew(t, paces[0]), Options{Now: clock})
	for range 200 {
		now = now.Add(777 * time.Millisecond)
		v, w := a.View(RateReorg), b.View(RateReorg)
		if !bytes.Equal(v.AppendBlocks(nil, 10, 0), w.AppendBlocks(nil, 10, 0)) {
			t.Fatal("two processes differ")
		}
	}
	other, _ := NewLive(mustNew(t, Params{Seed: 5, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute}), Options{Now: clock})
	v, w := a.View(RateHealthy), other.View(RateHealthy)
	if bytes.Equal(v.AppendBlocks(nil, 10, 0), w.AppendBlocks(nil, 10, 0)) {
		t.Error("two seeds give the same chain")
	}
}

func TestKeptBlocksAreTheSameAsFreshOnes(t *testing.T) {
	l := frozen(t, anchor)
	for range 40 {
		l.Mine(97)
		v := l.View(RateReorg)
		fresh := v
		fresh.over = nil
		for _, offset := range []int64{0, 25, 990, 1010} {
			v.AppendBlocks(nil, 30, offset)
			if !bytes.Equal(v.AppendBlocks(nil, 30, offset), fresh.AppendBlocks(nil, 30, offset)) {
				t.Fatalf("tip %d, offset %d: a kept block differs", v.Tip(), offset)
			}
		}
		burn := v.Latest()
		for range 20 {
			v.AppendBurnBlocks(nil, &burn, 30, 1)
			if !bytes.Equal(v.AppendBurnBlocks(nil, &burn, 30, 0), fresh.AppendBurnBlocks(nil, &burn, 30, 0)) {
				t.Fatalf("tip %d, burn block %d: a kept block differs", v.Tip(), burn.j)
			}
			burn, _ = v.tenure(v.c.burnOf(burn.First - 1))
		}
	}
}

func TestManyRequestsAndBroadcastsAtOnceNeverShowABlockTwoWays(t *testing.T) {
	l := frozen(t, anchor)
	var mu sync.Mutex
	seen := map[int64]string{}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 200 {
				switch g {
				case 0:
					l.Mine(1)
				case 1:
					l.AddTx([32]byte{byte(i), byte(i >> 8), 9})
				default:
					v := l.View(RateHealthy)
					b, _ := v.Block(v.Tip() - 1)
					if b.Fork != 0 {
						continue
					}
					body := string(v.AppendRecord(nil, &b))
					mu.Lock()
					if was, ok := seen[b.Height]; ok && was != body {
						t.Errorf("block %d was %s, is %s", b.Height, was, body)
					}
					seen[b.Height] = body
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

func TestATransactionTakesThePlaceOfOneThatNoBlockHasYet(t *testing.T) {
	l := frozen(t, anchor)
	first, second, other := [32]byte{1}, [32]byte{2}, [32]byte{3}
	height := l.AddTx(first)
	l.AddTx(other)
	if got, ok := l.ReplaceTx(first, second); !ok || got != height {
		t.Fatalf("replaced at %d, %v; want %d", got, ok, height)
	}
	if _, known := l.TxHeight(first); known {
		t.Error("the replaced one is still known")
	}
	if _, ok := l.ReplaceTx(first, [32]byte{4}); ok {
		t.Error("what is gone was replaced again")
	}
	if _, err := l.Mine(1); err != nil {
		t.Fatal(err)
	}
	v := l.View(RateHealthy)
	b, _ := v.Block(height)
	if at, next := v.TxIndex(&b, second), v.TxIndex(&b, other); at < 0 || next != at+1 || next != b.TxCount-1 || v.TxIndex(&b, first) != -1 {
		t.Errorf("in block %d of %d transactions they stand at %d and %d", height, b.TxCount, at, next)
	}
	if _, ok := l.ReplaceTx(second, first); ok {
		t.Error("a transaction in a block was replaced")
	}
}
