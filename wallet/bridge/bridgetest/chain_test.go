package bridgetest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/wallet/bridge/bridgetest"
)

const (
	fund = "ST000000000000000000002AMW42H.fund"
	gold = "ST000000000000000000002AMW42H.gold::gold"
)

// failing is a test that has failed for a reason of its own.
type failing struct{ seen }

func (*failing) Failed() bool { return true }

func TestATestThatFailsSaysWhyATransactionDid(t *testing.T) {
	s := &failing{seen{TB: t}}
	mock := newMock(t, false)
	// What a transaction called is known where contracts run; here it is made up.
	runs := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/trace") {
			mock.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"trace":[{"contract":"ST1.fund","function":"pledge","arguments":["u5"],"result":"(ok u5)","calls":[{"contract":"ST1.coin","function":"move","arguments":["\"\u001b\""],"result":"(ok true)","calls":[]}]}]}`)
	})
	k := bridgetest.Start(s, bridgetest.Options{Mock: runs, Network: "testnet"})
	if err := k.Chain.Contract(fund, bridgetest.Answers{
		Reads: map[string][]bridgetest.Read{"get-goal": {{Result: "u100"}}},
		Calls: map[string][]bridgetest.Call{"pledge": {{
			Result: "(ok $1)", Prints: []string{"$sender"},
			Moves: []bridgetest.Move{{Asset: "STX", From: "sender", To: "contract", Amount: "$1"}, {Asset: gold, To: "sender", Amount: "u3"}},
			Sets:  bridgetest.Sets{Vars: map[string]string{"raised": "$1"}, Maps: []bridgetest.SetEntry{{Name: "pledges", Key: "$sender", Value: "$1"}}},
		}}},
		Vars: map[string]string{"raised": "u0"},
		Maps: map[string][]bridgetest.MapEntry{"pledges": {{Key: "u0", Value: "u9"}}},
	}); err != nil {
		t.Fatal(err)
	}
	k.Expect("stx_callContract", nil).Times(2).Approve()
	pledge := map[string]any{"contract": fund, "functionName": "pledge", "functionArgs": []string{"0x0100000000000000000000000000000005"}, "postConditionMode": "allow"}
	if _, err := k.Request(t.Context(), "stx_callContract", pledge); err != nil {
		t.Fatal(err)
	}
	if got := k.Failures(); got != "" {
		t.Errorf("it succeeds: %s", got)
	}
	pledge["postConditionMode"] = "deny"
	if _, err := k.Request(t.Context(), "stx_callContract", pledge); err != nil {
		t.Fatal(err)
	}
	call, err := k.NextCall(t.Context(), "stx_callContract")
	if err != nil {
		t.Fatal(err)
	}
	var shown struct {
		Account struct {
			Address string `json:"address"`
		} `json:"account"`
	}
	if err := json.Unmarshal(call.Shown, &shown); err != nil {
		t.Fatal(err)
	}
	if err := k.Chain.FundTokens(fund, map[string]uint64{gold: 7}); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{shown.Account.Address: "3", fund: "7"} {
		w := httptest.NewRecorder()
		mock.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/extended/v1/address/"+address+"/balances", nil))
		if !strings.Contains(w.Body.String(), fmt.Sprintf(`%q:{"balance":%q`, gold, want)) {
			t.Errorf("%s has not %s: %s", address, want, w.Body)
		}
	}
	for _, f := range s.cleanups {
		f()
	}
	if len(s.failures) != 1 {
		t.Fatalf("%q", s.failures)
	}
	for _, want := range []string{
		"a transaction of this test did not succeed\ndid not succeed: stx_callContract, abort_by_post_condition\n  sent      call 2: {",
		"which no post-condition covers; what is not covered is refused.\n", "\n  called    fund.pledge(u5)  (ok u5)\n              coin.move(\"\\x1b\")  (ok true)", "  fix       add the condition that " + shown.Account.Address + " sends exactly ",
	} {
		if !strings.Contains(s.failures[0], want) {
			t.Errorf("%q is missing in\n%s", want, s.failures[0])
		}
	}
}

func TestATestThatFailsSaysWhatNobodyHasDescribed(t *testing.T) {
	s := &failing{seen{TB: t}}
	k := bridgetest.Start(s, bridgetest.Options{Mock: newMock(t, false), Network: "testnet"})
	call := func() error {
		k.Expect("stx_callContract", nil).Approve()
		_, err := k.Request(t.Context(), "stx_callContract", map[string]any{"contract": fund, "functionName": "pledge", "functionArgs": []string{}})
		return err
	}
	if err := call(); err == nil {
		t.Fatal("the call is taken")
	}
	if err := k.Reset(); err != nil {
		t.Fatal(err)
	}
	if file, err := k.Undescribed(); err != nil || file != "" {
		t.Errorf("it belongs to the case before: %v %s", err, file)
	}
	if err := call(); err == nil {
		t.Fatal("the call is taken")
	}
	for _, f := range s.cleanups {
		f()
	}
	if len(s.failures) != 1 || !strings.Contains(s.failures[0], "into this file:\n# What was requested and is not described") ||
		!strings.HasSuffix(s.failures[0], "- contract: "+fund+"\n  calls:\n    pledge: {result: (ok true)}\n") {
		t.Errorf("%q", s.failures)
	}
}
