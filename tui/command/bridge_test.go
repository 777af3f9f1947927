package command

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/tui/state"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/service"
)

// Mnemonics that Clarinet writes into every new project; they are public.
const (
	clarinetDeployer = "twice kind fence tip hidden tilt action fragile skin nothing glory cousin green tomorrow spring wrist shed math olympic multiply hip blue scout claw"
	clarinetWallet2  = "hold excess usual excess ring elephant install account glad dry fragile donkey gaze humble truck breeze nation gasp vacuum limb head keep delay hospital"
)

const dapp = "http://localhost:5000"

// envelope is a JSON-RPC answer.
type envelope struct {
	ID     int
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// call posts a call as a page of an origin does.
func (s *serving) call(origin, method, params string) envelope {
	s.t.Helper()
	return s.callAt("/rpc", origin, method, params)
}

func (s *serving) callAt(path, origin, method, params string) envelope {
	s.t.Helper()
	body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Origin", origin)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil || e.ID != 7 {
		s.t.Fatalf("%d %s", answer.StatusCode, text)
	}
	return e
}

func (e envelope) code() int {
	if e.Error == nil {
		return 0
	}
	return e.Error.Code
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheBridgeServesTheProviderAndEndsCleanly(t *testing.T) {
	b := serveBridge(t, "--approve", "always")
	if status, script := fetch(t, "GET", b.address+"/provider.js", ""); status != 200 || !strings.Contains(script, "ChainscopeProvider") {
		t.Errorf("the script answers %d", status)
	}
	if status, page := fetch(t, "GET", b.address+"/", ""); status != 200 || !strings.Contains(page, "<html") {
		t.Errorf("the demo answers %d", status)
	}
	if code := b.end(); code != 0 || b.out.text.String() != "bridge listening on "+b.address+"\n" || b.errs.String() != "" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, b.out.text.String(), b.errs)
	}
}

func TestAPageSignsAndItsTransactionLandsInTheMock(t *testing.T) {
	mock := serveMock(t)
	calls := filepath.Join(t.TempDir(), "calls")
	b := serveBridge(t, "--approve", "always", "--api", mock.address, "--calls", calls)
	var s signed
	e := b.call(dapp, "stx_transferStx", rentParams)
	if e.Error != nil || json.Unmarshal(e.Result, &s) != nil || s.Transaction == "" {
		t.Fatalf("%+v", e)
	}
	if _, status := fetch(t, "GET", mock.address+"/extended/v1/tx/0x"+s.TxID, ""); !strings.Contains(status, `"pending"`) {
		t.Errorf("the mock says %s", status)
	}
	if code := b.call(dapp, "stx_signMessage", `{"message":1}`).code(); code != -32602 {
		t.Errorf("bad params give %d", code)
	}
	if e := b.call(dapp, "stx_getAccounts", `{}`); !strings.Contains(string(e.Result), `"gaiaAppKey"`) {
		t.Errorf("accounts: %s", e.Result)
	}
	b.end()

	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d calls were written down", len(lines))
	}
	var line struct {
		Origin, Method string
		Shown          struct {
			Transfer struct{ Recipient, Amount string }
		}
		Answer struct{ Result struct{ TxID string } }
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil || line.Origin != dapp || line.Method != "stx_transferStx" || line.Shown.Transfer.Amount != "1500000" || line.Answer.Result.TxID != s.TxID {
		t.Errorf("%v: %s", err, lines[0])
	}
	if !strings.Contains(lines[2], `"gaiaAppKey":"[secret]"`) {
		t.Errorf("the gaia key is not masked: %s", lines[2])
	}
	if info, err := os.Stat(calls); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestWithoutAPersonOnlyLoopbackAndNamedOriginsMayCall(t *testing.T) {
	words := write(t, "words", "legal winner thank year wave sausage worth useful legal winner thank yellow\n")
	for name, c := range map[string]struct {
		args   []string
		origin string
		code   int
	}{
		"a page of this machine":                         {nil, dapp, 0},
		"a page of elsewhere":                            {nil, "https://app.example", -32002},
		"a named page of elsewhere":                      {[]string{"--allow-origin", "https://app.example"}, "https://app.example", 0},
		"a page of this machine, with keys of one's own": {[]string{"--mnemonic-file", words}, dapp, -32002},
		"a named page, with keys of one's own":           {[]string{"--mnemonic-file", words, "--allow-origin", dapp}, dapp, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := serveBridge(t, append([]string{"--approve", "always"}, c.args...)...)
			defer b.end()
			if code := b.call(c.origin, "getAddresses", `{}`).code(); code != c.code {
				t.Errorf("code %d, want %d", code, c.code)
			}
		})
	}
}

func TestNeverApprovingRejectsEveryCall(t *testing.T) {
	for as, code := range map[string]int{"chainscope": -32000, "xverse": -32000, "leather": 4001} {
		b := serveBridge(t, "--approve", "never", "--as", as)
		if got := b.call(dapp, "stx_signMessage", `{"message":"x"}`).code(); got != code {
			t.Errorf("%s: code %d, want %d", as, got, code)
		}
		b.end()
	}
}

func TestWhatOnePageWasGrantedIsNotAnothers(t *testing.T) {
	b := serveBridge(t, "--approve", "always", "--as", "xverse")
	defer b.end()
	if e := b.call(dapp, "wallet_connect", `{}`); e.Error != nil {
		t.Fatalf("%+v", e.Error)
	}
	if code := b.call(dapp, "stx_getAccounts", `{}`).code(); code != 0 {
		t.Errorf("the page that connected gets %d", code)
	}
	if code := b.call("http://localhost:6000", "stx_getAccounts", `{}`).code(); code != -32002 {
		t.Errorf("another page gets %d", code)
	}
}

const dappScript = `
- expect: getAddresses
  answer: approve
- expect: stx_transferStx
  with: {amount: 1500000}
  answer: {delay: 2s, then: approve}
- expect: stx_signMessage
  with: {message: no}
  answer: reject
- expect: stx_signMessage
  answer: {result: {signature: made up}}
- expect: stx_callContract
  answer: {error: {code: -32603, message: broken}}
- expect: signPsbt
  answer: approve
  times: any
`

func TestAScriptAnswersInOrder(t *testing.T) {
	b := serveBridge(t, "--script", write(t, "script", dappScript))
	if e := b.call(dapp, "getAddresses", `{"network":"testnet"}`); !strings.Contains(string(e.Result), "STC5KHM41H6WHAST7MWWDD807YSPRQKJ68T330BQ") {
		t.Errorf("addresses: %+v", e)
	}
	if e := b.call(dapp, "stx_transferStx", rentParams); !strings.Contains(string(e.Result), "txid") {
		t.Errorf("a transfer: %+v", e)
	}
	if code := b.call(dapp, "stx_signMessage", `{"message":"no"}`).code(); code != -32000 {
		t.Errorf("a rejection has the code %d", code)
	}
	if e := b.call(dapp, "stx_signMessage", `{"message":"yes"}`); string(e.Result) != `{"signature":"made up"}` {
		t.Errorf("a made up result: %s", e.Result)
	}
	if e := b.call(dapp, "stx_callContract", `{}`); e.code() != -32603 || e.Error.Message != "broken" {
		t.Errorf("a made up error: %+v", e.Error)
	}
	if code := b.end(); code != 0 || b.errs.String() != "" {
		t.Errorf("exit %d: %s", code, b.errs)
	}
}

func TestAScriptThatIsNotPlayedAsWrittenFails(t *testing.T) {
	b := serveBridge(t, "--script", write(t, "script", dappScript))
	if code := b.call(dapp, "getAddresses", `{}`).code(); code != 0 {
		t.Errorf("code %d", code)
	}
	if code := b.call(dapp, "getAddresses", `{}`).code(); code != -32000 {
		t.Errorf("a second call has the code %d", code)
	}
	if code := b.end(); code != 1 {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"the calls did not match the script\n", "expected stx_transferStx but it was never called (script line ", "unexpected call: getAddresses from " + dapp} {
		if !strings.Contains(b.errs.String(), want) {
			t.Errorf("stderr lacks %q: %s", want, b.errs)
		}
	}
	if strings.Contains(b.errs.String(), "signPsbt") {
		t.Errorf("what may come any number of times is missed: %s", b.errs)
	}
}

// A Clarinet project that nobody changed has keys that anyone knows.
func TestAProxyServesItsOwnPageWhileItsKeysArePublic(t *testing.T) {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	for words, code := range map[string]int{
		clarinetDeployer: 0,
		clarinetWallet2:  0,
		"legal winner thank year wave sausage worth useful legal winner thank yellow": int(jsonrpc.MethodAccessDenied),
	} {
		b := serveBridge(t, "--approve", "always", "--proxy", site.URL, "--mnemonic-file", write(t, "words", words))
		if got := b.callAt("/.chainscope/rpc", b.address, "getAddresses", `{}`).code(); got != code {
			t.Errorf("%.20s…: its own page gets %d, want %d", words, got, code)
		}
		b.end()
	}
}

func TestABlockedOriginStaysBlocked(t *testing.T) {
	state := t.TempDir()
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "origins.json"), []byte(`{"`+dapp+`":"blocked"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := serveBridge(t, "--approve", "always", "--state-dir", state)
	defer b.end()
	if code := b.call(dapp, "getAddresses", `{}`).code(); code != -32002 {
		t.Errorf("code %d", code)
	}
}

func TestCallsOfTheCommandLineAndOfTheBridgeAreInTheTimeline(t *testing.T) {
	dir := t.TempDir()
	run(t, t.Context(), "wallet", "request", "stx_signMessage", `{"message":"hi"}`, "--approve", "always", "--state-dir", dir)
	run(t, t.Context(), "wallet", "connect", "--state-dir", dir)
	run(t, t.Context(), "wallet", "disconnect", "--state-dir", dir)
	b := serveBridge(t, "--approve", "always", "--state-dir", dir)
	b.call(dapp, "getAddresses", `{}`)
	b.call("https://stranger.example", "getAddresses", `{}`)
	b.end()

	store, err := state.Open(state.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	explorer, err := service.New(service.Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	defer explorer.Close()
	explorer.Refresh()
	type line struct {
		asker    service.Requester
		kind     service.CallKind
		method   string
		decision service.Choice
	}
	var got []line
	for _, c := range explorer.Timeline() {
		got = append(got, line{c.Requester, c.Kind, c.Method, c.Decision})
	}
	command := service.Requester{Kind: service.FromCommand}
	want := []line{
		{service.Requester{Kind: service.FromPage, Origin: "https://stranger.example"}, service.KindPage, "getAddresses", service.OriginRefused},
		{service.Requester{Kind: service.FromPage, Origin: dapp}, service.KindPage, "getAddresses", service.ApprovedAtOnce},
		{command, service.KindDisconnect, "", ""},
		{command, service.KindConnect, "getAddresses", service.ApprovedAtOnce},
		{command, service.KindRequest, "stx_signMessage", service.ApprovedAtOnce},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{})); diff != "" {
		t.Errorf("the timeline (-want +got):\n%s", diff)
	}
}

func TestTheBridgeIsNoDappOfItsOwn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	for _, proxy := range []string{"http://" + addr, "http://localhost:" + port + "/path"} {
		code, stdout, stderr := run(t, t.Context(), "bridge", "--approve", "always", "--addr", addr, "--proxy", proxy)
		if code != 2 || stdout != "" || !strings.Contains(stderr, "is the bridge itself") {
			t.Errorf("%s: exit %d, %s%s", proxy, code, stdout, stderr)
		}
	}
}

func TestAMethodThatTheWalletDoesNotHaveIsNotUnexpected(t *testing.T) {
	b := serveBridge(t, "--script", write(t, "script", "- expect: getAddresses\n  answer: approve\n"))
	if code := b.call(dapp, "wallet_ofNobody", `{}`).code(); code != -32601 {
		t.Errorf("an unknown method has the code %d", code)
	}
	if code := b.call(dapp, "getAddresses", `{}`).code(); code != 0 {
		t.Errorf("code %d", code)
	}
	if code := b.end(); code != 0 {
		t.Errorf("exit %d: %s", code, b.errs)
	}
}

func TestAPageOfAnOlderLibraryIsNamedInTheTerminal(t *testing.T) {
	for _, flags := range [][]string{{"--approve", "always"}, {"--script", write(t, "s.yaml", "[]\n")}} {
		b := serveBridge(t, flags...)
		e := b.call(dapp, "authenticationRequest()", `["eyJ0"]`)
		b.end()
		if e.Error == nil || !strings.Contains(b.errs.String(), dapp+": "+e.Error.Message+"\n") ||
			!strings.Contains(e.Error.Message, "@stacks/connect 8") || !strings.Contains(e.Error.Message, "version 7 (authenticationRequest)") {
			t.Errorf("%s: the page is told %+v, the terminal %q", flags[0], e.Error, b.errs)
		}
	}
}
