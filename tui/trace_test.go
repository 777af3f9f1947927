package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

const tracedMarket = "STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ.market"

// traced starts the explorer on a mock that answers what the virtual machine gave for a call of a contract,
// market.split, and that has the source of it.
func traced(t *testing.T, width, height int) *program {
	t.Helper()
	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		text, err := os.ReadFile("testdata/trace/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	tree, source := file("split.json"), file("market.clar")
	server := httptest.NewServer(inTurn(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, minedTxID+"/trace"):
			_, _ = w.Write(tree)
		case strings.HasSuffix(r.URL.Path, "/contract/"+tracedMarket):
			_ = json.NewEncoder(w).Encode(map[string]any{"tx_id": minedTxID, "canonical": true, "contract_id": tracedMarket, "block_height": 603, "clarity_version": 3, "source_code": string(source), "abi": "{}"})
		default:
			mock.ServeHTTP(w, r)
		}
	})))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return startWith(t, width, height, server.URL, Options{Network: "MOCK", Mock: mockclient.New(server.URL, nil), Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return noon }})
}

// From a transaction to what it called, from there to the lines of the source, and back.
func TestATransactionLeadsToWhatItCalled(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		p := traced(t, size[0], size[1])
		p.run(p.m.visit(nav.Transaction(minedTxID)))
		before := p.m.options.Client.Log().Len()
		keysOf(p, "c")
		if got := p.m.Place(); got != nav.Trace(minedTxID) {
			t.Fatalf("c leads to %s", got)
		}
		p.sees("Calls of 0x", "13 of 13", "market.split(u0)", "coin.decimals()", "rolled back", "failed: DivisionByZero")
		if n := p.m.options.Client.Log().Len() - before; n != 1 {
			t.Errorf("the calls take %d requests", n)
		}
		uitest.Golden(t, fmt.Sprintf("trace/calls-%dx%d", size[0], size[1]), address.ReplaceAllString(p.m.View(), "127.0.0.1:39999"), size[0], size[1])
		for _, leads := range []struct {
			down int
			line string
		}{{0, "19  (define-public (split"}, {1, "21      (try! (buy u2))"}, {2, "4    (* n (pow u10 (contract-call? .coin decimals))))"}, {9, "17  (define-private (share"}} {
			for range leads.down {
				keysOf(p, "j")
			}
			keysOf(p, "enter")
			if got := p.m.Place(); got.Principal != tracedMarket || got.Part != nav.PartSource {
				t.Errorf("enter leads to %s", got)
			}
			lines := strings.Split(p.m.View(), "\n")
			if !slices.ContainsFunc(lines, func(l string) bool {
				return strings.Contains(l, "▸") && strings.Contains(l, leads.line)
			}) {
				t.Errorf("the cursor is not at %q:\n%s", leads.line, p.m.View())
			}
			keysOf(p, "esc")
			if got := p.m.Place(); got != nav.Trace(minedTxID) {
				t.Errorf("esc leads to %s", got)
			}
		}
		keysOf(p, "esc")
		if got := p.m.Place(); got != nav.Transaction(minedTxID) {
			t.Errorf("esc leads from the calls to %s", got)
		}
	}
}

// The calls are filtered, copied and written to files as the rows of every list.
func TestCallsAreAList(t *testing.T) {
	p := traced(t, 120, 40)
	p.run(p.m.visit(nav.Trace(minedTxID)))
	keysOf(p, "/")
	p.typed("ends:failed function:share")
	keysOf(p, "enter")
	p.sees("1 of 13", "market.share(u100, u0)")
	keysOf(p, "y")
	p.sees("contract", tracedMarket[:20], "1 argument 1  u100", "2 argument 2  u0", "expression", "chainscope tx")
}

// Where no virtual machine runs, and on a live API, a sentence says what is needed.
func TestCallsNeedAVirtualMachine(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Transaction(minedTxID)))
	before := p.m.options.Client.Log().Len()
	keysOf(p, "c")
	p.sees("no virtual machine runs here", "start the mock with --clarity")
	if n := p.m.options.Client.Log().Len() - before; n != 1 {
		t.Errorf("it takes %d requests", n)
	}
	p.sees("Not known here")
	p.seesNot("○ 501", "The server failed", "try again", "It answered with an error")
	if !p.m.currentScreen().Status().Again.IsZero() {
		t.Error("it is to be tried again")
	}

	at := noon
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mock/") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"message":"Route GET:%s not found","error":"Not Found","statusCode":404}`, r.URL.Path)
			return
		}
		mock.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { live.Close(); _ = mock.Close() })
	p = startWith(t, 120, 40, live.URL, plainOptions("mainnet"))
	p.run(p.m.visit(nav.Transaction(minedTxID)))
	before = p.m.options.Client.Log().Len()
	keysOf(p, "c")
	p.sees("this API has no traces: they are of a mock whose contracts run")
	if n := p.m.options.Client.Log().Len() - before; n != 0 || p.m.Place() != nav.Transaction(minedTxID) {
		t.Errorf("%d requests are made, at %s", n, p.m.Place())
	}
	p.run(p.m.visit(nav.Trace(minedTxID))) // from a bookmark
	p.sees("Not known here", "this API has no traces")
	p.seesNot("The server failed", "try again")
}
