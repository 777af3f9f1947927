package mockserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
)

// A key has a slot for each threshold of /v2/pox that its signers have. Of two with as many slots v2 has first who
// has more STX, v3 whose key is the lower.
func TestSignersWithTheSameWeightAreOrdered(t *testing.T) {
	s := anchored(t, today)
	p := someone("tie")
	if w := post(s, "/mock/v1/accounts", "application/json", []byte(fmt.Sprintf(`{"address":%q,"balance":"900000000000000"}`, p.address(true)))); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	slot := uint64(valueAt(answerTo(t, s, "/v2/pox"), "current_cycle", "min_threshold_ustx").(float64))
	cycle := func() float64 { return valueAt(answerTo(t, s, "/v2/pox"), "reward_cycle_id").(float64) }
	rows := func() []any {
		return valueAt(answerTo(t, s, "/extended/v3/staking/cycles/current/signers?limit=250"), "results").([]any)
	}
	next := func() {
		t.Helper()
		for at := cycle(); cycle() == at; {
			if w := post(s, "/mock/v1/clock", "application/json", []byte(`{"advance":"20h"}`)); w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
	}
	if w := post(s, "/mock/v1/snapshot", "application/json", []byte(`{"name":"now"}`)); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	next()
	before := rows() // as it will be
	if w := post(s, "/mock/v1/revert", "application/json", []byte(`{"to":"now"}`)); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	key := func(row any) string { return textOf(row, "signing_key") }
	amount := func(row any) uint64 { return amountOf(t, row, "staked_stx", "amount").Uint64() }
	// the second of two with neighbouring keys comes to have one micro-STX more, in the same slots
	var low, high any
	for _, a := range before {
		for _, b := range before {
			if key(a) < key(b) && amount(a)%slot < slot-1 && amount(a) > amount(b) {
				low, high = a, b
			}
		}
	}
	if low == nil {
		t.Fatalf("no two signers of %v fit", before)
	}
	signer := principalOf(t, textOf(high, "signer_managers", 0, "signer_manager"))
	burn := uint64(valueAt(answerTo(t, s, "/v2/pox"), "current_burnchain_block_height").(float64))
	id := accepted(t, s, p.signed(t, poxCall(p, 0, "stake", signer, clarity.NewUInt(amount(low)-amount(high)+1), clarity.NewUInt(2), clarity.NewUInt(burn), clarity.None{})))
	mine(t, s, 1)
	tx := answerTo(t, s, "/extended/v3/transactions/0x"+id)
	if textOf(tx, "status") != "success" {
		t.Fatalf("%v", tx)
	}
	height := valueAt(tx, "block", "height").(float64)
	for _, of := range []struct {
		height float64
		locked string
	}{{height - 1, "0"}, {height, fmt.Sprint(amount(low) - amount(high) + 1)}} {
		for _, target := range []string{"stx", "balances"} {
			body := answerTo(t, s, fmt.Sprintf("/extended/v1/address/%s/%s?until_block=%.0f", p.address(true), target, of.height))
			if inner, is := body["stx"].(map[string]any); is {
				body = inner
			}
			if body["locked"] != of.locked || (body["lock_tx_id"] == "") != (of.locked == "0") {
				t.Errorf("%s as of %.0f: %v, want %s", target, of.height, body, of.locked)
			}
		}
	}
	assets := answerTo(t, s, "/extended/v1/address/"+p.address(true)+"/assets")
	if textOf(assets, "results", 0, "event_type") != "stx_lock" || textOf(assets, "results", 0, "stx_lock_event", "locked_amount") != fmt.Sprint(amount(low)-amount(high)+1) || textOf(assets, "results", 0, "tx_id") != "0x"+id {
		t.Errorf("its assets have %v", assets)
	}
	next()
	var v3, v2 []string
	for _, row := range rows() {
		if got := valueAt(row, "weight", "amount").(float64); got != float64(amount(row)/slot) {
			t.Errorf("%.0f slots for %d micro-STX", got, amount(row))
		}
		v3 = append(v3, key(row))
	}
	for _, row := range valueAt(answerTo(t, s, fmt.Sprintf("/extended/v2/pox/cycles/%.0f/signers?limit=60", cycle())), "results").([]any) {
		v2 = append(v2, textOf(row, "signing_key"))
	}
	if at := slices.Index(v3, key(low)); at < 0 || slices.Index(v3, key(high)) != at+1 {
		t.Errorf("v3 has %s, with %s and %s", strings.Join(v3, " "), key(low), key(high))
	}
	if at := slices.Index(v2, key(high)); at < 0 || slices.Index(v2, key(low)) != at+1 {
		t.Errorf("v2 has %s, with %s and %s", strings.Join(v2, " "), key(low), key(high))
	}
}

// The cursors of v2 lead through the transactions of an account and back, each once.
func TestCursorsOfV2LeadThroughAList(t *testing.T) {
	s := anchored(t, today)
	target := "/extended/v2/addresses/SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J/transactions"
	all := valueAt(answerTo(t, s, target+"?limit=50"), "results").([]any)
	if len(all) < 8 {
		t.Fatalf("%d transactions", len(all))
	}
	at, cursor, first := 0, "", answerTo(t, s, target+"?limit=3")
	if first["next_cursor"] != nil || textOf(first, "cursor") == "" {
		t.Errorf("the first page has the cursors %v, %v, %v", first["next_cursor"], first["cursor"], first["prev_cursor"])
	}
	for before := any(nil); ; {
		page := answerTo(t, s, target+"?limit=3"+cursor)
		for _, row := range valueAt(page, "results").([]any) {
			if textOf(row, "tx", "tx_id") != textOf(all[at], "tx", "tx_id") {
				t.Fatalf("at %d is %s, want %s", at, textOf(row, "tx", "tx_id"), textOf(all[at], "tx", "tx_id"))
			}
			at++
		}
		if page["next_cursor"] != before {
			t.Errorf("at %d back leads to %v, want %v", at, page["next_cursor"], before)
		}
		before = page["cursor"]
		older, more := page["prev_cursor"].(string)
		if !more {
			break
		}
		cursor = "&cursor=" + older
	}
	if at != len(all) {
		t.Errorf("%d of %d transactions", at, len(all))
	}
}
