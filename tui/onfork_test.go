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

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/nav"
)

// liveChain serves a chain as a live API does: it is no mock.
func liveChain(t *testing.T) string {
	t.Helper()
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mock/") {
			t.Errorf("%s is requested of a live chain", r.URL.Path)
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

// calledTxID is a call of a contract in the block 1004320 of seed 1.
const calledTxID = "0x212122a38af0af47203bc7154dee34da1d9a57bb2a5c21058f5a3bda987287a9"

// again is a fork on paper, on which a transaction called what testdata has.
type again struct {
	costs   []string // what was requested, id and block
	ran     []string
	trace   apiclient.Trace
	err     error
	missing error
	during  func(ctx context.Context)
}

func (a *again) onFork() *OnFork {
	return &OnFork{
		Costs: func(id string, block int64) (string, error) {
			a.costs = append(a.costs, fmt.Sprint(id, " ", block))
			return "It is read from there, some 2 minutes\x1b[31m.", a.missing
		},
		Trace: func(ctx context.Context, id string, progress func(string)) (apiclient.Answer[apiclient.Trace], error) {
			a.ran = append(a.ran, id)
			progress("37 values of mainnet read\nthe balance of \x1b[31mSomebody")
			if a.during != nil {
				a.during(ctx)
			}
			if ctx.Err() != nil {
				return apiclient.Answer[apiclient.Trace]{}, ctx.Err()
			}
			return apiclient.Answer[apiclient.Trace]{Value: a.trace, Raw: must(json.Marshal(a.trace))}, a.err
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
