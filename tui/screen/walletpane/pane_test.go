package walletpane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane"
	"chainscope/tui/screen/walletpane/form"
	"chainscope/tui/theme"
	"chainscope/wallet/bridge"
	"chainscope/wallet/keys"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// user is a person in front of the pane, with a wallet on a mock chain. Commands
// run as in the program: beside the keys.
type user struct {
	*testing.T
	pane    *walletpane.Screen
	wallet  *service.Service
	came    chan tea.Msg
	ctx     context.Context
	went    []nav.Place
	notices []string
	asked   *service.ApprovalAsked
	mine    func()
	gate    *gate
}

// gate is a transport that can hold questions about transactions.
type gate struct {
	mu   sync.Mutex
	held chan struct{} // closed to let them go; nil holds nothing
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	held := g.held
	g.mu.Unlock()
	if held != nil && strings.Contains(r.URL.Path, "/tx/") {
		select {
		case <-held:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// hold holds questions until the function that it returns is called.
func (g *gate) hold() (release func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	held := make(chan struct{})
	g.held = held
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.held = nil
		close(held)
	}
}

func sit(t *testing.T, theme string, network string, change ...func(*walletpane.Options)) *user {
	t.Helper()
	freeze := uitest.Noon
	mock := uitest.Mock(t, mockserver.Config{Seed: 7, Names: 10, Freeze: &freeze})
	client := uitest.Client(t, mock)
	asks := &gate{}
	n, err := node.New(node.Options{BaseURL: client.BaseURL(), Transport: asks})
	if err != nil {
		t.Fatal(err)
	}
	nonces := node.NewNonces(n)
	now := func() time.Time { return uitest.Noon }
	w, err := service.New(service.Options{
		Node: n, Nonces: nonces, Source: provider.ChainSource{Client: n, Nonces: nonces}, Network: network, Now: now,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	u := &user{T: t, wallet: w, came: make(chan tea.Msg, 64), ctx: ctx, gate: asks}
	u.mine = func() {
		screentestMine(t, client.BaseURL())
	}
	env := &screen.Env{Context: ctx, Client: client, Keys: keymap.Default(), Now: now, Times: &screen.Times{Zone: time.UTC}}
	colors := colorprofile.TrueColor
	if theme == "mono" {
		colors = colorprofile.ASCII
	}
	o := walletpane.Options{Wallet: w, Colors: colors, Mock: true}
	for _, f := range change {
		f(&o)
	}
	u.pane = walletpane.New(env, uitest.Theme(t, theme), o)
	u.pane.SetSize(80, 20)
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for {
			m, ok := w.Next(ctx)
			if !ok {
				return
			}
			u.put(m)
		}
	}()
	t.Cleanup(func() {
		cancel()
		w.Close()
		<-heard
	})
	u.do(u.pane.Open(nav.Wallet(), nil))
	u.until("the addresses", func() bool { return u.sees("p2tr") && !u.sees("reading") })
	return u
}

func (u *user) put(m tea.Msg) {
	select {
	case u.came <- m:
	case <-u.ctx.Done():
	}
}

func (u *user) do(cmd tea.Cmd) {
	if cmd != nil {
		go func() { u.put(cmd()) }()
	}
}

func (u *user) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			u.do(c)
		}
	case screen.GoMsg:
		u.went = append(u.went, msg.Place)
	case screen.NoticeMsg:
		u.notices = append(u.notices, msg.Text)
	case service.ApprovalAsked:
		u.asked = &msg
	case nil:
	}
	u.do(u.pane.Update(msg))
}

// until takes what comes until something holds.
func (u *user) until(what string, holds func() bool) {
	u.Helper()
	over := time.NewTimer(time.Minute)
	defer over.Stop()
	for !holds() {
		select {
		case m := <-u.came:
			u.take(m)
		case <-over.C:
			u.Fatalf("%s never came:\n%s", what, u.frame())
		}
	}
}

func (u *user) press(keys ...string) {
	for _, k := range keys {
		cmd, _ := u.pane.Key(uitest.Key(k))
		u.do(cmd)
	}
}

func (u *user) types(s string) {
	u.press(strings.Split(s, "")...)
}

func (u *user) frame() string { return ansi.Strip(strings.Join(u.pane.View(uitest.Noon), "\n")) }

func (u *user) sees(words string) bool { return strings.Contains(u.frame(), words) }

func (u *user) want(words ...string) {
	u.Helper()
	for _, w := range words {
		if !u.sees(w) {
			u.Errorf("%q is not on the screen:\n%s", w, u.frame())
		}
	}
}

// decide answers the next approval.
func (u *user) decide(yes bool) {
	u.Helper()
	u.until("the approval", func() bool { return u.asked != nil })
	u.wallet.Decide(u.asked.ID, signer.Decision{Approved: yes})
	u.asked = nil
}

func (u *user) connect() {
	u.Helper()
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.decide(true)
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
}

// form opens the form of a method by typing its name.
func (u *user) form(method string) {
	u.Helper()
	u.press("n")
	u.types(method)
	u.press("enter")
	u.want(method)
}

func TestANewcomerConnectsSignsSendsFollowsAndDisconnects(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.press("n", "enter", "ctrl+x", "enter")
	u.decide(true)
	u.until("the signature", func() bool { return u.sees("signature  ") })
	u.press("v")
	u.want("valid: by the key", "03d5d038")
	u.press("n", "down", "enter", "ctrl+x", "enter")
	u.decide(true)
	u.until("the transaction", func() bool { return u.sees("pending: the next block takes it") })
	u.mine()
	u.do(u.pane.Live())
	u.until("the block", func() bool {
		if u.sees("success") {
			return true
		}
		u.do(u.pane.Live())
		return false
	})
	u.press("enter")
	u.until("the way to the block", func() bool { return len(u.went) == 1 })
	if p := u.went[0]; p.Kind != nav.KindBlock || p.Ref.Height == 0 {
		t.Errorf("it leads to %v", p)
	}
	u.press("v")
	u.want("valid: by SP")
	u.press("x")
	u.until("the end of the connection", func() bool { return u.sees("not connected") && !u.sees("waiting") })
	if st := u.wallet.State(); st.Connected || st.Record != nil {
		t.Errorf("%+v", st)
	}
	if n := len(u.wallet.Timeline()); n != 4 {
		t.Errorf("%d calls in the timeline, want 4", n)
	}
}

// transfer sends the example of a transfer and approves it.
func (u *user) transfer() {
	u.Helper()
	u.form("stx_transferStx")
	u.press("ctrl+x", "enter")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
}

func TestAMinedTransactionIsNeverCalledPending(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	release := u.gate.hold()
	u.transfer()
	u.want("in block     asking")
	if u.sees("pending") {
		t.Errorf("it says pending before the chain has said so:\n%s", u.frame())
	}
	u.mine()
	release()
	u.until("the block", func() bool {
		if u.sees("pending") {
			t.Fatalf("a mined transaction is called pending:\n%s", u.frame())
		}
		return u.sees("success")
	})
	release = u.gate.hold()
	u.press("esc", "esc", "tab", "g", "enter")
	u.want("stx_transferStx", "success") // as it was known
	release()
	u.until("the second answer", func() bool { u.do(u.pane.Live()); return u.sees("success") })
}

func TestACallIsAPlace(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.transfer()
	place := u.pane.Place()
	call := u.wallet.Timeline()[0]
	if want := nav.WalletCall(call.Key()); place != want {
		t.Fatalf("the result is the place %v, want %v", place, want)
	}
	if found, ours := u.wallet.CallOf("0x" + strings.ToUpper(call.TxID)); !ours || found.Key() != call.Key() {
		t.Errorf("the transaction leads to %+v", found)
	}
	u.press("esc", "esc")
	if p := u.pane.Place(); p != nav.Wallet() {
		t.Errorf("the first page is the place %v", p)
	}
	u.do(u.pane.Open(place, nil))
	u.want("stx_transferStx", call.TxID[:8])
	saved := u.pane.State()
	u.do(u.pane.Open(nav.Wallet(), nil))
	u.want("connected")
	u.do(u.pane.Open(place, saved))
	u.want("Outcome", call.TxID[:8])
	u.do(u.pane.Open(nav.WalletCall("1-1"), nil))
	u.until("the sentence", func() bool { return slices.Contains(u.notices, "the timeline has no such call any more") })
}

func TestTheCursorIsAwakeOnAFirstVisit(t *testing.T) {
	for _, size := range [][2]int{small, large} {
		u := sit(t, "mono", "mainnet")
		u.pane.SetSize(size[0], size[1])
		u.want("▸ state")
		if hint := ansi.Strip(u.pane.Status().Hint); !strings.Contains(hint, "enter connect") {
			t.Errorf("the footer says %q", hint)
		}
		u.press("j", "j", "enter")
		u.want("Account: choose one")
	}
}

func TestTheMainNetworkAlarmsOnlyWhereRealCoinsCouldMove(t *testing.T) {
	own, err := keys.NewRing(keys.NewSecret("legal winner thank year wave sausage worth useful legal winner thank yellow"), keys.Secret{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mock, own bool
		network   string
		alarms    bool
	}{
		{true, false, "mainnet", false},
		{true, true, "mainnet", false},
		{false, false, "mainnet", false},
		{false, true, "testnet", false},
		{false, true, "mainnet", true},
	} {
		u := sit(t, "mono", c.network, func(o *walletpane.Options) { o.Mock = c.mock })
		if c.own {
			u.wallet.SetKeys(service.Keys{Source: service.MnemonicFile, Path: "words", Ring: own})
			u.until("the keys", func() bool { return u.sees("mnemonic file") })
		}
		u.form("stx_signMessage")
		if on := strings.Contains(u.frame(), "MAINNET"); on != c.alarms {
			t.Errorf("%+v: the form alarms: %v\n%s", c, on, u.frame())
		}
		u.press("esc")
		if on := strings.Contains(u.frame(), "MAINNET"); on != c.alarms {
			t.Errorf("%+v: the wallet alarms: %v\n%s", c, on, u.frame())
		}
		if !c.alarms {
			u.want(c.network + " addresses")
		}
	}
}

func TestABlockedOriginMayAskAgainWhereItsCallSaysThatItIsBlocked(t *testing.T) {
	const origin = "https://blocked.example"
	u := sit(t, "mono", "mainnet")
	if err := u.wallet.SetOrigin(origin, bridge.Blocked); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.StartBridge(service.BridgeOptions{Addr: "127.0.0.1:0"}); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, u.wallet.State().Bridge.URL+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getAddresses"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", origin)
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	u.until("the call", func() bool { return u.sees("1 call") })
	u.press("tab", "enter")
	u.until("that it is blocked", func() bool {
		return u.sees("refused by the bridge: its origin is blocked") && u.sees("Enter to let it ask again")
	})
	u.press("j", "enter")
	u.until("the sentence", func() bool { return slices.Contains(u.notices, "forgot "+origin+": it will be asked about again") })
	if origins, err := u.wallet.Origins(); err != nil || len(origins) != 0 {
		t.Errorf("%v, %v", origins, err)
	}
	u.until("that it is no longer blocked", func() bool { return !u.sees("its origin is blocked") })
}

func TestEveryExampleIsSentAndAnswered(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Manner{Behaviour: provider.Approves})
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	for _, f := range form.All() {
		u.form(f.Method)
		u.press("ctrl+x", "ctrl+y")
		before := len(u.wallet.Timeline())
		u.until("the result of "+f.Method, func() bool { return u.sees("Outcome") })
		u.until("the call", func() bool { return len(u.wallet.Timeline()) >= before && u.wallet.Timeline()[0].Done })
		if c := u.wallet.Timeline()[0]; c.Method != f.Method || c.Error != nil || c.Exception != "" {
			t.Errorf("%s: %s %v %s", f.Method, c.Method, c.Error, c.Exception)
		}
		sub := u.pane.Subject()
		if len(sub.Raw) == 0 && f.Method != "" {
			t.Errorf("%s: there is no raw result", f.Method)
		}
		if verify.Verifiable(f.Method) {
			u.press("v")
			u.want("valid: ")
		}
		labels := map[string]bool{}
		for _, c := range sub.Copies {
			labels[c.Label] = c.Text != ""
		}
		if !labels["JavaScript"] || !labels["command line"] {
			t.Errorf("%s: copies %v", f.Method, sub.Copies)
		}
	}
}

func TestAPersonaIsChosenByOneKey(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Manner{Behaviour: provider.Approves})
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	ask := func(method, params string) string {
		o := u.wallet.Request(u.ctx, service.Request{Method: method, Params: json.RawMessage(params)})
		if o.Err != nil {
			return o.Err.Error()
		}
		return string(o.Result)
	}
	become := func(p service.Persona) {
		u.press("u")
		u.until("the persona "+string(p), func() bool {
			return slices.ContainsFunc(u.notices, func(n string) bool { return strings.HasPrefix(n, "persona "+string(p)) })
		})
	}
	const pay = `{"recipient":"SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS","amount":"5"}`
	become(service.Empty)
	if got := ask("stx_transferStx", pay); !strings.Contains(got, "NotEnoughFunds") {
		t.Errorf("who has nothing pays: %s", got)
	}
	become(service.NoBitcoin)
	u.until("that there is no Bitcoin address", func() bool { return !u.sees("p2wpkh") && u.sees("SPC5KHM4") })
	if got := ask("stx_transferStx", pay); !strings.Contains(got, "txid") {
		t.Errorf("the STX are not back: %s", got)
	}
	become(service.ManyAccounts)
	if got := ask("stx_getAccounts", `null`); strings.Count(got, "gaiaHubUrl") != 20 { // one list under two names
		t.Errorf("many accounts: %s", got)
	}
	become(service.LockedWallet)
	if got := ask("getAddresses", `null`); !strings.Contains(got, "locked") {
		t.Errorf("a locked wallet answers %s", got)
	}
	become(service.Rich)
	if got := ask("getBalance", `null`); !strings.Contains(got, "11166111000") {
		t.Errorf("who is rich has %s", got)
	}
}

func TestAWatchedAddressConnectsWithoutKeys(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	k, err := service.WatchedKeys("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS")
	if err != nil {
		t.Fatal(err)
	}
	u.wallet.SetKeys(k)
	u.connect()
	u.want("watched address", "no keys: nothing can be signed")
	u.until("the address", func() bool { return u.sees("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS") && !u.sees("p2wpkh") })
	u.form("stx_signMessage")
	u.types("hello")
	u.press("ctrl+y")
	u.until("the refusal", func() bool { return u.sees("Outcome") })
	u.want("this wallet only watches", "it has no keys, so it can")
	if _, err := service.WatchedKeys("bob"); err == nil {
		t.Error("bob is an address")
	}
}

func TestTheSelectorCanBeCanceledAndHonoursTheOptions(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.want("chainscope (terminal)", "Leather", "Xverse Wallet", "Other wallets", "Asigna Multisig", "Install")
	u.press("esc")
	u.until("the error", func() bool { return u.sees("-31001  User canceled the request") })
	u.press("esc", "n")
	u.types("getAddresses")
	u.press("enter", "ctrl+o", "tab", "tab", "tab", "tab", "tab")
	u.types(`["LeatherProvider"]`)
	u.press("ctrl+y")
	u.want("approvedProviderIds")
	u.press("ctrl+y")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.want("Leather")
	if u.sees("Xverse") || u.sees("Asigna") {
		t.Errorf("wallets that are not approved are listed:\n%s", u.frame())
	}
	u.press("esc")
	u.until("the error", func() bool { return u.sees("-31001") && u.sees("Outcome") })
}

func TestARejectedRequestShowsTheCode(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.decide(false)
	u.until("the error", func() bool { return u.sees("-32000") })
	u.want("rejected")
	u.press("v")
	u.until("the answer", func() bool { return slices.Contains(u.notices, "This result has no signature to verify.") })
	if hint := ansi.Strip(u.pane.Status().Hint); strings.Contains(hint, "verify") {
		t.Errorf("the footer offers to verify nothing: %s", hint)
	}
}

func TestAFormSendsNothingUntilItIsRight(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_transferStx")
	u.press("ctrl+y")
	u.want("recipient: missing")
	u.types("ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM")
	u.want("the request is for mainnet")
	u.press("tab")
	u.types("1.5")
	u.want("that would be 1500000")
	u.press("ctrl+y")
	if len(u.wallet.Timeline()) != 0 {
		t.Error("a request was sent")
	}
}

func TestArgumentsAreAddedAndRemovedAndShowTheirTypes(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("ctrl+n")
	u.types("(list u1 u2)")
	u.want("argument 1", "✓ (list 2 uint)")
	u.press("ctrl+n")
	u.types("{ a: u")
	u.want("argument 2", "✗")
	u.press("ctrl+r")
	if u.sees("argument 2") {
		t.Errorf("it is still there:\n%s", u.frame())
	}
}

func TestTheSameParamsAreEditedAsJSON(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+t")
	u.want(`"recipients": [`, `"amount": "50000"`)
	u.press("ctrl+t")
	u.want("address 1", "50000")
	u.press("ctrl+t", "x")
	u.press("ctrl+y")
	u.want("line 1, column")
}

func TestASourceIsReadFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bank.clar")
	if err := os.WriteFile(path, []byte("(define-public (hi) (ok true))\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := sit(t, "mono", "mainnet")
	u.form("stx_deployContract")
	u.types("bank")
	u.press("tab")
	u.types("@" + path)
	u.press("enter")
	u.until("the file", func() bool { return u.sees("1 line, 31 B") })
	u.press("ctrl+t")
	u.want(`(define-public (hi)`)
}

func TestWhatEachWalletWouldReceive(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	u.press("d")
	u.want("overrides on", "Request sent to chainscope (unchanged)")
	u.press("right", "right")
	u.want("Request sent to xverse (changed)")
	u.press(" ")
	u.want("overrides off", "Request sent to xverse (unchanged)")
	u.press("d")
	u.want("Outcome")
}

func TestCallsAreFilteredReplayedAndExported(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	u.press("esc", "esc", "/")
	u.types("signMessage")
	u.press("enter")
	u.want("1 of 2")
	table := u.pane.Subject().Export()
	if len(table.JSON) != 1 || !json.Valid(table.JSON[0]) || !strings.Contains(string(table.JSON[0]), `"hi"`) {
		t.Errorf("exported %s", table.JSON)
	}
	u.press("p")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	if n := len(u.wallet.Timeline()); n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
}

func TestARequestIsWithdrawn(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.until("the approval", func() bool { return u.asked != nil })
	u.press("esc")
	u.until("the end", func() bool { return u.sees("Outcome") })
	u.want("withdrawn")
}

// Sizes of golden screens.
var (
	small = [2]int{80, 20}
	large = [2]int{120, 36}
)

// golden compares the frame at the given sizes, without colors.
func (u *user) golden(name string, sizes ...[2]int) {
	u.Helper()
	for _, size := range sizes {
		u.pane.SetSize(size[0], size[1])
		file := fmt.Sprintf("%s-%dx%d", name, size[0], size[1]+4)
		uitest.Golden(u.T, file, strings.Join(u.pane.View(uitest.Noon), "\n"), size[0], size[1])
	}
	u.pane.SetSize(small[0], small[1])
}

// looks compares the frame in every look at the large size. A page of each
// kind is enough: all of them take their styles from one theme.
func (u *user) looks(name string) {
	u.Helper()
	noColor, err := theme.New("mono", theme.Options{Dark: true})
	if err != nil {
		u.Fatal(err)
	}
	u.pane.SetSize(large[0], large[1])
	for look, th := range map[string]*theme.Theme{"dark": uitest.Theme(u.T, "dark"), "light": uitest.Theme(u.T, "light"), "no-color": noColor} {
		u.pane.SetTheme(th)
		uitest.GoldenStyled(u.T, look+"/"+name, strings.Join(u.pane.View(uitest.Noon), "\n"), large[0], large[1])
	}
	u.pane.SetTheme(uitest.Theme(u.T, "mono"))
	u.pane.SetSize(small[0], small[1])
}

func TestGoldenScreens(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.golden("home-not-connected", small, large)
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.golden("selector", small, large)
	u.press("enter")
	u.decide(true)
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	u.golden("home-connected", small, large)
	u.looks("home-connected")
	u.press("n")
	u.golden("methods", small, large)
	u.press("esc")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Manner{Behaviour: provider.Approves})
	// Methods whose pages have nothing that those of another have not.
	alike := []string{
		"stx_signTransactions", "signMessage", "getAccounts", "wallet_getAccount", "wallet_getNetwork", "getBalance", "wallet_changeNetwork",
	}
	for _, f := range form.All() {
		if slices.Contains(alike, f.Method) {
			continue
		}
		styled := f.Method == "stx_transferStx" || f.Method == "stx_callContract"
		u.form(f.Method)
		u.golden("form-"+f.Method, small)
		u.pane.SetSize(large[0], large[1])
		empty := u.frame()
		u.press("ctrl+x")
		if u.frame() != empty { // a form without fields has no example
			u.golden("form-"+f.Method+"-example", large)
		}
		if styled {
			u.looks("form-" + f.Method)
		}
		u.press("ctrl+y")
		u.until("the result of "+f.Method, func() bool {
			return u.sees("Outcome") && !u.sees("Waiting") && !u.sees("asking")
		})
		u.golden("result-"+f.Method, large)
		if f.Method == "stx_transferStx" {
			u.golden("result-"+f.Method, small)
			u.looks("result-" + f.Method)
		}
	}
	u.press("esc", "esc", "tab")
	u.golden("calls", small, large)
}

func TestAnAddressIsShownForACamera(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.press("G")
	for !u.sees("▸") && !strings.Contains(u.pane.Subject().Title, "SPC5KHM") {
		u.press("up")
	}
	for range 40 {
		if strings.Contains(u.pane.Subject().Title, "SPC5KHM4") {
			break
		}
		u.press("up")
	}
	u.press("enter")
	u.want("████ ▄▄▄▄▄ ██", "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	uitest.Golden(t, "qr-80x24", strings.Join(u.pane.View(uitest.Noon), "\n"), 80, 20)
	u.pane.SetSize(30, 8)
	u.want("too small: needs 33x18")
}

func TestThePaneFitsEverySize(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	d := &uitest.Driver{TB: t, Screen: u.pane, Clock: uitest.Noon}
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.form("stx_callContract")
	u.press("ctrl+x")
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.press("esc", "n")
	d.FitsEverySize()
}

func screentestMine(t *testing.T, base string) {
	t.Helper()
	if err := mineOne(base); err != nil {
		t.Fatal(err)
	}
}
