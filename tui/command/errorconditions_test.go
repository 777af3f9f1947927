package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"chainscope/wallet/outcome"

	"go.yaml.in/yaml/v3"
)

// errorUnder is a post-condition of a call that answers an error.
type errorUnder struct {
	Condition map[string]string
	API       string
	Says      string // what could not hold, "" where the condition holds
	Node      string
}

// A call that answered an error says why it failed, and of its post-conditions which could not
// hold: the mock's forecast and its ledger, `tx --why` and the explorer say the same, in each mode,
// for each condition, whether a node says it or not.
func TestAnErrorUnderAnyConditionIsSaidTheSameEverywhere(t *testing.T) {
	const (
		desk   = "SP000000000000000000002Q6VF78.desk"
		origin = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
		entry  = `{"contract":"` + desk + `","calls":{"buy":{"result":"(err u401)"}},"source":";; a desk\n(define-constant ERR-NOT-OWNER (err u401))\n(define-public (buy) ERR-NOT-OWNER)"}`
		failed = "buy answered (err u401), which the contract calls ERR-NOT-OWNER (line 2)."
	)
	raw, err := os.ReadFile("testdata/errors-under-conditions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rows []errorUnder
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(string(raw), "ORIGIN", origin)), &rows); err != nil || len(rows) == 0 {
		t.Fatal(err)
	}
	mock := serveMock(t, "--automine")
	ask := func(method, path, body string, into any) {
		t.Helper()
		status, answer := fetch(t, method, mock.address+path, body)
		if into != nil && json.Unmarshal([]byte(answer), into) != nil || status != 200 {
			t.Fatalf("%s %s is answered by %s", method, path, answer)
		}
	}
	ask("POST", "/mock/v1/contracts", entry, nil)
	said, silent := &stub{}, &stub{} // two APIs, of which one passes on what the node says
	answer := func(to *stub, path string, body any) {
		to.of.Answers = append(to.of.Answers, liveAnswer{Get: path, Body: body})
	}
	for _, path := range []string{"/v2/info", "/extended/v1/contract/" + desk} {
		var body any
		ask("GET", path, "", &body)
		answer(said, path, body)
		answer(silent, path, body)
	}
	servers := map[*stub]string{}
	for _, s := range []*stub{said, silent} {
		api := httptest.NewServer(s)
		t.Cleanup(api.Close)
		servers[s] = api.URL
	}
	nonce := 0
	for _, row := range rows {
		for _, mode := range []string{"allow", "deny", "originator"} {
			condition, _ := json.Marshal(row.Condition)
			name := mode + " " + string(condition)
			want := outcome.Why{Status: "abort_by_response", Sentence: failed, Certainty: "likely", Constant: "ERR-NOT-OWNER", Line: 2}
			sees, node := []string{"ERR-NOT-OWNER", "likely"}, any(nil)
			if row.Says != "" {
				want.Status, want.Certainty, want.Condition = "abort_by_post_condition", "fact", row.Says
				want.Sentence += " An error moves nothing, so the post-condition that " + row.Says + " could not hold."
				want.Fix = "mend what made the call fail; the post-condition can stay as it is"
				sees, node = []string{"ERR-NOT-OWNER", "An error moves", "can stay as"}, "Post-condition check failure "+row.Node
			}
			s, _ := signedBy(t, "stx_callContract", fmt.Sprintf(`{"contract":%q,"functionName":"buy","functionArgs":[],"fee":"3000","nonce":"%d","postConditionMode":%q,"postConditions":[%s]}`, desk, nonce, mode, condition), "--approve", "always")
			nonce++
			var forecast struct {
				outcome.Why
				Conditions []struct{ Holds bool } `json:"post_conditions"`
			}
			ask("POST", "/mock/v1/forecast", `{"tx":"`+s.Transaction+`"}`, &forecast)
			ahead := want
			ahead.Sentence, ahead.Certainty = "It would fail: "+ahead.Sentence, "likely"
			if forecast.Why != ahead || len(forecast.Conditions) != 1 || forecast.Conditions[0].Holds != (row.Says == "") {
				t.Errorf("%s: the forecast is %+v, want\n%+v", name, forecast, ahead)
			}
			ask("POST", "/v2/transactions", `{"tx":"`+s.Transaction+`"}`, nil)
			path, body := "/extended/v1/tx/0x"+s.TxID, map[string]any{}
			ask("GET", path, "", &body)
			conditions, _ := json.Marshal(body["post_conditions"])
			if body["tx_status"] != want.Status || body["vm_error"] != node || !strings.Contains(fmt.Sprint(body["tx_result"]), "(err u401)") || body["event_count"] != 0.0 || !strings.Contains(string(conditions), `"condition_code":"`+row.API+`"`) {
				t.Errorf("%s: it ended as %v, want %s of %v under %s", name, body, want.Status, node, row.API)
			}
			var why outcome.Why
			if ask("GET", "/mock/v1/tx/0x"+s.TxID+"/why", "", &why); why != want {
				t.Errorf("%s: the ledger says %+v, want\n%+v", name, why, want)
			}
			answer(said, path, body)
			unreported := maps.Clone(body)
			unreported["vm_error"] = nil
			answer(silent, path, unreported)
			for of, api := range servers {
				of.of.Explorer = append(of.of.Explorer, explorerStep{At: "tx 0x" + s.TxID, Sees: sees, Not: []string{"does not say which", "require instead"}})
				if _, page, _ := run(t, t.Context(), "tx", "0x"+s.TxID, "--api", api); row.Says != "" && row.Condition["amount"] != "" && !strings.Contains(page, "(sent 0 ") && !strings.Contains(page, "(locked 0 ") {
					t.Errorf("%s: which condition failed is not marked:\n%s", name, page)
				}
				why = outcome.Why{}
				if code, stdout, stderr := run(t, t.Context(), "tx", "0x"+s.TxID, "--why", "-o", "json", "--api", api); code != 1 || json.Unmarshal([]byte(stdout), &why) != nil || why != want {
					t.Errorf("%s, told by a node %v: exit %d, %s%s, want\n%+v", name, of == said, code, stdout, stderr, want)
				}
			}
		}
	}
	for of, api := range servers {
		exploreLive(t, api, of)
	}
}
