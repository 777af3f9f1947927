package engine_test

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/engine/enginetest"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

func TestMain(m *testing.M) {
	enginetest.ServeIfRequested()
	os.Exit(m.Run())
}

// sixty is a chain with sixty blocks in every burn block.
type sixty struct{}

func (sixty) Tenure(height int64) (burn, next int64) {
	burn = (height-1)/60 + 1
	return burn, burn*60 + 1
}

// stage is a chain with one session, on which a test runs transactions.
type stage struct {
	t        *testing.T
	engine   *engine.Engine
	session  *engine.Session
	ledger   ledger.Ledger
	reported []string
	nonce    uint64
}

func newStage(t *testing.T, o engine.Options) *stage {
	t.Helper()
	s := &stage{t: t, ledger: ledger.New()}
	if o.Command == nil {
		o.Command = enginetest.Command()
	}
	o.Genesis, o.Epoch, o.Report = 1_700_000_000, "3.3", func(m string) { s.reported = append(s.reported, m) }
	s.engine = engine.New(o)
	s.session = s.engine.NewSession(sixty{}, nil)
	t.Cleanup(s.engine.Close)
	return s
}

const (
	alice = "ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5"
	bob   = "ST2CY5V39NHDPWSXMW9QDT3HC3GD6Q6XX4CFRK9AG"
)

func principal(t testing.TB, text string) clarity.Principal {
	t.Helper()
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tx makes a transaction of alice's that a block has.
func (s *stage) tx(height int64, payload stxtx.Payload) *ledger.Tx {
	signer := principal(s.t, alice).Address.Hash160
	s.nonce++
	return ledger.Mined(&stxtx.Transaction{
		Version: stxtx.VersionTestnet, ChainID: stxtx.ChainIDTestnet,
		Auth:    stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: signer, Nonce: s.nonce}},
		Payload: payload,
	}, [32]byte{byte(s.nonce)}, height)
}

func (s *stage) contract() clarity.Principal { return principal(s.t, alice+".c") }

func (s *stage) deploy(after *engine.Point, height int64, source string) (ledger.Effect, *engine.Point) {
	return s.session.Run(after, &s.ledger, s.tx(height, stxtx.SmartContract{Name: "c", Code: source, ClarityVersion: 4}))
}

func (s *stage) call(after *engine.Point, height int64, function string, args ...clarity.Value) (ledger.Effect, *engine.Point) {
	return s.session.Run(after, &s.ledger, s.tx(height, stxtx.ContractCall{Contract: s.contract(), Function: function, Args: args}))
}

// read calls a read-only function; it fails the test if there is no answer.
func (s *stage) read(at *engine.Point, height int64, function string, args ...clarity.Value) string {
	s.t.Helper()
	v, failure, err := s.session.Read(engine.State{Point: at, Height: height, Balances: &s.ledger}, stxtx.ContractCall{Contract: s.contract(), Function: function, Args: args}, principal(s.t, bob), false)
	if err != nil || failure != nil {
		s.t.Fatalf("%s: %v %v", function, err, failure)
	}
	return clarity.Repr(v)
}

func (s *stage) want(got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("got %s, want %s", got, want)
	}
}

func TestASessionGoesForwardAndBack(t *testing.T) {
	s := newStage(t, engine.Options{})
	does, deployed := s.deploy(nil, 10, "")
	if does.Error != "" || deployed.Depth() != 1 {
		t.Fatalf("%+v", does)
	}
	if c, ok := deployed.Contract(s.contract()); !ok || len(c.Interface.Functions) < 6 {
		t.Errorf("the contract is %+v", c)
	}
	five, one := s.call, deployed
	does, one = five(one, 11, "add", clarity.NewUInt(5))
	s.want(clarity.Repr(does.Result), "(ok u5)")
	if len(does.Prints) != 1 || does.Cost.Runtime != 300 {
		t.Errorf("it prints %v and costs %v", does.Prints, does.Cost)
	}
	_, two := s.call(one, 70, "add", clarity.NewUInt(3))
	s.want(s.read(two, 70, "total"), "u8")
	s.want(s.read(two, 200, "when"), "(list u200 u4)")
	s.want(s.read(one, 60, "total"), "u5")
	s.want(s.read(one, 60, "when"), "(list u60 u1)")
	s.want(s.read(two, 121, "when"), "(list u121 u3)")
	// What was run and not gone on from is not in effect.
	s.call(two, 300, "add", clarity.NewUInt(100))
	s.want(s.read(two, 300, "total"), "u8")
	_, other := s.call(one, 61, "add", clarity.NewUInt(2))
	s.want(s.read(other, 61, "total"), "u7")
	s.want(s.read(two, 70, "total"), "u8")
	if two.Before(70) != one || two.Before(11) != deployed || two.Before(10) != nil {
		t.Error("the points before are others")
	}
	if v, err := s.session.Variable(engine.State{Point: two, Height: 70, Balances: &s.ledger}, s.contract(), "total"); err != nil || clarity.Repr(v) != "u8" {
		t.Errorf("the variable is %v: %v", v, err)
	}
}

func TestBalancesAreThoseOfTheLedger(t *testing.T) {
	s := newStage(t, engine.Options{})
	who := principal(t, bob)
	_, p := s.deploy(nil, 10, "")
	s.want(s.read(p, 10, "has", who), "u1000000000000")
	does, p := s.call(p, 11, "pay", clarity.NewUInt(40), who)
	if len(does.Moves) != 1 || does.Moves[0].Amount.Cmp(big.NewInt(40)) != 0 || does.Moves[0].To.String() != bob {
		t.Fatalf("it moves %+v", does.Moves)
	}
	// The ledger has it from the effect; here it is set by hand.
	given := uint64(1_000_000_000_040)
	if err := s.ledger.SetAccount(who, &given, nil); err != nil {
		t.Fatal(err)
	}
	s.want(s.read(p, 11, "has", who), "u1000000000040")
	less := uint64(17)
	if err := s.ledger.SetAccount(who, &less, nil); err != nil {
		t.Fatal(err)
	}
	s.want(s.read(p, 12, "has", who), "u17")
}

// What cannot be prepared for a call is why the call fails, and nothing of it is in effect.
func TestACallForWhichNothingCanBePreparedFails(t *testing.T) {
	s := newStage(t, engine.Options{})
	who := principal(t, bob)
	_, p := s.deploy(nil, 10, "")
	s.want(s.read(p, 10, "has", who), "u1000000000000")
	given := uint64(1_000_000_000_013)
	if err := s.ledger.SetAccount(who, &given, nil); err != nil {
		t.Fatal(err)
	}
	does, after := s.call(p, 11, "add", clarity.NewUInt(5))
	s.want(does.Error, "mock: the Clarity engine: 13 micro-STX bring no luck")
	if after != p {
		t.Error("it is kept")
	}
	given++
	if err := s.ledger.SetAccount(who, &given, nil); err != nil {
		t.Fatal(err)
	}
	s.want(s.read(p, 11, "has", who), "u1000000000014")
	does, _ = s.call(p, 11, "add", clarity.NewUInt(3))
	s.want(clarity.Repr(does.Result), "(ok u3)")
}

func TestFailuresSayWhere(t *testing.T) {
	s := newStage(t, engine.Options{})
	does, p := s.deploy(nil, 10, "(broken)")
	if p != nil || does.Error != "1:2: use of unresolved function 'broken'" || clarity.Repr(does.Result) != "(err none)" {
		t.Errorf("a deploy that is refused: %+v", does)
	}
	for source, want := range map[string]string{
		";; broken? no\n(define-public (go-broken)\n  (broken u1))": "3:4: use of unresolved function 'broken'",
		"(define-public (broken) (ok u1)":                           "1:1: ",
		"unplaced-name\n  (ok (unplaced-name u1 2))":                "2:8: use of unresolved function 'unplaced-name'",
		"(impl-trait .traits.nope)":                                 "1:21: use of undeclared trait <nope>",
		"(ok)\n(impl-trait .traits.yes)":                            "2:21: invalid signature for method 'other' regarding trait's specification <yes>",
		"(define-constant x (/ u1 u0))":                             "Runtime(DivisionByZero)",
		";; (at-block\n(define-read-only (f)\n  (at-block h u1))":   "3:4: (at-block ...) is not available in this epoch",
		"(print u1)\n(define-constant slice? u1)":                   "2:18: defining 'slice?' conflicts with previous value",
		"(try! (err u1))":                                           "EarlyReturn(UnwrapFailed)",
		"unplaced-name\n  (ok (other))":                             "2:3: use of unresolved function 'unplaced-name'",
	} {
		if does, _ = s.deploy(nil, 10, source); !strings.HasPrefix(does.Error, want) {
			t.Errorf("%q: %q, want %s", source, does.Error, want)
		}
	}
	_, p = s.deploy(nil, 11, "")
	does, after := s.call(p, 12, "fail")
	if after != p || !strings.HasPrefix(does.Error, "ArithmeticUnderflow at c:3:9 in ( - u0 u1 )") || clarity.Repr(does.Result) != "(err none)" {
		t.Errorf("a call that fails: %+v", does)
	}
	does, after = s.call(p, 12, "no")
	if after != p || does.Error != "" || clarity.Repr(does.Result) != "(err u7)" {
		t.Errorf("a call that answers err: %+v", does)
	}
}

// A process that goes wrong takes one transaction with it, and nothing else.
func TestAProcessThatGoesWrong(t *testing.T) {
	for function, want := range map[string]string{
		"die":     "ended: exit status 9: the machine is on fire",
		"hang":    "gave no answer to call within",
		"rubbish": `wrote "Segmentation fault", which is no answer`,
		"flood":   "wrote a line of more than",
		"chatter": "answered 1, which is no open request",
		"mute":    "ended: signal: killed",
	} {
		t.Run(function, func(t *testing.T) {
			limit := time.Minute
			if function == "hang" {
				limit = time.Second
			}
			s := newStage(t, engine.Options{CallTime: limit})
			_, p := s.deploy(nil, 10, "")
			_, p = s.call(p, 11, "add", clarity.NewUInt(5))
			does, after := s.call(p, 12, function)
			if after != p || clarity.Repr(does.Result) != "(err none)" || !strings.HasPrefix(does.Error, "mock: the Clarity engine") || !strings.Contains(does.Error, want) {
				t.Fatalf("it says %q, and wants %q", does.Error, want)
			}
			does, p = s.call(p, 13, "add", clarity.NewUInt(1))
			s.want(clarity.Repr(does.Result), "(ok u6)")
			s.want(s.read(p, 13, "total"), "u6")
			if len(s.reported) == 0 {
				t.Error("nothing was reported")
			}
		})
	}
}

// Time that passes is no call: however many blocks there are to make, no call is too slow for it.
func TestTimeThatPassesIsNoCall(t *testing.T) {
	s := newStage(t, engine.Options{CallTime: 300 * time.Millisecond})
	_, p := s.deploy(nil, 10, "")
	does, p := s.call(p, 600_000, "add", clarity.NewUInt(5))
	s.want(clarity.Repr(does.Result), "(ok u5)")
	s.want(s.read(p, 1_200_000, "when"), "(list u1200000 u20000)")
	if len(s.reported) > 0 {
		t.Errorf("it reported %q", s.reported)
	}
	// What is only tried there does not take the blocks back.
	before := s.engine.Status().Memory
	for range 3 {
		does, _ = s.call(p, 1_200_000, "add", clarity.NewUInt(1))
		s.want(clarity.Repr(does.Result), "(ok u6)")
	}
	s.want(s.read(p, 1_200_001, "total"), "u5")
	if after := s.engine.Status().Memory; after-before > 10 {
		t.Errorf("%d blocks were made again", after-before)
	}
}

func TestWhatIsNoEngine(t *testing.T) {
	for name, c := range map[string]struct {
		command []string
		want    string
	}{
		"no program":       {[]string{filepath.Join(t.TempDir(), "nothing")}, "nothing"},
		"another program":  {[]string{"go", "version"}, "which is no hello of the protocol"},
		"one that is mute": {[]string{"go", "env", "-u", "X"}, "ended"},
	} {
		e := engine.New(engine.Options{Command: c.command})
		err := e.Warm(context.Background())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		e.Close()
	}
}

func TestTheEngineIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := engine.Find("", dir); !errors.Is(err, engine.ErrMissing) || !strings.Contains(err.Error(), engine.Install) {
		t.Errorf("without an engine: %v", err)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chainscope-clarity", "chainscope-clarity.cmd"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	found, err := engine.Find("", t.TempDir(), dir)
	if err != nil || len(found) != 1 || !strings.HasPrefix(found[0], bin) {
		t.Errorf("it is found as %v: %v", found, err)
	}
	if found, err = engine.Find(os.Args[0] + " --flag"); err != nil || len(found) != 2 || found[1] != "--flag" {
		t.Errorf("a command is %v: %v", found, err)
	}
	for _, bad := range []string{" ", filepath.Join(dir, "nothing")} {
		if _, err := engine.Find(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Contracts of a multisig address keep it.
func TestWhatIsStagedIsOfItsSender(t *testing.T) {
	for _, address := range []string{alice, "SN3R84XZYA63QS28932XQF3G1J8R9PC3W76P9CSQS"} {
		s := engine.Staged{Sender: principal(t, address), Payload: stxtx.SmartContract{Name: "c", Code: "(ok)"}}
		tx, id, err := s.Transaction(3)
		if err != nil {
			t.Fatal(err)
		}
		if got := ledger.Mined(tx, id, 2).Principal().String(); got != address {
			t.Errorf("what %s stages is of %s", address, got)
		}
	}
}

// Two chains on one program read at the same time, each at points of its own: no answer is that of
// the other.
func TestTwoCallersOfOneEngineGetTheirOwnAnswers(t *testing.T) {
	s := newStage(t, engine.Options{})
	other := *s
	other.ledger, other.session = ledger.New(), s.engine.NewSession(sixty{}, nil)
	type caller struct {
		stage  *stage
		points []*engine.Point
		sums   []uint64
	}
	callers := []*caller{{stage: s}, {stage: &other}}
	for i, c := range callers {
		_, at := c.stage.deploy(nil, 10, "")
		sum := uint64(0)
		for n := range uint64(4) {
			by := n + 1 + 100*uint64(i)
			_, at = c.stage.call(at, int64(11+n), "add", clarity.NewUInt(by))
			sum += by
			c.points, c.sums = append(c.points, at), append(c.sums, sum)
		}
	}
	var wait sync.WaitGroup
	for _, c := range callers {
		for i := range c.points {
			wait.Go(func() {
				for range 20 {
					v, failure, err := c.stage.session.Read(engine.State{Point: c.points[i], Height: 20, Balances: &c.stage.ledger},
						stxtx.ContractCall{Contract: s.contract(), Function: "total"}, principal(t, bob), false)
					if err != nil || failure != nil || clarity.Repr(v) != clarity.Repr(clarity.NewUInt(c.sums[i])) {
						t.Errorf("%v %v %v, want u%d", v, failure, err, c.sums[i])
						return
					}
				}
			})
		}
	}
	wait.Wait()
}
