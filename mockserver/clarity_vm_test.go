//go:build clarity

package mockserver

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// realEngine returns a configuration with the program that runs Clarity. It is installed by
// `npm install` in its folder.
func realEngine() Config {
	cfg := fakeEngine()
	cfg.ClarityEngine = "node engine/chainscope-clarity/chainscope-clarity.js"
	return cfg
}

const counterSource = `
(define-data-var total uint u0)
(define-map last-of principal uint)
(define-constant deployed-at stacks-block-height)
(define-read-only (total-now) (var-get total))
(define-read-only (of (who principal)) (stx-get-balance who))
(define-read-only (clocks)
  (list deployed-at stacks-block-height burn-block-height tenure-height stacks-block-time
    (unwrap-panic (get-stacks-block-info? time (- stacks-block-height u1)))))
(define-public (add (n uint))
  (begin
    (print {before: (var-get total)})
    (var-set total (+ (var-get total) n))
    (map-set last-of tx-sender n)
    (ok (var-get total))))
(define-public (subtract (n uint))
  (begin
    (var-set total (- (var-get total) n))
    (ok (var-get total))))
(define-public (keep (n uint))
  (begin
    (print "first")
    (try! (stx-transfer? n tx-sender current-contract))
    (print "last")
    (ok true)))
(define-public (look) (ok (var-get total)))
`

func TestTheVirtualMachineRunsContracts(t *testing.T) {
	d := newTroupe(t, realEngine())
	d.does(d.deploys("counter", counterSource), "(ok true)")
	m := d.does(d.calls(1, "counter", "add", clarity.NewUInt(5)), "(ok u5)")
	if len(m.Events) != 1 {
		t.Errorf("its events are %v", m.Events)
	}
	d.wants(d.reads("counter", "total-now"), "u5")
	d.wants(d.reads("counter", "look"), "(ok u5)")
	d.wants(d.reads("counter", "add", clarity.NewUInt(1)), "NotReadOnly")
	d.wants(d.reads("counter", "total-now"), "u5")
	for _, p := range []clarity.Principal{d.who(0), d.who(1), d.contract("counter"), d.contract("elsewhere")} {
		d.wants(d.reads("counter", "of", p), d.balance(p))
	}
	kept := d.does(d.calls(1, "counter", "keep", clarity.NewUInt(70)), "(ok true)")
	kinds := ""
	for _, e := range kept.Events {
		kinds += fmt.Sprint(e["event_type"], " ")
	}
	d.wants(kinds, "smart_contract_log stx_asset smart_contract_log ")
	d.wants(d.reads("counter", "of", d.contract("counter")), "u70")
	d.wants(d.balance(d.contract("counter")), "u70")
	failed := d.calls(1, "counter", "subtract", clarity.NewUInt(6))
	mine(t, d.s, 1)
	if m := d.ended(failed); m.Status != "abort_by_response" || !strings.HasPrefix(*m.Error, "ArithmeticUnderflow at counter:18:20 in ( - ( var-get total ) n ); stack: ") {
		t.Errorf("a call that fails: %+v %q", m, *m.Error)
	}
	entry := read[struct{ Data string }](t, post(d.s, "/v2/map_entry/"+d.who(0).String()+"/counter/last-of?proof=0", "application/json", hexJSON(t, d.who(1))))
	d.wants(entry.Data, "0x0a0100000000000000000000000000000005")
	bad := d.deploys("bad", "(define-public (x) (ok (+ u1 true)))")
	mine(t, d.s, 1)
	if m := d.ended(bad); m.Status != "abort_by_response" || *m.Error != "1:24: expecting expression of type 'uint', found 'bool'" {
		t.Errorf("a deploy that fails: %+v", m)
	}
}

func hexJSON(t *testing.T, v clarity.Value) []byte {
	t.Helper()
	text, err := clarity.EncodeHex(v)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(`"0x` + text + `"`)
}

// What a contract sees of heights and times is what the API says of its block, across burn
// blocks, and a transaction sees those of the block that has it.
func TestTheVirtualMachineHasTheClockOfTheChain(t *testing.T) {
	d := newTroupe(t, realEngine())
	deployed := d.deploys("counter", counterSource)
	d.does(deployed, "(ok true)")
	type block struct {
		Height     int64 `json:"height"`
		Burn       int64 `json:"burn_block_height"`
		Tenure     int64 `json:"tenure_height"`
		Time       int64 `json:"block_time"`
		BurnTime   int64 `json:"burn_block_time"`
		IndexBlock string
	}
	at := read[struct {
		Height int64 `json:"block_height"`
	}](t, get(d.s, "/extended/v1/tx/0x"+deployed)).Height
	for i := range 40 {
		tip := read[struct{ Results []block }](t, get(d.s, "/extended/v2/blocks?limit=2")).Results
		want := fmt.Sprintf("(list u%d u%d u%d u%d u%d u%d)", at, tip[0].Height, tip[0].Burn, tip[0].Tenure, tip[0].Time, tip[1].Time)
		d.wants(d.reads("counter", "clocks"), want)
		if i%3 == 0 {
			d.control("clock", fmt.Sprintf(`{"advance":"%dm"}`, i))
		} else {
			d.does(d.calls(0, "counter", "add", clarity.NewUInt(1)), fmt.Sprintf("(ok u%d)", i-i/3))
		}
	}
}

// Several of one block run in its order, deploys among them.
func TestDeploysAmongCallsOfOneBlock(t *testing.T) {
	d := newTroupe(t, realEngine())
	d.does(d.deploys("counter", counterSource), "(ok true)")
	const reader = `(define-constant seen (contract-call? .counter total-now)) (define-read-only (saw) seen)`
	var ids []string
	for i := range 3 {
		ids = append(ids, d.calls(0, "counter", "add", clarity.NewUInt(uint64(i+1))), d.deploys(fmt.Sprintf("reader-%d", i), reader))
	}
	mine(t, d.s, 1)
	for _, id := range ids {
		if m := d.ended(id); m.Status != "success" {
			t.Fatalf("%+v", m)
		}
	}
	for i, want := range []string{"u1", "u3", "u6"} {
		d.wants(d.reads(fmt.Sprintf("reader-%d", i), "saw"), want)
	}
}

// A revert of a hundred calls takes a second at most, an abort a twentieth of one, once two
// machines are there.
func TestGoingBackIsQuick(t *testing.T) {
	d := newTroupe(t, realEngine())
	d.does(d.deploys("counter", counterSource), "(ok true)")
	aborted := func(total string) {
		t.Helper()
		began := time.Now()
		id := d.send(1, stxtx.ContractCall{Contract: d.contract("counter"), Function: "keep", Args: []clarity.Value{clarity.NewUInt(5)}},
			stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: stxtx.SentLess, Amount: 5})
		mine(t, d.s, 1)
		d.wants(d.ended(id).Status, "abort_by_post_condition")
		d.wants(d.reads("counter", "total-now"), total)
		t.Logf("after %s, a call that is aborted, and the next answer: %v", total, time.Since(began))
	}
	for range 3 {
		aborted("u0")
	}
	d.control("snapshot", `{"name":"start"}`)
	for range 2 {
		began := time.Now()
		for i := range 100 {
			d.does(d.calls(0, "counter", "add", clarity.NewUInt(1)), fmt.Sprintf("(ok u%d)", i+1))
		}
		t.Logf("100 calls, each through broadcast, block and answer: %v", time.Since(began))
		aborted("u100")
		aborted("u100")
		began = time.Now()
		d.control("revert", `{"to":"start"}`)
		d.nonces = [2]uint64{1, 3}
		d.wants(d.reads("counter", "total-now"), "u0")
		t.Logf("a revert of 100 calls, and the next answer: %v", time.Since(began))
	}
}

// A project is deployed in the order that its contracts need, with its requirements, by its
// deployer.
func TestTheVirtualMachineRunsAProject(t *testing.T) {
	cfg := realEngine()
	cfg.Project = "testdata/project"
	before := listed(t, cfg.Project)
	d := newTroupe(t, cfg)
	first, err := clarity.ParsePrincipal("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J") // of the mnemonic of its settings
	if err != nil {
		t.Fatal(err)
	}
	first.Address.Version = c32.TestnetP2PKH
	deployer := first.String()
	wants := func(contract, function, want string, args ...clarity.Value) {
		t.Helper()
		p, err := clarity.ParsePrincipal(contract)
		if err != nil {
			t.Fatal(err)
		}
		d.wants(d.readsOf(p, function, args...), want)
	}
	d.wants(d.balance(first), "u5000000000")
	wants(deployer+".tower", "times", "u0")
	call := func(function string, args ...clarity.Value) string {
		id, _ := clarity.ParseContract(deployer + ".tower")
		return d.send(0, stxtx.ContractCall{Contract: id, Function: function, Args: args})
	}
	bell, _ := clarity.ParseContract(deployer + ".bell")
	d.does(call("ring", clarity.NewUInt(7)), "(ok u14)")
	d.does(call("ring-with", bell, clarity.NewUInt(8)), "(ok u16)")
	loud := call("ring", clarity.NewUInt(100))
	mine(t, d.s, 1)
	d.wants(d.ended(loud).Result.Repr, "(err u11)")
	wants(deployer+".tower", "times", "u2")
	d.control("reset", "{}")
	wants(deployer+".tower", "times", "u0")
	if after := listed(t, cfg.Project); after != before {
		t.Errorf("the project has %s, and had %s", after, before)
	}
}

// listed names the files of a folder.
func listed(t *testing.T, dir string) (all string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		all += path + " "
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A block of which something was read, and that was then rolled back, can be made anew with a deploy
// in it.
func TestADeployAfterGoingBackBehindWhatWasRead(t *testing.T) {
	d := newTroupe(t, realEngine())
	d.does(d.deploys("counter", counterSource), "(ok true)")
	d.control("snapshot", `{"name":"start"}`)
	nonces := d.nonces
	for range 3 {
		mine(t, d.s, 1)
		d.wants(d.reads("counter", "total-now"), "u0")
		d.control("revert", `{"to":"start"}`)
		d.nonces = nonces
		d.does(d.deploys("other", counterSource), "(ok true)")
		d.does(d.calls(0, "other", "add", clarity.NewUInt(2)), "(ok u2)")
		d.control("revert", `{"to":"start"}`)
	}
}
