package world

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// wallClock is a wall clock that a test moves.
type wallClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *wallClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *wallClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newOptions(t testing.TB, change ...func(*Options)) (*Options, *wallClock) {
	t.Helper()
	c, err := chain.New(chain.Params{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	clock := &wallClock{at: start}
	o := &Options{Chain: c, Now: clock.now}
	for _, f := range change {
		f(o)
	}
	return o, clock
}

func newTestWorld(t testing.TB, change ...func(*Options)) (*World, *wallClock) {
	t.Helper()
	o, clock := newOptions(t, change...)
	return New(o), clock
}

func frozen(o *Options) { o.Clock = chain.Clock{Frozen: true, At: start.UnixMilli()} }

type signer struct{ key *secp256k1.PrivateKey }

func signerOf(name string) signer {
	seed := sha256.Sum256([]byte(name))
	return signer{secp256k1.PrivKeyFromBytes(seed[:])}
}

func (s signer) hash160() [20]byte { return stxtx.Hash160(s.key.PubKey().SerializeCompressed()) }

func (s signer) principal(mainnet bool) clarity.Principal {
	c := stxtx.SpendingCondition{Signer: s.hash160()}
	return clarity.Principal{Address: c.Address(mainnet)}
}

func (s signer) signed(t testing.TB, mainnet bool, nonce uint64, payload stxtx.Payload) []byte {
	t.Helper()
	tx := &stxtx.Transaction{
		Version: stxtx.VersionTestnet, ChainID: stxtx.ChainIDTestnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: payload,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: s.hash160(), Nonce: nonce, Fee: 300}},
	}
	if mainnet {
		tx.Version, tx.ChainID = stxtx.VersionMainnet, stxtx.ChainIDMainnet
	}
	err := tx.SignOrigin(func(hash [32]byte) (out stxtx.Signature) {
		compact := ecdsa.SignCompact(s.key, hash[:], true)
		out[0] = compact[0] - 31
		copy(out[1:], compact[1:])
		return out
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func (s signer) pays(t testing.TB, nonce, amount uint64, to signer) []byte {
	t.Helper()
	return s.signed(t, true, nonce, stxtx.TokenTransfer{Recipient: to.principal(true), Amount: amount})
}

func mustSubmit(t testing.TB, w *World, raw []byte) [32]byte {
	t.Helper()
	id, rejection := w.Submit(raw)
	if rejection != nil {
		t.Fatalf("%v %+v", rejection, rejection.Data)
	}
	return id
}

func must(t testing.TB) func(State, error) State {
	return func(s State, err error) State {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// shown is everything that a state shows.
func shown(s State) string {
	var out bytes.Buffer
	out.Write(s.View.AppendBlocks(nil, 30, 0))
	for _, name := range []string{"alice", "bob", "carol"} {
		for _, mainnet := range []bool{true, false} {
			p := signerOf(name).principal(mainnet)
			n := s.Nonces(p)
			fmt.Fprintf(&out, "\n%s %+v next %d missing %v pending %v", p, s.Account(p), n.Next, n.Missing, n.Pending)
			for t := range s.Ledger(p).Mined() {
				fmt.Fprintf(&out, "\nmined %x at %d", t.ID, t.Height)
			}
			for t := range s.Ledger(p).Mempool() {
				fmt.Fprintf(&out, "\nwaits %x for %d", t.ID, t.Height)
			}
		}
	}
	fmt.Fprintf(&out, "\nclock %d frozen %v, %d answers", s.View.NowMS(), s.Frozen(), s.Contracts().Len())
	return out.String()
}

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
				must(t)(w.SetAccount(bob.principal(false), &balance, nil))
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
	if block, _ := state.View.Block(state.Tip().Height); state.View.TxIndex(&block, id) < 0 || state.View.TxIndex(&block, other) < 0 {
		t.Error("the block has them not")
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
	block, _ := state.View.Block(height + 1)
	at := [3]int{}
	for i, id := range [][32]byte{first, second, third} {
		at[i] = state.View.TxIndex(&block, id)
	}
	if at[0] < 0 || at[1] != at[0]+1 || at[2] != at[1]+1 {
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
					body := string(state.View.AppendRecord(nil, &b))
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
		t.Error("a world does not begin as the first one stood")
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
	if all.Len() != maxWorlds || get("a") != a {
		t.Errorf("%d worlds; one that was used is gone", all.Len())
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
	total := new(Total)
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
	total.n.Store(maxTotal)
	few := Requests{total: total}
	for range 2 * minRequests {
		few.Add(Request{})
	}
	if all, _ := few.After(0); len(all) != minRequests || all[0].N != minRequests+1 {
		t.Errorf("when all is full: %d requests, from %d", len(all), all[0].N)
	}
	total.n.Store(0)
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
	if got := total.n.Load(); got < -minRequests || got > 0 {
		t.Errorf("%d requests are counted after all are forgotten", got)
	}
}

// BenchmarkNewWorld makes worlds that take the place of others.
func BenchmarkNewWorld(b *testing.B) {
	root, _ := newTestWorld(b, frozen)
	all := root.Worlds()
	b.ReportAllocs()
	for i := range b.N {
		if _, err := all.Get(fmt.Sprint(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSnapshotAndRevert goes back over a mined transfer.
func BenchmarkSnapshotAndRevert(b *testing.B) {
	w, _ := newTestWorld(b, frozen)
	for n := range uint64(500) {
		who := signerOf(fmt.Sprint(n % 100))
		mustSubmit(b, w, who.pays(b, n/100, 1, signerOf("bob")))
	}
	must(b)(w.Mine(1))
	b.Run("snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, _, err := w.Snapshot("s"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("revert", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			must(b)(w.Revert("s"))
		}
	})
	raw := signerOf("alice").pays(b, 0, 1, signerOf("bob"))
	b.Run("submit, mine and revert", func(b *testing.B) {
		for range b.N {
			mustSubmit(b, w, raw)
			must(b)(w.Mine(1))
			must(b)(w.Revert("s"))
		}
	})
}

// BenchmarkMemoryOfWorlds holds 1,000 worlds in each of which a transfer was
// mined and five snapshots taken.
func BenchmarkMemoryOfWorlds(b *testing.B) {
	root, _ := newTestWorld(b, frozen)
	raw := signerOf("alice").pays(b, 0, 1, signerOf("bob"))
	for range b.N {
		b.ReportMetric(heapOf(func() any {
			all := root.Worlds()
			for i := range 1_000 {
				w, _ := all.Get(fmt.Sprint(i))
				w.Requests.Add(Request{Path: "/extended/v1/block"})
				mustSubmit(b, w, raw)
				for range 5 {
					w.Snapshot("")
				}
				must(b)(w.Mine(1))
				w.State()
			}
			return all
		})/(1<<20), "MiB/1000worlds")
	}
}
