//go:build clarity

package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// What figures must be, on a machine that does nothing else.
const (
	mostStart  = 1.3 // times the SDK's own start
	mostCall   = 2.2 // times the SDK's own callPublicFn, in whose process nothing is sent or checked
	mostP50    = 5 * time.Millisecond
	mostAbort  = 50 * time.Millisecond
	mostRevert = time.Second
)

// TestFigures measures contracts that run beside the SDK alone, in one run:
//
//	go test -tags clarity -run Figures -v ./mockserver
func TestFigures(t *testing.T) {
	before := alone(t)
	began := time.Now()
	d := newTroupe(t, realEngine())
	d.does(d.deploys("counter", counterSource), "(ok true)")
	total := 0
	add := func() {
		total++
		d.does(d.calls(0, "counter", "add", clarity.NewUInt(1)), fmt.Sprintf("(ok u%d)", total))
	}
	add()
	start := time.Since(began)
	// A wallet signs before anything is sent: that is no part of it.
	signed := make([][]byte, 300)
	for i := range signed {
		tx := d.people[0].testnetTx(d.nonces[0], 30_000, stxtx.ContractCall{Contract: d.contract("counter"), Function: "add", Args: []clarity.Value{clarity.NewUInt(1)}})
		signed[i] = d.people[0].signed(t, tx)
		d.nonces[0]++
	}
	calls := timed(len(signed), func() {
		d.does(accepted(t, d.s, signed[total-1]), fmt.Sprintf("(ok u%d)", total+1))
		total++
	})
	after := alone(t)
	sdk := slices.Concat(before.Each, after.Each)
	slices.Sort(sdk)
	sdkCall := time.Duration(sdk[len(sdk)/2] * float64(time.Millisecond))
	sdkStart := time.Duration(min(before.Start, after.Start) * float64(time.Millisecond))
	t.Logf("start to first answered call: %v, the SDK alone %v", start, sdkStart)
	t.Logf("a call through broadcast, block and answer: %v; callPublicFn of the SDK alone p50 %v", calls, sdkCall)
	aborts := timed(20, d.aborts)
	t.Logf("a call that is aborted, and the next answer, again and again: %v", aborts)
	t.Logf("a forecast, again and again: %v", timed(20, d.foresees))
	d.control("snapshot", `{"name":"start"}`)
	nonces := d.nonces
	timed(100, add)
	total -= 100
	began = time.Now()
	d.control("revert", `{"to":"start"}`)
	d.wants(d.reads("counter", "total-now"), fmt.Sprintf("u%d", total))
	revert := time.Since(began)
	t.Logf("a revert of 100 calls, and the next answer: %v", revert)
	d.nonces = nonces
	d.control("clock", `{"advance":"720h"}`)
	t.Logf("the first call after 30 days: %v", timed(1, add))
	t.Logf("a call that is aborted then: %v", timed(5, d.aborts))
	for _, f := range []struct {
		what    string
		is, may time.Duration
	}{
		{"the start", start, time.Duration(mostStart * float64(sdkStart))},
		{"a call, p50", calls.p50, min(mostP50, time.Duration(mostCall*float64(sdkCall)))},
		{"an aborted call, p50", aborts.p50, mostAbort},
		{"a revert", revert, mostRevert},
	} {
		if f.is > f.may {
			t.Errorf("%s takes %v, and may take %v", f.what, f.is, f.may)
		}
	}
}

// TestFiguresOfWorlds measures a hundred worlds, each with a contract of its own.
func TestFiguresOfWorlds(t *testing.T) {
	cfg := realEngine()
	cfg.Worlds = true
	d := newTroupe(t, cfg)
	post := func(path, kind string, body []byte) {
		t.Helper()
		if w := post(d.s, path, kind, body); w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	deploy := d.people[0].signed(t, d.people[0].testnetTx(0, 30_000, stxtx.SmartContract{Name: "counter", Code: counterSource, ClarityVersion: 4}))
	call := d.people[0].signed(t, d.people[0].testnetTx(1, 30_000, stxtx.ContractCall{Contract: d.contract("counter"), Function: "add", Args: []clarity.Value{clarity.NewUInt(5)}}))
	world, worlds := 0, 100
	made := timed(worlds, func() {
		at := fmt.Sprintf("/w/%d", world)
		world++
		for _, raw := range [][]byte{deploy, call} {
			post(at+"/v2/transactions", "application/octet-stream", raw)
			post(at+"/mock/v1/mine", "application/json", []byte(`{"blocks":1}`))
		}
	})
	world = 0
	woken := timed(worlds, func() {
		held := read[struct{ Data string }](t, get(d.s, fmt.Sprintf("/w/%d/v2/data_var/%s/counter/total?proof=0", world, d.who(0))))
		d.wants(held.Data, "0x0100000000000000000000000000000005")
		world++
	})
	runs := read[struct {
		Runs struct{ Sessions, Awake, Memory int }
	}](t, get(d.s, "/w/0/mock/v1/snapshot")).Runs
	t.Logf("a world more, with a deploy and a call: %v; one that wakes and answers: %v; %d sessions, %d awake, %d MB", made, woken, runs.Sessions, runs.Awake, runs.Memory/1e6)
}

// sdkAlone holds what testdata/clarity/alone.mjs measures, in ms.
type sdkAlone struct {
	Start float64   `json:"start"`
	Each  []float64 `json:"each"`
}

func alone(t *testing.T) (out sdkAlone) {
	t.Helper()
	requested, err := json.Marshal(map[string]any{"source": counterSource, "calls": 300})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "testdata/clarity/alone.mjs")
	cmd.Stdin = bytes.NewReader(requested)
	text, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// aborts calls something that a post-condition aborts, and reads something.
func (d *troupe) aborts() {
	id := d.send(1, stxtx.ContractCall{Contract: d.contract("counter"), Function: "keep", Args: []clarity.Value{clarity.NewUInt(5)}},
		stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: stxtx.SentLess, Amount: 5})
	mine(d.T, d.s, 1)
	d.wants(d.ended(id).Status, "abort_by_post_condition")
	d.reads("counter", "total-now")
}

// foresees reads the forecast of a call.
func (d *troupe) foresees() {
	tx := d.people[1].testnetTx(d.nonces[1], 30_000, stxtx.ContractCall{Contract: d.contract("counter"), Function: "add", Args: []clarity.Value{clarity.NewUInt(1)}})
	if w := post(d.s, "/mock/v1/forecast", "application/octet-stream", d.people[1].signed(d.T, tx)); w.Code != 200 {
		d.Fatalf("%d %s", w.Code, w.Body)
	}
}

// spread is the time that something took.
type spread struct{ all, p50, p95, max time.Duration }

func (s spread) String() string {
	return fmt.Sprintf("p50 %v, p95 %v, at most %v, all %v", s.p50, s.p95, s.max, s.all)
}

// timed does something a number of times.
func timed(n int, do func()) (s spread) {
	each := make([]time.Duration, n)
	for i := range each {
		began := time.Now()
		do()
		each[i] = time.Since(began)
		s.all += each[i]
	}
	slices.Sort(each)
	s.p50, s.p95, s.max = each[n/2], each[n*95/100], each[n-1]
	return s
}
