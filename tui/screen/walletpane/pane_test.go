package walletpane_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen/walletpane"
	"chainscope/wallet/bridge"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	"github.com/charmbracelet/x/ansi"
)

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
	u.until("the transaction", func() bool { return u.sees("pending: the next block takes it  Enter to mine a block now") })
	u.press("enter")
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

func TestAMinedTransactionIsNeverCalledPending(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	release := u.gate.hold()
	u.transfer()
	u.want("chain        requesting")
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

func TestABlockedOriginMayRequestAgainWhereItsCallSaysThatItIsBlocked(t *testing.T) {
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

func TestAPersonaIsChosenByOneKey(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Approves)
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

// A keystore that is not there is no reason to ask for its passphrase.
func TestAKeystoreHasToBeThere(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.click("public test mnemonic")
	u.press("enter", "2")
	path := filepath.Join(t.TempDir(), "own.age")
	u.types(path)
	u.press("enter")
	u.until("what is wrong", func() bool { return u.sees("keystore: open") })
	u.want("Keystore")
	if u.sees("Unlock") {
		t.Errorf("it asks for a passphrase:\n%s", u.frame())
	}
	if err := os.WriteFile(path, []byte("age"), 0o600); err != nil {
		t.Fatal(err)
	}
	u.press("enter")
	u.until("the passphrase", func() bool { return u.sees("Unlock") })
}

// The error of a prompt that was closed is not that of the one that is open now.
func TestAClosedPromptAnswersForNoOther(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.click("public test mnemonic")
	u.press("enter", "4")
	u.types("bob")
	first, _ := u.pane.Key(uitest.Key("enter"))
	u.press("esc", "enter", "4", "ctrl+e", "ctrl+u")
	u.types("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS")
	second, _ := u.pane.Key(uitest.Key("enter"))
	u.take(first())
	if u.want("Watched address", "opening"); u.sees("✗") {
		t.Errorf("the second prompt shows the error of the first:\n%s", u.frame())
	}
	u.take(second())
	u.until("the keys", func() bool { return u.sees("watched address") && !u.sees("Watched address") })
}

func TestAWatchedAddressConnectsWithoutKeys(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	k, err := service.WatchedKeys("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS")
	if err != nil {
		t.Fatal(err)
	}
	u.wallet.SetKeys(k)
	u.connect()
	u.want("watched address", "no keys: sends only on a mock that impersonates it")
	u.until("the address", func() bool { return u.sees("SP1P72Z3704VMT3DMHPP2CB8TGQWGDBHD3RPR9GZS") && !u.sees("p2wpkh") })
	u.form("stx_signMessage")
	u.types("hello")
	u.press("ctrl+y")
	u.until("the refusal", func() bool { return u.sees("Outcome") })
	u.want("this wallet only watches", "it has no keys, so it")
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
	u.until("the error", func() bool { return u.sees("-31001 User canceled the request") })
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
	u.until("the error", func() bool { return u.sees("rejected by you (-32000)") })
	u.want("rejected")
	u.press("v")
	u.until("the answer", func() bool { return slices.Contains(u.notices, "This result has no signature to verify.") })
	if hint := ansi.Strip(u.pane.Status().Hint); strings.Contains(hint, "verify") {
		t.Errorf("the footer offers to verify nothing: %s", hint)
	}
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

func TestTheBridgeOfThePaneKeepsPagesAtHome(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	for _, c := range u.pane.Commands() {
		if c.Title == "Bridge to web pages on or off" {
			u.do(c.Run())
		}
	}
	u.want("Switch the bridge on", "address")
	u.press("shift+tab", "shift+tab", "ctrl+u") // from the button up to the address
	u.types("127.0.0.1:0")
	u.press("enter", "enter")
	u.until("the bridge", func() bool { return u.wallet.State().Bridge.Running })
	if url := u.wallet.State().Bridge.URL; strings.HasSuffix(url, service.DefaultBridgeAddr) {
		t.Errorf("it listens on %s, not where it was told", url)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(u.wallet.State().Bridge.URL + "/.chainscope/api/api.hiro.so/v2/info")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("what a page asks of a public API is answered %s", response.Status)
	}
}
