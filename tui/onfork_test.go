package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// liveChain serves a chain as a live API does: it is no mock. Only the wallet makes sure of that.
func liveChain(t *testing.T) string {
	t.Helper()
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mock/") {
			if r.URL.Path != "/mock/v1/catalog" {
				t.Errorf("%s is requested of a live chain", r.URL.Path)
			}
			http.NotFound(w, r)
			return
		}
		mock.ServeHTTP(&plainWriter{ResponseWriter: w}, r)
	}))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return server.URL
}

// plainWriter leaves out by what a mock is recognized.
type plainWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *plainWriter) WriteHeader(status int) {
	for name := range w.Header() {
		if strings.HasPrefix(name, "X-Mock") {
			w.Header().Del(name)
		}
	}
	w.begun = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *plainWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// calledTxID is a call of a contract in the block 1004320 of seed 1, transferredTxID a transfer.
const (
	transferredTxID = "0xd609c04ddb589c25de597062fc2d1c1f35b20b38dd25d84a2c7cee43c23d050b"
	calledTxID      = "0x212122a38af0af47203bc7154dee34da1d9a57bb2a5c21058f5a3bda987287a9"
)

// again is a fork on paper, on which a transaction called what testdata has.
type again struct {
	costs   []string // what was requested, id and block
	ran     []string
	trace   apiclient.Trace
	err     error
	missing error
	during  func(ctx context.Context)
	// foreseen are the methods whose forecast was wanted.
	foreseen []string
}

func (a *again) onFork() *OnFork {
	return &OnFork{
		Costs: func(id string, block int64) (string, error) {
			a.costs = append(a.costs, fmt.Sprint(id, " ", block))
			return "It is read from there, some 2 minutes\x1b[31m.", a.missing
		},
		Trace: func(ctx context.Context, id string, progress func(string)) (apiclient.Answer[apiclient.Trace], error) {
			a.ran = append(a.ran, id)
			if len(a.ran) == 1 {
				progress("37 values of mainnet read\nthe balance of \x1b[31mSomebody")
			}
			if a.during != nil {
				a.during(ctx)
			}
			if ctx.Err() != nil {
				return apiclient.Answer[apiclient.Trace]{}, ctx.Err()
			}
			return apiclient.Answer[apiclient.Trace]{Value: a.trace, Raw: must(json.Marshal(a.trace))}, a.err
		},
		Forecast: func(ctx context.Context, d signer.Description, progress func(string)) (*node.Forecast, error) {
			a.foreseen = append(a.foreseen, d.Method)
			if len(a.foreseen) == 1 {
				progress("12 values of mainnet read")
			}
			if a.during != nil {
				a.during(ctx)
			}
			return &node.Forecast{Status: "success", Sentence: "it would succeed", Certainty: "likely"}, a.err
		},
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func replaying(t *testing.T, width, height int) (*again, *program) {
	t.Helper()
	a := &again{}
	if err := json.Unmarshal(must(os.ReadFile("testdata/trace/split.json")), &a.trace); err != nil {
		t.Fatal(err)
	}
	a.trace.Replayed, a.trace.Same = true, true
	o := plainOptions("mainnet")
	o.OnFork = a.onFork()
	p := startWith(t, width, height, liveChain(t), o)
	p.run(p.m.visit(nav.Transaction(calledTxID)))
	return a, p
}

// On a live chain the key of the calls says first what it costs; nothing runs before that is chosen, and then once.
func TestATransactionOfALiveChainIsRunAgainWhenItsCostWasSeen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		a, p := replaying(t, size[0], size[1])
		keysOf(p, "c")
		p.sees("some 2 minutes", "Run it again", "Not now")
		keysOf(p, "esc", "c", "n")
		if p.m.Place() != nav.Transaction(calledTxID) || len(a.ran) != 0 {
			t.Errorf("it is at %s and ran %q before it was chosen", p.m.Place(), a.ran)
		}
		if strings.Join(a.costs, ",") != calledTxID+" 1004320,"+calledTxID+" 1004320" {
			t.Errorf("the cost is of %q", a.costs)
		}
		keysOf(p, "c", "enter")
		p.sees("Calls of 0x", "13 of 13", "market.split(u0)", "result and events are those of the chain", "rolled back")
		keysOf(p, "esc", "c")
		p.sees("market.split(u0)")
		if p.m.Place() != nav.Trace(calledTxID) || len(a.ran) != 1 || a.ran[0] != calledTxID {
			t.Errorf("it is at %s and ran %q", p.m.Place(), a.ran)
		}
	}
}

// Where it went otherwise that is said above the calls, and why in the detail of each.
func TestWhatWentOtherwiseThanOnTheChainIsSaid(t *testing.T) {
	a, p := replaying(t, 120, 40)
	a.trace.Same, a.trace.Why = false, "it answers (ok u22)\x1b[31m, on the chain (ok u23)"
	keysOf(p, "c", "enter")
	p.sees("went otherwise than on the chain: it answers (ok u22)", "as on chain", "no", "why", "on the chain (ok u23)")
	if s := p.m.View(); strings.Contains(s, "\x1b[31m") {
		t.Error("a reason is trusted")
	}
}

// A bookmark leads to the calls, but does not run anything; there the same key says what it costs.
func TestABookmarkOfCallsRunsNothingByItself(t *testing.T) {
	a, p := replaying(t, 120, 40)
	p.run(p.m.visit(nav.Trace(calledTxID)))
	p.sees("Not known here", "c says what it costs")
	p.seesNot("status 404", "the request", "try again")
	if len(a.ran) != 0 || !p.m.currentScreen().Status().Again.IsZero() {
		t.Errorf("%q ran", a.ran)
	}
	keysOf(p, "c")
	p.sees("some 2 minutes")
	keysOf(p, "r")
	p.sees("market.split(u0)")
}

// What fails is said; what is missing to run it as well, and then nothing runs.
func TestWhatCannotBeRunAgain(t *testing.T) {
	a, p := replaying(t, 120, 40)
	a.err = errors.New("could not be read: the balance of X: status 500\x1b[31m")
	keysOf(p, "c", "enter")
	p.sees("could not be read: the balance of X", "again in 10s", "tries now")
	if strings.Contains(p.m.View(), "\x1b[31m") {
		t.Error("an error is trusted")
	}
	a.err = nil
	keysOf(p, "r") // what was read stays: it goes on
	p.sees("market.split(u0)")

	a, p = replaying(t, 120, 40)
	a.missing = errors.New("no chainscope-clarity; install it with: npm install chainscope-clarity")
	keysOf(p, "c")
	p.sees("npm install chainscope-clarity")
	p.seesNot("Run it again")
}

// How far it is is shown while it runs, esc ends it, and then nothing runs by itself.
func TestTheRunOfATransactionIsFollowedAndEnded(t *testing.T) {
	a, p := replaying(t, 80, 24)
	begun, ended, done := make(chan bool), make(chan bool), make(chan bool)
	a.during = func(ctx context.Context) { begun <- true; <-ctx.Done(); <-ended }
	keysOf(p, "c")
	go func() { defer close(done); keysOf(p, "enter") }()
	<-begun
	p.sees("37 values of mainnet read", "the balance of ")
	if strings.Contains(p.m.View(), "\x1b[31m") {
		t.Error("the progress is trusted")
	}
	keysOf(p, "esc")
	close(ended)
	<-done
	a.during = nil
	p.run(p.m.currentScreen().Live())
	p.sees("c says what it costs")
	if len(a.ran) != 1 {
		t.Errorf("it ran %d times", len(a.ran))
	}
}

// What the last run had read is not said of the next one.
func TestTheNextRunBeginsWithNothingRead(t *testing.T) {
	a, p := replaying(t, 120, 40)
	a.err = errors.New("status 500")
	keysOf(p, "c", "enter")
	p.sees("status 500")
	a.err, a.during = nil, func(context.Context) { p.seesNot("37 values of mainnet read") }
	keysOf(p, "r")
	p.sees("market.split(u0)")
}

// Only a call in a block can be run again: the key says so of any other transaction.
func TestATransferIsNotRunAgain(t *testing.T) {
	a, p := replaying(t, 120, 40)
	p.run(p.m.visit(nav.Transaction(transferredTxID)))
	p.sees("720.996427 STX → SP3Y")
	keysOf(p, "c")
	p.sees("Only a contract call in a block can be run again")
	if len(a.costs) != 0 {
		t.Errorf("the cost is of %q", a.costs)
	}
}

// The dialog of a live chain says what a forecast costs, makes it by the second key, and ends it by the third.
func TestTheDialogForecastsOnAForkWhenItsCostWasSeen(t *testing.T) {
	a := &again{}
	o := plainOptions("mainnet")
	o.OnFork = a.onFork()
	s := withWallet(t, startWith(t, 120, 40, liveChain(t), o), "mainnet")
	cancelled, cancel := context.WithCancel(t.Context())
	out := s.request(cancelled, "stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1500000"}`)
	hear[service.ApprovalNeeded](s)
	press := func() {
		s.wait(2 * time.Second)
		_, cmd := s.m.Update(uitest.Key("f"))
		s.run(cmd)
	}
	s.seesNot("would succeed", "some 2 minutes")
	press()
	s.sees("some 2 minutes", "f runs")
	if len(a.costs) != 1 || a.costs[0] != " 0" || len(a.foreseen) != 0 {
		t.Fatalf("costs %q, forecasts %q", a.costs, a.foreseen)
	}
	begun, ended, done := make(chan bool), make(chan bool), make(chan bool)
	a.during = func(ctx context.Context) { begun <- true; <-ctx.Done(); <-ended }
	go func() { defer close(done); press() }()
	select {
	case <-begun:
	case <-done:
		t.Fatal("no forecast begins")
	}
	s.sees("12 values of mainnet read", "f ends")
	s.wait(2 * time.Second)
	s.m.Update(uitest.Key("f"))
	close(ended)
	<-done
	s.seesNot("12 values of mainnet read", "would succeed")
	a.during = func(context.Context) { s.seesNot("12 values of mainnet read") }
	press()
	s.sees("would succeed")
	if len(a.foreseen) != 2 || a.foreseen[1] != "stx_transferStx" {
		t.Errorf("forecasts %q", a.foreseen)
	}
	cancel()
	<-out
}
