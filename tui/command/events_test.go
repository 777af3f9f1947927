package command

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// manyPayments serves a call that pays 1 STX 250 times, and an account that it pays.
func manyPayments(t *testing.T) (url string) {
	t.Helper()
	return changingPayments(t, func(int) payments { return payments{hashOf("block"), 250, "1000000"} })
}

// payments holds what a call paid in the block that it is in.
type payments struct {
	block  string
	count  int
	amount string
}

// changingPayments serves a call whose payments may be others with each request for it.
func changingPayments(t *testing.T, now func(request int) payments) (url string) {
	t.Helper()
	requests := 0
	const payer, payee = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J", "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"
	call := func(is payments, events []any) map[string]any {
		return map[string]any{
			"tx_id": hashOf("1"), "nonce": 3, "fee_rate": "180", "sender_address": payer, "tx_status": "success", "block_height": 7, "block_time": 1, "block_hash": is.block,
			"post_condition_mode": "allow", "event_count": is.count, "events": events, "execution_cost_runtime": 1,
			"tx_type": "contract_call", "contract_call": map[string]any{"contract_id": payer + ".vault", "function_name": "pay", "function_args": []any{}},
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		from, _ := strconv.Atoi(r.URL.Query().Get("event_offset"))
		if !strings.HasPrefix(r.URL.Path, "/extended/v2/addresses/") {
			requests++
		}
		is := now(requests)
		events := []any{}
		for i := from; i < min(from+100, is.count); i++ {
			events = append(events, map[string]any{"event_index": i, "event_type": "stx_asset", "asset": map[string]any{"asset_event_type": "transfer", "sender": payer, "recipient": payee, "amount": is.amount}})
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/extended/v2/addresses/"):
			row := map[string]any{"tx": call(is, []any{}), "stx_sent": "0", "stx_received": "250000000"}
			_ = json.NewEncoder(w).Encode(map[string]any{"limit": 50, "offset": 0, "total": 1, "results": []any{row}})
		default:
			_ = json.NewEncoder(w).Encode(call(is, events))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A transaction with more events than one answer holds says so; --all reads them. What an
// account got by it is never a part.
func TestEventsThatWereNotReadAreSaid(t *testing.T) {
	url := manyPayments(t)
	code, out, errs := run(t, t.Context(), "tx", hashOf("1"), "--api", url)
	if code != 0 || !strings.Contains(out, "-100 STX") || !strings.Contains(errs, "150 of 250 events were not read; --all reads them too, with 2 requests") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	code, out, errs = run(t, t.Context(), "tx", hashOf("1"), "--all", "--api", url)
	if code != 0 || !strings.Contains(out, "-250 STX") || strings.Contains(out+errs, "not read") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	for args, want := range map[string]int{"-o json": 100, "-o json --all": 250} {
		_, out, _ = run(t, t.Context(), append([]string{"tx", hashOf("1"), "--api", url}, strings.Fields(args)...)...)
		var body struct {
			ID     string            `json:"tx_id"`
			Events []json.RawMessage `json:"events"`
		}
		if err := json.Unmarshal([]byte(out), &body); err != nil || len(body.Events) != want || body.ID != hashOf("1") {
			t.Errorf("%s: %d events, %v", args, len(body.Events), err)
		}
	}
	if code, _, _ = run(t, t.Context(), "tx", hashOf("1"), "--all", "--why", "--api", url); code != 2 {
		t.Errorf("--all with --why exits %d", code)
	}
	code, out, errs = run(t, t.Context(), "account", "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH", "--transactions", "-o", "csv", "--fields", "asset,amount", "--api", url)
	if code != 0 || !strings.Contains(out, "STX,250\n") {
		t.Errorf("the history: exit %d\n%s\n%s", code, out, errs)
	}
}

// A transaction that a reorg moves between two pages of its events is read again, so that its
// sums are those of one block; where it never keeps still that is an error and no sum is printed.
func TestATransactionThatMovesBetweenTwoPagesIsReadAgain(t *testing.T) {
	first, second := payments{hashOf("block"), 250, "1000000"}, payments{hashOf("other"), 230, "2000000"}
	for _, moves := range []int{2, 3} { // before the second page, or before the third
		now := func(request int) payments {
			if request >= moves {
				return second
			}
			return first
		}
		code, out, errs := run(t, t.Context(), "tx", hashOf("1"), "--all", "--api", changingPayments(t, now))
		if code != 0 || !strings.Contains(out, "-460 STX") {
			t.Errorf("moved before request %d: exit %d\n%s\n%s", moves, code, out, errs)
		}
		_, out, _ = run(t, t.Context(), "tx", hashOf("1"), "--all", "-o", "json", "--api", changingPayments(t, now))
		if strings.Count(out, `"amount":"2000000"`)+strings.Count(out, `"amount": "2000000"`) != 230 || strings.Contains(out, `"1000000"`) {
			t.Errorf("moved before request %d: JSON has the events of two blocks", moves)
		}
		code, out, errs = run(t, t.Context(), "account", "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH", "--transactions", "-o", "csv", "--fields", "asset,amount", "--api", changingPayments(t, now))
		if code != 0 || !strings.Contains(out, "STX,460\n") {
			t.Errorf("the history, moved before request %d: exit %d\n%s\n%s", moves, code, out, errs)
		}
	}
	restless := func(request int) payments { return payments{hashOf(strconv.Itoa(request)), 250, "1000000"} }
	code, out, errs := run(t, t.Context(), "tx", hashOf("1"), "--all", "--api", changingPayments(t, restless))
	if code != 5 || strings.Contains(out, "STX") || !strings.Contains(errs, "has changed") {
		t.Errorf("always another: exit %d\n%s\n%s", code, out, errs)
	}
}
