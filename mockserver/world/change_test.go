package world

import (
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

func TestTheClockIsMoved(t *testing.T) {
	w, wall := newTestWorld(t)
	at := func(s State) time.Time { return time.UnixMilli(s.View.NowMS()).UTC() }
	if got := at(w.State()); !got.Equal(start) {
		t.Fatalf("at first %v", got)
	}
	if got := at(must(t)(w.Advance(3 * time.Hour))); !got.Equal(start.Add(3 * time.Hour)) {
		t.Errorf("advanced to %v", got)
	}
	wall.add(time.Minute)
	if got := at(w.State()); !got.Equal(start.Add(3*time.Hour + time.Minute)) {
		t.Errorf("a minute later it is %v", got)
	}
	to := time.Date(2027, 5, 6, 7, 8, 9, 0, time.UTC)
	if got := at(must(t)(w.SetClock(to))); !got.Equal(to) {
		t.Errorf("set to %v", got)
	}
	must(t)(w.FreezeClock(true))
	wall.add(time.Hour)
	if got := w.State(); !at(got).Equal(to) || !got.Frozen() {
		t.Errorf("stopped, it is %v", at(got))
	}
	must(t)(w.FreezeClock(false))
	wall.add(time.Second)
	if got := w.State(); !at(got).Equal(to.Add(time.Second)) || got.Frozen() {
		t.Errorf("set going, it is %v", at(got))
	}
	for _, bad := range []func() (State, error){
		func() (State, error) { return w.Advance(-1) },
		func() (State, error) { return w.SetClock(time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)) },
		func() (State, error) { return w.SetClock(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)) },
		func() (State, error) { return w.Advance(1<<63 - 1) },
	} {
		before := w.State()
		if _, err := bad(); err == nil && at(w.State()).Year() > 9999 {
			t.Error("the clock is out of bounds")
		} else if err != nil && shown(w.State()) != shown(before) {
			t.Error("a refusal changed something")
		}
	}
}

func TestAWallClockThatStepsBackDoesNotTakeBlocksBack(t *testing.T) {
	w, wall := newTestWorld(t)
	wall.add(time.Hour)
	before := w.State().Tip()
	wall.add(-24 * time.Hour)
	if got := w.State().Tip(); got != before {
		t.Errorf("the tip goes from %v to %v", before, got)
	}
	wall.add(48 * time.Hour)
	if got := w.State().Tip(); got.Height <= before.Height {
		t.Error("the chain does not grow")
	}
	wall.add(-48 * time.Hour)
	if got := must(t)(w.Reset()).Tip(); got.Height >= before.Height {
		t.Errorf("a reset does not go to the wall clock: %v", got)
	}
}

func TestSettingTheClockBackReturnsTransactions(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	alice, bob := signerOf("alice"), signerOf("bob")
	id := mustSubmit(t, w, alice.pays(t, 0, 100, bob))
	other := mustSubmit(t, w, bob.signed(t, false, 0, stxtx.TokenTransfer{Recipient: alice.principal(false), Amount: 1}))
	must(t)(w.Mine(5))
	state := must(t)(w.SetClock(start))
	for _, id := range [][32]byte{id, other} {
		if tx, known := state.Transaction(id); !known || tx.Height != state.Tip().Height+1 || tx.Result != nil {
			t.Errorf("%+v, %v", tx, known)
		}
	}
	if got := state.Account(alice.principal(true)).Nonce; got != 0 {
		t.Errorf("nonce %d", got)
	}
	state = must(t)(w.Mine(1))
	if got := state.Account(alice.principal(true)).Nonce; got != 1 {
		t.Errorf("mined again: nonce %d", got)
	}
	for _, id := range [][32]byte{id, other} {
		if place, found := state.View.Place(chain.HashOf(id)); !found || place.Block.Height != state.Tip().Height {
			t.Error("the block has them not")
		}
	}
}

func TestAReorganisationReturnsTransactionsToTheMempool(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	alice, bob := signerOf("alice"), signerOf("bob")
	first := mustSubmit(t, w, alice.pays(t, 0, 100, bob))
	must(t)(w.Mine(1))
	second := mustSubmit(t, w, alice.pays(t, 1, 100, bob))
	third := mustSubmit(t, w, bob.signed(t, false, 0, stxtx.TokenTransfer{Recipient: alice.principal(false), Amount: 1}))
	was := must(t)(w.Mine(1))
	state := must(t)(w.Reorg(2))
	if state.Tip() != was.Tip() {
		t.Errorf("the tip goes from %v to %v", was.Tip(), state.Tip())
	}
	height := state.Tip().Height
	for back := range int64(3) {
		a, _ := was.View.Block(height - back)
		b, _ := state.View.Block(height - back)
		if same := a.Hash == b.Hash; same != (back == 2) {
			t.Errorf("%d blocks below the tip: same hash %v", back, same)
		}
	}
	for _, id := range [][32]byte{first, second, third} {
		if tx, known := state.Transaction(id); !known || tx.Height != height+1 {
			t.Errorf("%+v, %v", tx, known)
		}
	}
	state = must(t)(w.Mine(1))
	at := [3]int{}
	for i, id := range [][32]byte{first, second, third} {
		place, found := state.View.Place(chain.HashOf(id))
		if !found || place.Block.Height != height+1 {
			t.Fatalf("%x is not in the next block", id)
		}
		at[i] = place.Index
	}
	if at[0] < 1 || at[1] != at[0]+1 || at[2] != at[1]+1 {
		t.Errorf("in the next block they stand at %v", at)
	}
	if tx, _ := was.Transaction(first); tx.Height != height-1 {
		t.Error("the state before has changed")
	}
	for _, bad := range []int64{-1, 0, 101} {
		if _, err := w.Reorg(bad); err == nil || !strings.Contains(err.Error(), "from 1 to 100") {
			t.Errorf("depth %d: %v", bad, err)
		}
	}
}

func TestMainnetAndTestnetHaveALedgerEach(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	alice, bob := signerOf("alice"), signerOf("bob")
	deploy := stxtx.SmartContract{Name: "c", Code: "(ok 1)"}
	mustSubmit(t, w, alice.signed(t, true, 0, deploy))
	mustSubmit(t, w, alice.signed(t, false, 0, deploy)) // no nonce and no contract in common
	mustSubmit(t, w, alice.pays(t, 1, 7, bob))
	state := must(t)(w.Mine(1))
	on, off := state.Account(alice.principal(true)), state.Account(alice.principal(false))
	if on.Nonce != 2 || off.Nonce != 1 || on.Sent != 7 || off.Sent != 0 {
		t.Errorf("mainnet %+v, testnet %+v", on, off)
	}
	id := alice.principal(true)
	id.Contract = "c"
	if _, known := state.Ledger(id).Contract(id); !known {
		t.Error("the contract is not known")
	}
}

func TestAutomineMinesABlockAsSoonAsATransactionWaits(t *testing.T) {
	w, _ := newTestWorld(t, frozen, func(o *Options) { o.Automine = true })
	alice, bob := signerOf("alice"), signerOf("bob")
	tip := w.State().Tip().Height
	late := mustSubmit(t, w, alice.pays(t, 1, 1, bob))
	if got := w.State().Tip().Height; got != tip {
		t.Errorf("a transaction that waits for a nonce mines %d blocks", got-tip)
	}
	early := mustSubmit(t, w, alice.pays(t, 0, 1, bob))
	state := w.State()
	if got := state.Tip().Height; got != tip+1 {
		t.Errorf("%d blocks are mined", got-tip)
	}
	for _, id := range [][32]byte{late, early} {
		if tx, _ := state.Transaction(id); tx.Height != tip+1 || tx.Result == nil {
			t.Errorf("%+v", tx)
		}
	}
	mustSubmit(t, w, alice.pays(t, 2, 1, bob))
	if got := w.State().Tip().Height; got != tip+2 {
		t.Errorf("a second transaction: %d blocks", got-tip)
	}
}

func TestACannedCallDecidesTheResult(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	alice := signerOf("alice")
	contract := alice.principal(true)
	contract.Contract = "c"
	args := []string{"u1"}
	entry := contracts.Entry{Contract: contract.String(), Calls: map[string]contracts.Answers{"f": {{Args: &args, Result: new("(err u404)")}, {Result: new("(ok u7)")}}}}
	must(t)(w.AddContract(entry))
	call := func(nonce uint64, arg uint64) [32]byte {
		return mustSubmit(t, w, alice.signed(t, true, nonce, stxtx.ContractCall{Contract: contract, Function: "f", Args: []clarity.Value{clarity.NewUInt(arg)}}))
	}
	ids := [][32]byte{call(0, 1), call(1, 2)}
	state := must(t)(w.Mine(1))
	for i, want := range []string{"(err u404)", "(ok u7)"} {
		if tx, _ := state.Transaction(ids[i]); clarity.Repr(tx.Result) != want || tx.Aborted() != (i == 0) {
			t.Errorf("call %d: %s, aborted %v", i, clarity.Repr(tx.Result), tx.Aborted())
		}
	}
}

func TestAReorganisationOfBlocksThatCarryNothingReplacesThem(t *testing.T) {
	w, _ := newTestWorld(t, frozen)
	was := w.State()
	seen := map[string]bool{was.View.TipIndex().String(): true}
	for range 3 {
		state := must(t)(w.Reorg(3))
		seen[state.View.TipIndex().String()] = true
		for back, same := range []bool{false, false, false, true} {
			a, _ := was.View.Block(was.Tip().Height - int64(back))
			b, _ := state.View.Block(was.Tip().Height - int64(back))
			if (a.Hash == b.Hash) != same {
				t.Errorf("%d blocks below the tip: same hash %v", back, !same)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d different tips after three reorganisations", len(seen))
	}
}
