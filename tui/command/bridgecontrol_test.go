package command

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"chainscope/wallet/bridge"
)

// runner is a test runner at a bridge. It holds every answer against the document
// that the bridge serves.
type runner struct {
	*serving
	router routers.Router
}

func newRunner(t *testing.T, b *serving) *runner {
	t.Helper()
	status, text := fetch(t, "GET", b.address+"/.chainscope/control/openapi.json", "")
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil || status != 200 {
		t.Fatalf("%d, %v", status, err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &runner{b, router}
}

// does sends a control request and decodes its answer.
func (r *runner) does(method, path, body string, into any) int {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.address+"/.chainscope/control/"+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			r.t.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, text)
		}
	}
	route, params, err := r.router.FindRoute(request)
	if err != nil {
		r.t.Errorf("%s %s is not in the document: %v", method, path, err)
		return answer.StatusCode
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, PathParams: params, Route: route},
		Status:                 answer.StatusCode, Header: answer.Header, Body: io.NopCloser(bytes.NewReader(text)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(r.t.Context(), input); err != nil {
		r.t.Errorf("%s %s: %v", method, path, err)
	}
	return answer.StatusCode
}

type verdictAnswer struct {
	OK         bool
	Missing    []struct{ Expect string }
	Unexpected []struct{ Method string }
}

func TestATestRunnerPlaysThePerson(t *testing.T) {
	dir := t.TempDir()
	xmlReport, jsonReport := filepath.Join(dir, "report.xml"), filepath.Join(dir, "report.json")
	b := serveBridge(t, "--script", write(t, "script", "[]"), "--report", xmlReport, "--report", jsonReport)
	r := newRunner(t, b)

	if status := r.does("POST", "rules", `[{"expect":"getAddresses","answer":"approve","times":2},{"expect":"stx_transferStx","with":{"amount":1500000},"answer":"approve"}]`, nil); status != 200 {
		t.Fatalf("rules: %d", status)
	}
	var first, second struct {
		Addresses []struct{ Symbol, Address string }
	}
	stx := func(list []struct{ Symbol, Address string }) string { return list[len(list)-1].Address }
	if e := b.call(dapp, "getAddresses", `{}`); json.Unmarshal(e.Result, &first) != nil || len(first.Addresses) == 0 {
		t.Fatalf("%+v", e)
	}
	if status := r.does("POST", "account", `{"account":2}`, nil); status != 200 {
		t.Errorf("account: %d", status)
	}
	if status := r.does("POST", "network", `{"network":"testnet"}`, nil); status != 200 {
		t.Errorf("network: %d", status)
	}
	if e := b.call(dapp, "getAddresses", `{}`); json.Unmarshal(e.Result, &second) != nil || len(second.Addresses) == 0 {
		t.Fatalf("%+v", e)
	}
	if one, two := stx(first.Addresses), stx(second.Addresses); !strings.HasPrefix(one, "SP") || !strings.HasPrefix(two, "ST") || one[3:] == two[3:] {
		t.Errorf("account and network were not switched: %s, %s", one, two)
	}
	var s signed
	if e := b.call(dapp, "stx_transferStx", rentParams); json.Unmarshal(e.Result, &s) != nil || s.TxID == "" {
		t.Fatalf("%+v", e)
	}
	if status, body := fetch(t, "POST", b.address+"/.chainscope/mock/v1/mine", `{"blocks":1}`); status != 200 || !strings.Contains(body, `"tip"`) {
		t.Errorf("mining through the bridge answers %d %s", status, body)
	}
	var calls struct {
		Calls []struct {
			Method string
			Rule   *int
			Shown  struct{ Transfer struct{ Amount string } }
		}
		Next int
	}
	r.does("GET", "calls?after=2", "", &calls)
	if len(calls.Calls) != 1 || calls.Next != 3 || calls.Calls[0].Method != "stx_transferStx" || *calls.Calls[0].Rule != 2 || calls.Calls[0].Shown.Transfer.Amount != "1500000" {
		t.Errorf("calls: %+v", calls)
	}
	var verdict verdictAnswer
	if r.does("GET", "verdict", "", &verdict); !verdict.OK {
		t.Errorf("verdict: %+v", verdict)
	}

	b.call(dapp, "stx_transferStx", rentParams)
	if r.does("GET", "verdict", "", &verdict); verdict.OK || len(verdict.Unexpected) != 1 || verdict.Unexpected[0].Method != "stx_transferStx" {
		t.Errorf("verdict: %+v", verdict)
	}
	r.does("GET", "rules", "", nil)
	r.does("POST", "emit", `{"event":"accountChange","data":{"type":"accountChange"}}`, nil)
	r.does("POST", "emit", `{"event":"boom"}`, nil)
	if code := b.end(); code != 1 || !strings.Contains(b.errs.String(), "unexpected call: stx_transferStx") || !strings.Contains(b.errs.String(), "times: it answered 1 of 1 already") {
		t.Errorf("exit %d: %s", code, b.errs)
	}
	var report struct{ Calls []bridge.Account }
	text, err := os.ReadFile(jsonReport)
	if err != nil || json.Unmarshal(text, &report) != nil || len(report.Calls) != 4 {
		t.Fatalf("%v, %s", err, text)
	}
	if c := report.Calls[2]; c.TxID != s.TxID || !strings.HasPrefix(c.By, "chainscope, account 2 on testnet, fee ") || !strings.HasPrefix(c.Status, "in block ") {
		t.Errorf("the report says of the transfer %+v", c)
	}
	for path, want := range map[string]string{xmlReport: `tests="3" failures="1"`, jsonReport: `"ok": false`} {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %s", path, err, text)
		}
	}
}

func TestAResetBringsTheBridgeBack(t *testing.T) {
	b := serveBridge(t, "--approve", "always", "--as", "xverse")
	r := newRunner(t, b)
	if e := b.call(dapp, "wallet_connect", `{}`); e.Error != nil {
		t.Fatalf("%+v", e.Error)
	}
	r.does("POST", "rules", `[{"expect":"stx_signMessage","answer":"reject"}]`, nil)
	if code := b.call(dapp, "stx_signMessage", `{"message":"x"}`).code(); code != -32000 {
		t.Errorf("by the rule: %d", code)
	}
	if status := r.does("POST", "reset", "", nil); status != 200 {
		t.Errorf("reset: %d", status)
	}
	if code := b.call(dapp, "stx_signMessage", `{"message":"x"}`).code(); code != 0 {
		t.Errorf("once the rules are gone: %d", code)
	}
	if code := b.call(dapp, "wallet_getAccount", `null`).code(); code != -32002 {
		t.Errorf("what the page was granted is still there: %d", code)
	}
	if code := b.end(); code != 0 {
		t.Errorf("exit %d: %s", code, b.errs)
	}
}

func TestARevertOfTheWorldTakesTheWalletBack(t *testing.T) {
	mock := serveMock(t, "--worlds")
	b := serveBridge(t, "--script", write(t, "script", "- expect: \"*\"\n  answer: approve\n  times: any\n"), "--as", "xverse", "--network", "testnet", "--api", mock.address+"/w/one")
	control := func(path, body string) string {
		t.Helper()
		status, text := fetch(t, "POST", b.address+"/.chainscope/mock/v1/"+path, body)
		if status != 200 {
			t.Fatalf("%s: %d %s", path, status, text)
		}
		return text
	}
	pay := func() (s signed) {
		t.Helper()
		if e := b.call(dapp, "stx_transferStx", rentParams); json.Unmarshal(e.Result, &s) != nil || s.TxID == "" {
			t.Fatalf("%+v %+v", e, e.Error)
		}
		return s
	}
	connected := func() bool { return b.call(dapp, "wallet_getAccount", `null`).Error == nil }

	control("snapshot", `{"name":"before"}`)
	if e := b.call(dapp, "wallet_connect", `{}`); e.Error != nil {
		t.Fatalf("%+v", e.Error)
	}
	first := pay()
	control("snapshot", `{"name":"paid"}`)
	second := pay()
	control("revert", `{"to":"paid"}`)
	if !connected() {
		t.Error("what was connected before the snapshot is not any more")
	}
	if again := pay(); again != second || again == first {
		t.Errorf("the second transaction is %s, then %s", second.TxID, again.TxID)
	}
	control("revert", `{"to":"before"}`)
	if connected() {
		t.Error("what was connected after the snapshot still is")
	}
	b.call(dapp, "wallet_connect", `{}`)
	if again := pay(); again != first {
		t.Errorf("the first transaction is %s, then %s", first.TxID, again.TxID)
	}
	if status, text := fetch(t, "POST", b.address+"/.chainscope/mock/v1/revert", `{"to":"paid"}`); status != 404 || !strings.Contains(text, `no snapshot \"paid\"`) {
		t.Errorf("a later snapshot is still there: %d %s", status, text)
	}
}

func TestARunnerLearnsWhatTheWalletIs(t *testing.T) {
	b := serveBridge(t, "--script", write(t, "script", "[]"), "--as", "leather", "--account", "1")
	r := newRunner(t, b)
	var state struct {
		Wallet, Network, Address, API string
		Account                       int
	}
	if status := r.does("GET", "state", "", &state); status != 200 || state.Wallet != "leather" || state.Network != "mainnet" || state.Account != 1 || !strings.HasPrefix(state.Address, "SP") {
		t.Errorf("%d %+v", status, state)
	}
	if status, text := fetch(t, "GET", state.API+"/mock/v1/catalog", ""); status != 200 {
		t.Errorf("the wallet's API answers %d %s", status, text)
	}
	r.does("POST", "rules", `[{"expect":"stx_transferStx","answer":"approve"}]`, nil)
	var s signed
	if e := b.call(dapp, "stx_transferStx", rentParams); json.Unmarshal(e.Result, &s) != nil {
		t.Fatalf("%+v", e)
	}
	if _, text := fetch(t, "GET", state.API+"/extended/v1/tx/0x"+s.TxID, ""); !strings.Contains(text, `"success"`) {
		t.Errorf("no block was mined for a script: %s", text)
	}
}

func TestAReportOutlivesABridgeThatIsKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	b := serveBridge(t, "--script", write(t, "script", "- expect: signPsbt\n  answer: approve\n"), "--report", path)
	b.call(dapp, "getAddresses", `{}`)
	for { // until the test's own deadline
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), `"method": "getAddresses"`) && strings.Contains(string(text), `"expect": "signPsbt"`) {
			break
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatalf("%v: %s", err, text)
		}
	}
	b.end()
	code, _, stderr := run(t, t.Context(), "bridge", "--approve", "never", "--addr", "127.0.0.1:0", "--report", filepath.Join(t.TempDir(), "no", "report.json"))
	if code != 2 || !strings.Contains(stderr, "--report") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
