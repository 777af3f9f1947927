package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/mockserver/engine/enginetest"
)

// The calls of a transaction are printed as a tree, what happened in each in its order.
func TestTheCallsOfATransactionArePrinted(t *testing.T) {
	id := strings.Repeat("ab", 32)
	const answer = `{"tx_id":"0x00","trace":[{"contract":"ST1.pier","function":"berth","arguments":["u2"],"result":null,"error":"ArithmeticUnderflow","at":null,
"events":[{"event_type":"x","text":"print event: \"a\u001b[31m\"","after":1}],
"calls":[{"contract":"ST1.pier","function":"fee","arguments":[],"result":"u1","events":[],"at":{"contract":"ST1.pier","line":3,"column":7},"calls":[]},
{"contract":"ST2.coin","function":"take","arguments":["u1","u2"],"result":"(ok true)","events":[{"text":"ft mint event","after":0}],"at":{"contract":"ST1.pier","line":4,"column":9},"calls":[]}]}]}`
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/mock/v1/transactions/0x"+id+"/trace" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"message":"Route GET:%s not found","error":"Not Found","statusCode":404}`, r.URL.Path)
			return
		}
		fmt.Fprint(w, answer)
	}))
	defer api.Close()
	code, stdout, stderr := run(t, t.Context(), "tx", id, "--trace", "--api", api.URL)
	want := `pier.berth(u2) failed: ArithmeticUnderflow
├─ pier.fee() → u1   pier:3:7
· print event: "a\x1b[31m"
└─ coin.take(u1, u2) → (ok true)   pier:4:9
   · ft mint event
`
	if code != 0 || stdout != want {
		t.Errorf("exit %d, %s\n%s\nwant\n%s", code, stderr, stdout, want)
	}
	code, _, stderr = run(t, t.Context(), "tx", strings.Repeat("cd", 32), "--trace", "--api", api.URL)
	if code != 2 || !strings.Contains(stderr, "the call is run again here") || !strings.Contains(stderr, "npm install chainscope-clarity") {
		t.Errorf("a live API without a virtual machine: exit %d, %s", code, stderr)
	}
	if code, _, stderr = run(t, t.Context(), "tx", id, "--fork-offline", "--api", api.URL); code != 2 || !strings.Contains(stderr, "need --trace") {
		t.Errorf("a flag without --trace: exit %d, %s", code, stderr)
	}
	mock := serveMock(t, "--clarity", "--clarity-engine", strings.Join(enginetest.Command(), " "))
	code, _, stderr = run(t, t.Context(), "tx", strings.Repeat("cd", 32), "--trace", "--api", mock.address)
	if want := "chainscope: trace a transaction: there is no such transaction (status 404)\n"; code != 3 || stderr != want {
		t.Errorf("an unknown transaction: exit %d, %s, want %s", code, stderr, want)
	}
	mock = serveMock(t)
	code, _, stderr = run(t, t.Context(), "tx", id, "--trace", "--api", mock.address)
	if code != 5 || !strings.Contains(stderr, "start the mock with --clarity") {
		t.Errorf("a mock without a virtual machine: exit %d, %s", code, stderr)
	}
}
