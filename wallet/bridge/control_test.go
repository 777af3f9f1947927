package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// controlled returns a bridge that a test runner controls, with a wallet that plays
// its script.
func controlled(t *testing.T, script *Script) *running {
	t.Helper()
	control := &Control{
		Script: script,
		SetAccount: func(account uint32) error {
			if account > 9 {
				return errors.New("the last account is 9")
			}
			return nil
		},
		SetNetwork: func(name string) error {
			if name != "testnet" {
				return errors.New("want testnet")
			}
			return nil
		},
		Reset: func() {},
		State: func() ControlState { return ControlState{Wallet: "chainscope", Network: "mainnet"} },
	}
	return start(t, Options{Control: control, Handler: func(_ context.Context, call Call) Answer {
		rule, fits := script.Match(call)
		if !fits {
			u := script.Unexpected(call)
			return Answer{Error: refuse(-32000, "rejected").Error, Unexpected: &u}
		}
		return Answer{Result: json.RawMessage(`{"ok":true}`), Rule: rule.Rule}
	}})
}

// send sends a control request and decodes its answer.
func (r *running) send(method, path, body string, into any, headers ...string) int {
	r.t.Helper()
	response, text := r.do(context.Background(), method, path, body, headers...)
	if response == nil {
		r.t.Fatalf("%s %s: %s", method, path, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			r.t.Fatalf("%s %s: %d %q", method, path, response.StatusCode, text)
		}
	}
	return response.StatusCode
}

func TestControlIsForProgramsOnThisMachine(t *testing.T) {
	r := controlled(t, &Script{})
	person := start(t, Options{Attended: true})
	for name, c := range map[string]struct {
		bridge  *running
		headers []string
		status  int
	}{
		"a test runner":                    {r, nil, 200},
		"a page of another origin":         {r, []string{"Origin", page}, 403},
		"a page of the bridge itself":      {r, []string{"Sec-Fetch-Site", "same-origin"}, 403},
		"a page that has no origin":        {r, []string{"Origin", "null"}, 403},
		"an image in a page":               {r, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"a name that points at loopback":   {r, []string{"Host", "evil.example"}, 421},
		"a bridge where a person answers":  {person, nil, 403},
		"a page at a person's bridge, too": {person, []string{"Origin", page}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			for _, route := range []struct{ method, name string }{
				{"GET", "rules"},
				{"POST", "rules"},
				{"GET", "calls"},
				{"GET", "verdict"},
				{"POST", "reset"},
				{"POST", "account"},
				{"POST", "network"},
				{"POST", "emit"},
				{"GET", "state"},
				{"GET", "openapi.json"},
			} {
				body := map[string]string{"rules": "[]", "account": `{"account":1}`, "network": `{"network":"testnet"}`, "emit": `{"event":"disconnect"}`}[route.name]
				if got := c.bridge.send(route.method, ControlPrefix+route.name, body, nil, c.headers...); got != c.status {
					t.Errorf("%s %s: %d, want %d", route.method, route.name, got, c.status)
				}
			}
			if got := c.bridge.send("POST", MockPrefix+"v1/mine", "{}", nil, c.headers...); got == 200 {
				t.Errorf("the mock's control answers %d", got)
			}
		})
	}
}

func TestBadInputToControlSaysWhatWouldBeRight(t *testing.T) {
	r := controlled(t, &Script{})
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "rules", ``, 400, "a JSON list of rules such as [{"},
		{"POST", "rules", `{"expect":"x"}`, 400, "a JSON list of rules"},
		{"POST", "rules", `[{"expect":"x"}]`, 400, "a rule needs answer"},
		{"POST", "rules", `[{"expect":"x","answer":"approve","time":1}]`, 400, `unknown key "time"`},
		{"POST", "rules", `[{"expect":"x","answer":"approve","times":0}]`, 400, "a number from 1"},
		{"POST", "rules?replace=yes", `[]`, 400, "replace must be 1 or 0"},
		{"POST", "rules", `[` + strings.Repeat(" ", maxControlBody) + `]`, 413, "4194304 bytes"},
		{"GET", "calls?after=x", ``, 400, "such as after=7"},
		{"GET", "calls?after=-1", ``, 400, "such as after=7"},
		{"GET", "calls?wait=soon", ``, 400, "such as wait=5s"},
		{"GET", "calls?wait=1h", ``, 400, "from 0s to 1m0s"},
		{"POST", "account", `{}`, 400, `{"account":2}`},
		{"POST", "account", `{"account":-1}`, 400, `{"account":2}: account cannot be number -1`},
		{"POST", "account", `{"account":10}`, 400, "the last account is 9"},
		{"POST", "account", `{"account":1,"network":"x"}`, 400, `{"account":2}`},
		{"POST", "network", `{"network":1}`, 400, `{"network":"testnet"}`},
		{"POST", "network", `{"network":"moonnet"}`, 400, "want testnet"},
		{"POST", "emit", `{"event":"boom"}`, 400, "stx_accountChange"},
		{"POST", "emit", `{"event":"disconnect","origin":"localhost"}`, 400, "origin:"},
		{"POST", "emit", `{"event":"disconnect"} {}`, 400, "more than one"},
		{"PUT", "rules", `[]`, 405, "GET or POST"},
		{"POST", "state", `{}`, 405, "takes GET"},
		{"GET", "reset", ``, 405, "takes POST"},
		{"GET", "nothing", ``, 404, "openapi.json lists them"},
	} {
		var got controlError
		status := r.send(c.method, ControlPrefix+c.path, c.body, &got)
		if status != c.status || !strings.Contains(got.Message, c.want) || got.Error != http.StatusText(c.status) {
			t.Errorf("%s %s %.40s: %d %+v, want %d %q", c.method, c.path, c.body, status, got, c.status, c.want)
		}
	}
}

func TestARunnerGivesRulesReadsCallsAndTheVerdict(t *testing.T) {
	r := controlled(t, parse(t, "- expect: old\n  answer: approve\n"))
	var rules rulesAnswer
	if status := r.send("POST", ControlPrefix+"rules?replace=1", `[{"expect":"stx_transferStx","with":{"amount":1500000,"memo":"rent"},"answer":"approve"},{"expect":"signPsbt","answer":{"result":{"psbt":"x"}},"times":2}]`, &rules); status != 200 || len(rules.Rules) != 2 {
		t.Fatalf("%d %+v", status, rules)
	}
	r.send("POST", ControlPrefix+"rules", `[{"expect":"*","origin":"http://localhost:9","answer":"reject","times":"any"}]`, &rules)
	if len(rules.Rules) != 3 || rules.Rules[2].Rule != 3 || rules.Rules[2].Times != "any" || rules.Rules[0].Expect != "stx_transferStx" {
		t.Errorf("%+v", rules)
	}
	r.call(page, "stx_transferStx", `{"amount":"1500000","memo":"rent"}`)
	r.call(page, "stx_transferStx", `{"amount":"1500001"}`)
	r.call(page, "signPsbt", `{"psbt":"a"}`)

	var calls callsAnswer
	r.send("GET", ControlPrefix+"calls?after=1", "", &calls)
	if len(calls.Calls) != 2 || calls.Next != 3 || calls.Calls[0].N != 2 || !calls.Calls[0].Unexpected || calls.Calls[0].Rule != nil || calls.Calls[1].Rule == nil || *calls.Calls[1].Rule != 2 {
		t.Errorf("%+v", calls)
	}
	if c := calls.Calls[0]; c.Origin != page || string(c.Params) != `{"amount":"1500001"}` || c.Answer.Error == nil || string(c.Shown) != "null" {
		t.Errorf("%+v", c)
	}
	var verdict Verdict
	r.send("GET", ControlPrefix+"verdict", "", &verdict)
	if verdict.OK || len(verdict.Missing) != 1 || len(verdict.Unexpected) != 1 {
		t.Fatalf("%+v", verdict)
	}
	if m := verdict.Missing[0]; m.Rule != 2 || m.Expect != "signPsbt" || m.Came != 1 || m.Times != 2 || m.Near != nil {
		t.Errorf("missing: %+v", m)
	}
	u := verdict.Unexpected[0]
	want := []string{`amount: want 1500000, got "1500001"`, `memo: want "rent", it is missing`, "times: it answered 1 of 1 already"}
	if u.Call != 2 || u.Near == nil || u.Near.Rule != 1 || strings.Join(u.Near.Why, "\n") != strings.Join(want, "\n") {
		t.Errorf("unexpected: %+v, near %+v", u, u.Near)
	}
	r.send("POST", ControlPrefix+"reset", "", &verdict)
	if !verdict.OK || len(verdict.Unexpected) != 0 {
		t.Errorf("after a reset: %+v", verdict)
	}
	r.send("GET", ControlPrefix+"calls", "", &calls)
	if len(calls.Calls) != 0 || calls.Next != 0 {
		t.Errorf("after a reset: %+v", calls)
	}
}

func TestACallIsWaitedFor(t *testing.T) {
	r := controlled(t, &Script{})
	var requested atomic.Bool
	done := make(chan callsAnswer, 1)
	go func() {
		requested.Store(true)
		var calls callsAnswer
		r.send("GET", ControlPrefix+"calls?after=0&wait=30s", "", &calls)
		done <- calls
	}()
	until(t, "the calls are requested", requested.Load)
	r.call(page, "getAddresses", "")
	if calls := <-done; len(calls.Calls) != 1 || calls.Next != 1 {
		t.Errorf("%+v", calls)
	}
	var calls callsAnswer
	begun := time.Now()
	r.send("GET", ControlPrefix+"calls?after=1&wait=50ms", "", &calls)
	if waited := time.Since(begun); len(calls.Calls) != 0 || calls.Next != 1 || waited < 50*time.Millisecond {
		t.Errorf("%+v after %v", calls, waited)
	}
}

func TestTheReportIsASuiteOfTests(t *testing.T) {
	r := controlled(t, parse(t, "- expect: getAddresses\n  answer: approve\n- expect: signPsbt\n  answer: approve\n"))
	r.call(page, "getAddresses", "")
	r.call(page, "stx_signMessage", `{"message":"<&>"}`)
	report := r.Report()
	report.Calls[0].Called = "market.buy(u5)  (err u1)\n  coin.take(\"<\n>\")  failed"
	text, err := report.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<testsuite name="chainscope bridge" tests="3" failures="2">`, "name=\"rule 1: getAddresses\">\n    <system-out>call 1: getAddresses of http://localhost:3000&#xA;  market.buy(u5) (err u1)&#xA;    coin.take(&#34;&lt;&#xA;  &gt;&#34;) failed</system-out>\n  </testcase>",
		`name="rule 2: signPsbt">`, "expected signPsbt but it was never called (script line 3, 0 of 1)",
		`name="call 2: stx_signMessage of http://localhost:3000">`, "&lt;&amp;&gt;",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	text, err = report.JSON()
	var back struct {
		OK    bool
		Calls []struct{ Method string }
	}
	if err != nil || json.Unmarshal(text, &back) != nil || back.OK || len(back.Calls) != 2 || back.Calls[1].Method != "stx_signMessage" {
		t.Errorf("%v: %s", err, text)
	}
}
