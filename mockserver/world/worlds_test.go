package world

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/mockserver/fault"
	"chainscope/mockserver/ledger"
)

func TestManyRequestsAndBroadcastsAtOnceNeverShowABlockTwoWays(t *testing.T) {
	w, wall := newTestWorld(t)
	alice, bob := signerOf("alice"), signerOf("bob")
	var raw [60][]byte
	for i := range raw {
		raw[i] = alice.pays(t, uint64(i), 1, bob)
	}
	var mu sync.Mutex
	seen := map[int64]string{}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 60 {
				switch g {
				case 0:
					wall.add(3 * time.Second)
				case 1:
					if _, rejection := w.Submit(raw[i]); rejection != nil && rejection.Reason != ledger.TooMuchChaining {
						t.Error(rejection)
					}
				default:
					state := w.State()
					b, _ := state.View.Block(state.Tip().Height - int64(g-2))
					if b.Fork != 0 {
						continue
					}
					body := fmt.Sprintf("%+v", b)
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

func TestWorldsAreIsolatedAndBounded(t *testing.T) {
	root, _ := newTestWorld(t, frozen)
	must(t)(root.Mine(3))
	all := root.Worlds()
	must(t)(root.Mine(1))
	get := func(name string) *World {
		t.Helper()
		w, err := all.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	a, b := get("a"), get("b")
	if a == b || get("a") != a {
		t.Fatal("names do not lead to worlds")
	}
	if a.State().Tip().Height != 1_000_003 || root.State().Tip().Height != 1_000_004 {
		t.Error("a world does not begin as the first one was")
	}
	must(t)(a.Mine(5))
	a.Faults.SetScenario(fault.Down)
	if b.State().Tip().Height != 1_000_003 || b.Faults.Scenario() != fault.Healthy {
		t.Error("b sees what was done to a")
	}
	if tip := must(t)(a.Reset()).Tip().Height; tip != 1_000_003 {
		t.Errorf("a reset goes to %d, not to where the world began", tip)
	}
	must(t)(a.Mine(5))
	for i := range maxWorlds - 1 {
		get(fmt.Sprint("w", i))
		if i%100 == 0 {
			get("a")
		}
	}
	if len(all.List().Worlds) != maxWorlds || get("a") != a {
		t.Errorf("%d worlds; one that was used is gone", len(all.List().Worlds))
	}
	if get("b") == b {
		t.Error("the one least used is still there")
	}
	for _, bad := range []string{"", ".", "..", "a/b", "a b", "ü", "a%2f", strings.Repeat("x", 65), "\x1b"} {
		if _, err := all.Get(bad); err == nil || !strings.Contains(err.Error(), "worker-1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestRequestsAreBounded(t *testing.T) {
	total := new(atomic.Int64)
	r := Requests{total: total}
	for range maxRequests + 50 {
		r.Add(Request{Path: strings.Repeat("x", 2*maxPath)})
	}
	all, next := r.After(0)
	if len(all) != maxRequests || all[0].N != 51 || all[maxRequests-1].N != maxRequests+50 || next != maxRequests+50 || len(all[0].Path) > maxPath+3 {
		t.Errorf("%d requests, from %d to %d", len(all), all[0].N, next)
	}
	if late, _ := r.After(next - 2); len(late) != 2 || late[0].N != next-1 {
		t.Errorf("%+v", late)
	}
	total.Store(maxTotal)
	few := Requests{total: total}
	for range 2 * minRequests {
		few.Add(Request{})
	}
	if all, _ := few.After(0); len(all) != minRequests || all[0].N != minRequests+1 {
		t.Errorf("when all is full: %d requests, from %d", len(all), all[0].N)
	}
	total.Store(0)
	for range 10 {
		few.Add(Request{})
	}
	all, _ = few.After(0)
	for i := range all {
		if all[i].N != all[0].N+int64(i) {
			t.Fatalf("out of order: %d after %d", all[i].N, all[i-1].N)
		}
	}
	if len(all) != minRequests+10 {
		t.Errorf("with room again: %d requests", len(all))
	}
	few.forget()
	if got := total.Load(); got < -minRequests || got > 0 {
		t.Errorf("%d requests are counted after all are forgotten", got)
	}
}
