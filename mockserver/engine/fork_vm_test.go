//go:build clarity

package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/fork/forktest"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// onward has the heights of a chain that goes on from the block: 60 of its own belong to its burn block.
type onward struct{}

func (onward) Tenure(height int64) (burn, next int64) {
	j := max(0, height-forktest.Height-1) / 60
	return 961_000 + j, forktest.Height + 1 + (j+1)*60
}

// costs are the sources of the contracts by which costs are counted, which a live chain has.
var costs = sync.OnceValues(func() (map[string]string, error) {
	e := engine.New(engine.Options{Command: noted(os.DevNull), Genesis: 1_700_000_000, Epoch: "4.0"})
	defer e.Close()
	s, all := e.NewSession(sixty{}, nil), map[string]string{}
	for _, name := range []string{"cost-voting", "costs-4", "costs-5"} {
		text, err := s.Builtin("SP000000000000000000002Q6VF78." + name)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
})

// live is a session on a fork of a node.
type live struct {
	t       testing.TB
	node    *forktest.Node
	source  *fork.Source
	engine  *engine.Engine
	session *engine.Session
	ledger  ledger.Ledger
	nonce   uint64
	unread  int // how often something could not be read and was tried again
}

func newNode(t testing.TB) *forktest.Node {
	t.Helper()
	sources, err := costs()
	if err != nil {
		t.Fatal(err)
	}
	n := forktest.New(t)
	n.SetCosts(sources)
	return n
}

func newLive(t testing.TB, n *forktest.Node, change func(*fork.Options)) *live {
	t.Helper()
	height := int64(forktest.Height)
	o := fork.Options{Client: n.Client(t), Height: &height, Pause: time.Millisecond, Patience: time.Minute}
	if change != nil {
		change(&o)
	}
	s := &live{t: t, node: n, ledger: ledger.New()}
	var err error
	for s.source, err = fork.Open(context.Background(), o); err != nil; s.source, err = fork.Open(context.Background(), o) {
		s.again(err)
	}
	s.ledger.SetOrigin(func(hash160 [20]byte, contract string) (uint64, uint64) {
		if contract == "" && hash160 == principal(t, forktest.Holder).Address.Hash160 {
			return 123_000_000, 17
		}
		return 0, 0
	})
	s.engine = engine.New(engine.Options{Command: noted(filepath.Join(t.TempDir(), "pid")), Epoch: "4.0", Fork: s.source})
	s.session = s.engine.NewSession(onward{}, nil)
	t.Cleanup(func() { s.engine.Close(); s.source.Close() })
	return s
}

// again fails the test, unless something could not be read: then it is tried again.
func (s *live) again(err error) {
	s.t.Helper()
	var unread *fork.UnreadError
	if s.unread++; !errors.As(err, &unread) || s.unread > 200 {
		s.t.Fatal(err)
	}
}

func (s *live) run(after *engine.Point, height int64, sender string, payload stxtx.Payload) (ledger.Effect, *engine.Point) {
	s.nonce++
	signer := principal(s.t, sender).Address
	tx := ledger.Mined(&stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth:    stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: signer.Hash160, Nonce: s.nonce}},
		Payload: payload,
	}, [32]byte{byte(s.nonce)}, height)
	for {
		does, then := s.session.Run(after, &s.ledger, tx)
		if does.Unread == nil {
			return does, then
		}
		if then != after {
			s.t.Fatal("what could not be read is kept")
		}
		s.again(does.Unread)
	}
}

func (s *live) call(after *engine.Point, height int64, sender, contract, function string, args ...clarity.Value) (ledger.Effect, *engine.Point) {
	return s.run(after, height, sender, stxtx.ContractCall{Contract: principal(s.t, contract), Function: function, Args: args})
}

func (s *live) read(at *engine.Point, height int64, contract, function string, args ...clarity.Value) string {
	s.t.Helper()
	for {
		v, failure, err := s.session.Read(engine.State{Point: at, Height: height, Balances: &s.ledger}, stxtx.ContractCall{Contract: principal(s.t, contract), Function: function, Args: args}, principal(s.t, forktest.Holder), false)
		switch {
		case err != nil:
			s.again(err)
			continue
		case failure != nil:
			return "failed: " + failure.Cause()
		}
		return clarity.Repr(v)
	}
}

func literals(t testing.TB, all []string) (out []clarity.Value) {
	t.Helper()
	for _, text := range all {
		if strings.HasPrefix(text, "SP") {
			text = "'" + text
		}
		v, err := clarity.ParseLiteral(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// steps does what the official SDK has done on the node, and compares.
func (s *live) steps(height int64, at *engine.Point) *engine.Point {
	s.t.Helper()
	for i, step := range forktest.Said(s.t) {
		args := literals(s.t, step.Arguments)
		if step.Read != "" {
			got := strings.ReplaceAll(s.read(at, height, step.Read, step.Function, args...), "'", "") // which the SDK leaves out
			if got != step.Result {
				s.t.Fatalf("%d: %s answers %s, the SDK %s", i, step.Function, got, step.Result)
			}
			continue
		}
		does, then := s.call(at, height, step.Sender, step.Call, step.Function, args...)
		if at = then; clarity.Repr(does.Result) != step.Result || does.Error != "" || does.Trace != step.Trace {
			s.t.Fatalf("%d: %s answers %s %s, the SDK %s\n%s\nthe SDK\n%s", i, step.Function, clarity.Repr(does.Result), does.Error, step.Result, does.Trace, step.Trace)
		}
		var got []string
		for _, m := range does.Moves {
			what := fmt.Sprint(m.Amount)
			if m.Token != nil {
				what = must(clarity.EncodeHex(m.Token))
			}
			got = append(got, fmt.Sprintf("%s %s %s %s", m.Asset, what, party(m.From), party(m.To)))
		}
		for _, p := range does.Prints {
			got = append(got, fmt.Sprintf("%s %s", p.Contract, must(clarity.EncodeHex(p.Value))))
		}
		if want := events(s.t, step.Events); !reflect.DeepEqual(got, want) {
			s.t.Fatalf("%d: %s has the events %q, with the SDK %q", i, step.Function, got, want)
		}
	}
	return at
}

func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

// party names the sender or the recipient of a token, "" where it was made or burned.
func party(p *clarity.Principal) string {
	if p == nil {
		return ""
	}
	return p.String()
}

func events(t testing.TB, all []json.RawMessage) (out []string) {
	t.Helper()
	for _, text := range all {
		var e struct {
			Data struct {
				Amount    string
				Asset     string `json:"asset_identifier"`
				Contract  string `json:"contract_identifier"`
				Sender    string
				Recipient string
				Raw       string `json:"raw_value"`
			}
		}
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		d := e.Data
		switch {
		case d.Asset == "":
			out = append(out, d.Contract+" "+d.Raw[2:])
		case d.Amount == "": // one token that is not fungible
			out = append(out, fmt.Sprintf("%s %s %s %s", d.Asset, d.Raw[2:], d.Sender, d.Recipient))
		default:
			out = append(out, fmt.Sprintf("%s %s %s %s", d.Asset, d.Amount, d.Sender, d.Recipient))
		}
	}
	return out
}

const (
	h     = forktest.Height
	tally = forktest.Deployer + ".tally"
)

func TestAForkInTheVirtualMachineAnswersAsTheSDK(t *testing.T) {
	var mu sync.Mutex
	named := map[string]bool{}
	s := newLive(t, newNode(t), func(o *fork.Options) {
		o.OnRead = func(r fork.Request) {
			mu.Lock()
			defer mu.Unlock()
			named[r.What] = true
		}
	})
	s.steps(h+1, nil)
	mu.Lock()
	defer mu.Unlock()
	for _, what := range []string{"an entry of the map limits of " + forktest.Deployer + ".coin", "the balance of " + forktest.Holder + " in the token silver of " + forktest.Deployer + ".coin", "the owner of a token medal of " + forktest.Deployer + ".badge"} {
		if !named[what] {
			t.Errorf("%s was read under another name: %q", what, slices.Sorted(maps.Keys(named)))
		}
	}
}

// own calls contracts of the live chain.
const own = `(define-data-var seen uint u0)
(define-public (go (n uint)) (begin (var-set seen (+ n (var-get seen))) (contract-call? '` + tally + ` add n)))
(define-public (too-much) (begin (try! (go u1000)) (err u9)))
(define-public (under) (begin (try! (go u1000)) (ok (- u0 u1))))
(define-read-only (all) (list (var-get seen) (contract-call? '` + tally + ` get-count)))
(define-read-only (where) (list stacks-block-height burn-block-height tenure-height chain-id (if is-in-mainnet u1 u0)))
(define-read-only (has (who principal)) (stx-get-balance who))
(define-public (pay (n uint) (to principal)) (stx-transfer? n tx-sender to))`

func (s *live) deploy(after *engine.Point, height int64) (*engine.Point, string) {
	does, then := s.run(after, height, forktest.Holder, stxtx.SmartContract{Name: "own", Code: own, ClarityVersion: 3})
	if does.Error != "" || then == after {
		s.t.Fatalf("the deploy: %s", does.Error)
	}
	return then, forktest.Holder + ".own"
}

// Contracts of one's own call live ones, what fails changes nothing, going back takes back, and heights go on.
func TestOwnContractsOnAForkInTheVirtualMachine(t *testing.T) {
	s := newLive(t, newNode(t), nil)
	want := func(got, want string) {
		t.Helper()
		if got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	want(s.read(nil, h, tally, "get-count"), "u12")
	first, id := s.deploy(nil, h+1)
	want(s.read(first, h+1, id, "all"), "(list u0 u12)")
	want(s.read(first, h+1, id, "where"), "(list u8700001 u961000 u300000 u1 u1)")
	want(s.read(first, h+61, id, "where"), "(list u8700061 u961001 u300001 u1 u1)")
	does, second := s.call(first, h+2, forktest.Holder, id, "go", clarity.NewUInt(5))
	want(clarity.Repr(does.Result), "(ok u17)")
	does, _ = s.call(second, h+2, forktest.Holder, id, "too-much")
	want(clarity.Repr(does.Result), "(err u9)")
	does, _ = s.call(second, h+3, forktest.Holder, id, "under")
	want(strings.Split(does.Error, " ")[0], "ArithmeticUnderflow")
	want(s.read(second, h+70, id, "all"), "(list u5 u17)")
	want(s.read(first, h+2, id, "all"), "(list u0 u12)")
	want(s.read(nil, h+2, tally, "get-count"), "u12")
	does, _ = s.call(nil, h+1, forktest.Holder, tally, "add", clarity.NewUInt(1))
	want(clarity.Repr(does.Result), "(ok u13)")
	want(s.read(second, h+2, tally, "get-count"), "u17")
	want(s.read(second, h+2, forktest.Deployer+".nothing", "go"), "failed: Contract '"+forktest.Deployer+".nothing' does not exist")
}

// What the machine sees of balances is what the ledger has: the live one, less a fee.
func TestBalancesOnAForkInTheVirtualMachine(t *testing.T) {
	n := newNode(t)
	n.Set(forktest.Value("vm-account::"+forktest.Holder+"::19"), 200, fmt.Sprintf(`{"data":"%032x%032x%016x"}`, 123_000_000, 0, 0))
	n.Set("/v2/accounts/"+forktest.Holder+"?proof=0&tip="+forktest.IndexHash[2:], 200, `{"balance":"0x754d4c0","locked":"0x0","unlock_height":0,"nonce":17}`)
	s := newLive(t, n, nil)
	at, id := s.deploy(nil, h+1)
	holder := principal(t, forktest.Holder)
	if got := s.read(at, h+1, id, "has", holder); got != "u123000000" {
		t.Errorf("it has %s", got)
	}
	left := uint64(122_000_000)
	if err := s.ledger.SetAccount(holder, &left, nil); err != nil {
		t.Fatal(err)
	}
	if got := s.read(at, h+1, id, "has", holder); got != "u122000000" {
		t.Errorf("after a fee it has %s", got)
	}
	does, at := s.call(at, h+2, forktest.Holder, id, "pay", clarity.NewUInt(7), principal(t, forktest.Deployer))
	if clarity.Repr(does.Result) != "(ok true)" || s.read(at, h+2, id, "has", principal(t, forktest.Deployer)) != "u7" {
		t.Errorf("%s %s", clarity.Repr(does.Result), does.Error)
	}
}

// scene is a block of ten with a deploy in its middle, and what there is after it.
func (s *live) scene() string {
	at, out := (*engine.Point)(nil), []string{s.read(nil, h, tally, "get-count")}
	note := func(does ledger.Effect, then *engine.Point) {
		out = append(out, clarity.Repr(does.Result)+does.Error)
		at = then
	}
	note(s.call(at, h+1, forktest.Holder, tally, "add", clarity.NewUInt(1)))
	for range 3 {
		note(s.call(at, h+2, forktest.Holder, forktest.Deployer+".desk", "bump", clarity.NewUInt(10)))
	}
	then, id := s.deploy(at, h+2)
	at = then
	for i := range 3 {
		note(s.call(at, h+2, forktest.Holder, id, "go", clarity.NewUInt(uint64(i))))
		note(s.call(at, h+2, forktest.Holder, forktest.Deployer+".coin", "transfer", clarity.NewUInt(uint64(100*(i+1))), principal(s.t, forktest.Holder), principal(s.t, forktest.Deployer), clarity.None{}))
	}
	for _, who := range []string{forktest.Holder, forktest.Deployer} {
		out = append(out, s.read(at, h+3, forktest.Deployer+".coin", "get-balance", principal(s.t, who)))
	}
	return strings.Join(append(out, s.read(at, h+3, id, "all")), "\n")
}

// givesUp is the number of requests of a path that fail before it could not be read; after the limit of a server it
// is only waited.
func givesUp(fault forktest.Fault) int {
	switch fault {
	case forktest.Limited:
		return 3
	case forktest.Away, forktest.Reset, forktest.Cut:
		return 30 // each try of the source is some of its client and of the connection
	}
	return 4
}

// Each request of a scene, one after the other, has a fault for so long that it could not be read. What
// it is for is thrown away and done again: the scene ends as without, and nothing is taken as absent.
func TestFaultsOfAForkInTheVirtualMachine(t *testing.T) {
	plain := newLive(t, newNode(t), nil)
	want := plain.scene()
	requests := plain.node.Requests()
	t.Logf("%d requests, %s", len(requests), strings.ReplaceAll(want, "\n", ", "))
	for _, fault := range forktest.Faults {
		n, failed := newNode(t), map[string]int{}
		n.Fail(func(_ int, path string) forktest.Fault {
			if failed[path]++; failed[path] <= givesUp(fault) {
				return fault
			}
			return forktest.None
		})
		s := newLive(t, n, nil)
		if got := s.scene(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", fault, got, want)
		}
		if failed := len(requests); fault != forktest.Limited && s.unread < failed || fault == forktest.Limited && s.unread != 0 {
			t.Errorf("%s: %d times something could not be read, of %d requests", fault, s.unread, failed)
		}
		s.engine.Close()
	}
}

// A process that is killed while it waits for a value is started again, and nothing is lost or read twice.
func TestAForkInTheVirtualMachineIsKilled(t *testing.T) {
	plain := newLive(t, newNode(t), nil)
	want := plain.scene()
	n := newNode(t)
	dir := t.TempDir()
	s := newLive(t, n, func(o *fork.Options) { o.Cache = dir })
	file := filepath.Join(t.TempDir(), "pid")
	s.engine = engine.New(engine.Options{Command: noted(file), Epoch: "4.0", Fork: s.source})
	t.Cleanup(s.engine.Close)
	s.session = s.engine.NewSession(onward{}, nil)
	killed := make(chan int, 1)
	n.Fail(func(at int, path string) forktest.Fault {
		if at == 20 {
			id := pid(t, file)
			_ = syscall.Kill(id, syscall.SIGKILL)
			killed <- id
		}
		return forktest.None
	})
	if got := s.scene(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	gone(t, <-killed)
	seen := map[string]int{}
	for _, path := range n.Requests() {
		if seen[path]++; seen[path] > 1 {
			t.Errorf("%s was requested %d times", path, seen[path])
		}
	}
	n.Fail(func(int, string) forktest.Fault { return forktest.Reset }) // and the second time without a network
	again := newLive(t, n, func(o *fork.Options) { o.Cache, o.Offline = dir, true })
	if got := again.scene(); got != want {
		t.Errorf("offline: %s\nwant %s", got, want)
	}
}
