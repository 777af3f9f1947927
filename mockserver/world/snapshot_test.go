package world

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/contracts"
	"chainscope/mockserver/fault"
)

func TestGoingBackPutsEverythingInPlace(t *testing.T) {
	for name, clock := range map[string]func(*Options){"a standing clock": frozen, "a running clock": func(*Options) {}} {
		t.Run(name, func(t *testing.T) {
			w, wall := newTestWorld(t, clock)
			alice, bob := signerOf("alice"), signerOf("bob")
			first := alice.pays(t, 0, 100, bob)
			second := alice.pays(t, 1, 100, bob)
			mustSubmit(t, w, first)
			must(t)(w.Mine(1))
			mustSubmit(t, w, second)
			w.Faults.SetScenario(fault.Flaky)
			before := shown(w.State())
			got, taken, err := w.Snapshot("one")
			if err != nil || got != "one" || shown(taken) != before {
				t.Fatalf("%q %v", got, err)
			}
			for round := range 3 {
				wall.add(time.Hour)
				must(t)(w.Mine(2))
				mustSubmit(t, w, alice.pays(t, 2, uint64(round+1), bob))
				must(t)(w.Mine(1))
				must(t)(w.Reorg(2))
				balance := uint64(7)
				must(t)(w.SetAccount(bob.principal(false), &balance, nil, nil))
				must(t)(w.FreezeClock(round == 0))
				must(t)(w.Advance(3 * time.Hour))
				must(t)(w.AddContract(contracts.Entry{Contract: alice.principal(true).String() + ".c", Reads: map[string]contracts.Answers{"f": {{Result: new("u1")}}}}))
				w.Faults.SetScenario(fault.Down)
				if _, _, err := w.Snapshot("later"); err != nil {
					t.Fatal(err)
				}
				if shown(w.State()) == before {
					t.Fatal("nothing changed")
				}
				back := must(t)(w.Revert("one"))
				if text := shown(back); text != before {
					t.Fatalf("round %d: after the way back\n%s\nbefore\n%s", round, text, before)
				}
				if text := shown(w.State()); text != before {
					t.Fatalf("round %d: what it holds is another than what it answered", round)
				}
				if w.Faults.Scenario() != fault.Flaky {
					t.Errorf("scenario %s", w.Faults.Scenario())
				}
				if names := w.Snapshots(); len(names) != 1 || names[0] != "one" {
					t.Errorf("snapshots %v", names)
				}
			}
			if id, rejection := w.Submit(second); rejection != nil {
				t.Errorf("%x: what the mempool holds is refused: %v", id, rejection)
			}
			must(t)(w.Reset())
			mustSubmit(t, w, first) // new again
			if len(w.Snapshots()) != 0 {
				t.Error("a reset leaves snapshots")
			}
			var unknown *UnknownError
			if _, err := w.Revert("one"); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "none was taken") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAfterAWayBackAnotherBlockHasAnotherHash(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	alice, bob := signerOf("alice"), signerOf("bob")
	if _, _, err := w.Snapshot("s"); err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for amount := range uint64(5) {
		mustSubmit(t, w, alice.pays(t, 0, amount+1, bob))
		state := must(t)(w.Mine(1))
		tags[state.View.TipIndex().String()] = true
		must(t)(w.Revert("s"))
	}
	if len(tags) != 5 {
		t.Errorf("%d tags for 5 different blocks", len(tags))
	}
	mustSubmit(t, w, alice.pays(t, 0, 1, bob))
	if state := must(t)(w.Mine(1)); !tags[state.View.TipIndex().String()] {
		t.Error("the same block has another hash")
	}
}

func TestSnapshotNames(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	for i, want := range []string{"1", "2", "3"} {
		if name, _, err := w.Snapshot(""); name != want || err != nil {
			t.Errorf("%d: %q %v", i, name, err)
		}
	}
	must(t)(w.Revert("2"))
	if name, _, _ := w.Snapshot(""); name != "3" {
		t.Errorf("after going back %q", name)
	}
	must(t)(w.Mine(1))
	tip := w.State().Tip()
	if _, _, err := w.Snapshot("1"); err != nil {
		t.Fatal(err)
	}
	must(t)(w.Mine(1))
	if got := must(t)(w.Revert("1")).Tip(); got != tip {
		t.Errorf("the name leads to %v, want the newer %v", got, tip)
	}
	if _, err := w.Revert("nope"); err == nil || !strings.Contains(err.Error(), "2, 3, 1") {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{strings.Repeat("x", 65), "a\nb", "\x1b[2J", "ü", " a"} {
		if _, _, err := w.Snapshot(bad); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
	for range 2 * maxSnapshots {
		if _, _, err := w.Snapshot(""); err != nil {
			if !strings.Contains(err.Error(), "1000 snapshots") || len(w.Snapshots()) != maxSnapshots {
				t.Errorf("%v with %d", err, len(w.Snapshots()))
			}
			return
		}
	}
	t.Error("snapshots are not bounded")
}
