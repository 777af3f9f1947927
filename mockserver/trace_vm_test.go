//go:build clarity

package mockserver

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// What a transaction called is traced for success and failure, private functions too; the cost of a
// failure at run time is marked as made up.
func TestTheVirtualMachineReportsWhatATransactionCalled(t *testing.T) {
	d := newTroupe(t, realEngine())
	for _, name := range []string{"lib", "top"} {
		text, err := os.ReadFile("engine/testdata/trace/" + name + ".clar")
		if err != nil {
			t.Fatal(err)
		}
		d.does(d.deploys(name, string(text)), "(ok true)")
	}
	in := d.contract("top").String()
	ok, failed := d.calls(1, "top", "r"), d.calls(1, "top", "fail", clarity.NewUInt(3))
	mine(t, d.s, 1)
	type call struct {
		Contract, Function string
		Arguments          []string
		Result             *string
		Error              string
		Events             []struct {
			Index      *int `json:"event_index"`
			After      int
			RolledBack bool `json:"rolled_back"`
			Log        *struct {
				Contract string                `json:"contract_id"`
				Value    struct{ Repr string } `json:"value"`
			} `json:"contract_log"`
		}
		At    *struct{ Line, Column int }
		Calls []call
	}
	traced := func(id string) call {
		return read[struct{ Trace []call }](t, get(d.s, "/mock/v1/transactions/"+id+"/trace")).Trace[0]
	}
	root := traced(ok)
	if root.Contract != in || root.Function != "r" || root.At != nil || *root.Result != "(ok u2)" || len(root.Calls) != 2 {
		t.Fatalf("%+v", root)
	}
	three := root.Calls[1]
	if three.Function != "three" || three.At.Line != 7 || len(three.Calls) != 3 || three.Calls[1].Function != "inside" || *three.Calls[1].Result != "(err u1)" || strings.Join(three.Calls[1].Arguments, " ") != `u9 "c"` {
		t.Errorf("%+v", three)
	}
	if e := three.Events; len(e) != 1 || e[0].After != 2 || e[0].Log == nil || e[0].Log.Value.Repr != "u1" || e[0].Log.Contract != d.contract("lib").String() {
		t.Errorf("%+v", e)
	}
	root = traced(failed)
	if root.Result != nil || !strings.HasPrefix(root.Error, "ArithmeticUnderflow at top:10:41 in ( - n m )") || len(root.Calls) != 3 || root.Calls[1].Function != "five" || root.Calls[2].Function != "sub" || root.Calls[2].Result != nil {
		t.Errorf("%+v", root)
	}
	for id, invented := range map[string]string{ok: "", failed: "execution_cost"} {
		if got := get(d.s, "/extended/v1/tx/0x"+id).Header().Get("X-Mock-Invented"); got != invented {
			t.Errorf("the answer for %s marks %q as made up, want %q", id, got, invented)
		}
	}
	d.does(d.deploys("tries", `(define-public (may (n uint)) (begin (print u1) (print u2) (asserts! (> n u5) (err n)) (ok n)))
(define-public (both) (begin (print u0) (is-ok (may u3)) (print u3) (print u4) (print u5) (ok true)))`), "(ok true)")
	id := d.calls(1, "tries", "both")
	d.does(id, "(ok true)")
	root = traced(id)
	reported := func(c call) (all string) {
		for _, e := range c.Events {
			index := "-"
			if e.Index != nil {
				index = strconv.Itoa(*e.Index)
			}
			all += index + ":" + e.Log.Value.Repr + "@" + strconv.Itoa(e.After) + " "
		}
		return all
	}
	// The machine prints nothing of u3 and u4: it has printed as many events before, which were rolled back.
	if got := reported(root); got != "0:u0@0 1:u3@1 2:u4@1 3:u5@1 " || reported(root.Calls[0]) != "-:u1@0 -:u2@0 " || !root.Calls[0].Events[0].RolledBack {
		t.Errorf("%s, and within %s", got, reported(root.Calls[0]))
	}
	// One that its post-conditions abort called all the same; nothing of it is in the chain.
	id = d.send(1, stxtx.ContractCall{Contract: d.contract("top"), Function: "r"}, stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: stxtx.SentEqual, Amount: 5})
	mine(t, d.s, 1)
	root = traced(id)
	if end := d.ended(id).Status; end != "abort_by_post_condition" || root.Result == nil || *root.Result != "(ok u2)" || root.Error != "" || len(root.Calls) != 2 {
		t.Fatalf("%s: %+v", end, root)
	}
	if three := root.Calls[1]; three.Function != "three" || len(three.Calls) != 3 || len(three.Events) != 1 || !three.Events[0].RolledBack {
		t.Errorf("%+v", three)
	}
	tx := d.people[1].testnetTx(d.nonces[1], 30_000, stxtx.ContractCall{Contract: d.contract("tries"), Function: "both"})
	tx.PostConditionMode = stxtx.ModeAllow
	foretold := read[struct {
		Calls int
		Trace []call
	}](t, post(d.s, "/mock/v1/forecast", "application/octet-stream", d.people[1].signed(t, tx)))
	if foretold.Calls != 1 || len(foretold.Trace) != 1 || foretold.Trace[0].Function != "both" || *foretold.Trace[0].Calls[0].Result != "(err u3)" {
		t.Errorf("the forecast has %+v", foretold)
	}
	// Events are written in one way, whether the chain has them or not.
	d.does(d.deploys("pays", `(define-fungible-token coin) (define-non-fungible-token card uint)
(define-public (all (n uint)) (begin (try! (stx-transfer? u1000 tx-sender current-contract)) (try! (ft-mint? coin u3 tx-sender)) (try! (nft-mint? card n tx-sender))
  (try! (ft-burn? coin u1 tx-sender)) (print { who: tx-sender }) (asserts! (> n u5) (err n)) (ok n)))`), "(ok true)")
	for n, by := range map[uint64]string{9: d.people[1].address(false), 1: ""} {
		id := d.calls(1, "pays", "all", clarity.NewUInt(n))
		mine(t, d.s, 1)
		tree := read[struct {
			Trace []struct{ Events []struct{ Text string } }
		}](t, get(d.s, "/mock/v1/transactions/"+id+"/trace")).Trace[0]
		who, pays, card := by, d.contract("pays").String(), "card u9"
		if by == "" { // of one that was rolled back the machine prints no more
			cut := func(a string) string { return a[:4] + "…" + a[len(a)-4:] }
			address, name, _ := strings.Cut(pays, ".")
			who, pays, card = cut(d.people[1].address(false)), cut(address)+"."+name, "card"
		}
		want := []string{"0.001 STX from " + who + " to " + pays, "3 units of coin minted to " + who, card + " minted to " + who, "1 unit of coin of " + who + " burned", "print { who: '" + d.people[1].address(false) + " }"}
		if len(tree.Events) != len(want) {
			t.Fatalf("%+v", tree)
		}
		for i, e := range tree.Events {
			if e.Text != want[i] {
				t.Errorf("all(u%d): event %d is %q, want %q", n, i, e.Text, want[i])
			}
		}
	}
	if w := get(d.s, "/mock/v1/transactions/"+strings.Repeat("00", 32)+"/trace"); w.Code != 404 {
		t.Errorf("an unknown transaction: %d", w.Code)
	}
}
