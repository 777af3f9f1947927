package walletpane_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/wallet/bridge"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// In a narrow window the keys of the first line are dropped whole, and the parts of
// the place stay.
func TestTheFirstLineOfThePaneDropsKeysWhole(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	for _, connected := range []bool{false, true} {
		known := []string{"○ not connected", "c connect"}
		if connected {
			u.connect()
			u.do(u.pane.Open(nav.Wallet(), nil))
			known = []string{"● connected", "x disconnect"}
		}
		known = append(known, "n new request", "[Wallet]", "0 calls", "1 call", "tab")
		for width := 60; width <= 130; width++ {
			u.pane.SetSize(width, 20)
			line, _, _ := strings.Cut(u.frame(), "\n")
			for _, words := range strings.Split(strings.TrimSpace(line), "  ") {
				if words = strings.TrimSpace(words); words != "" && !slices.Contains(known, words) {
					t.Errorf("%d columns: %q in %q", width, words, line)
				}
			}
			if !strings.Contains(line, known[0]) || !strings.Contains(line, "call") {
				t.Errorf("%d columns: the state or the calls are missing in %q", width, line)
			}
		}
	}
}

func TestACallNamesTheParamsThatTheWalletDropped(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.do(func() tea.Msg {
		u.wallet.Request(u.ctx, service.Request{Method: "getAddresses", Params: json.RawMessage(`{"network":"mainnet","zeta":1}`), Options: map[string]json.RawMessage{"provider": json.RawMessage(`"LeatherProvider"`)}})
		return nil
	})
	u.until("the question", func() bool { return u.asked != nil })
	u.decide(true)
	u.until("the call", func() bool { return len(u.wallet.Timeline()) == 1 && u.wallet.Timeline()[0].Done })
	u.do(u.pane.Open(nav.WalletCall(u.wallet.Timeline()[0].Key()), nil))
	u.want("ignored", "zeta")
}

// Keys are derived for the addresses of the pane when someone looks at it: what goes on in
// the wallet behind another place costs nothing.
func TestAddressesAreDerivedForWhoLooksAtThem(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.pane.Leave()
	another := u.wallet.State()
	another.Account, another.Fingerprint = 2, "of other keys"
	if u.pane.Update(service.StateChanged{State: another}) != nil {
		t.Error("a pane that nobody sees asks for addresses")
	}
	if err := u.wallet.SetAccount(1); err != nil {
		t.Fatal(err)
	}
	u.do(u.pane.Open(nav.Wallet(), nil))
	u.until("the addresses of the account that was chosen meanwhile", func() bool {
		return u.sees("SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH") && u.sees("p2tr")
	})
}

// Two readings are under way when an origin is blocked between them, and the older ends last.
func TestAnOlderReadingDoesNotReplaceANewerOne(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.pane.SetSize(120, 60)
	older := messages(u.pane.Refresh())
	if err := u.wallet.SetOrigin("https://shop.example", bridge.Blocked); err != nil {
		t.Fatal(err)
	}
	newer := messages(u.pane.Refresh())
	for _, msg := range append(newer, older...) {
		u.take(msg)
	}
	u.want("blocked", "https://shop.example")
}

// messages runs a command and returns everything that comes of it.
func messages(cmd tea.Cmd) (all []tea.Msg) {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if batch, is := msg.(tea.BatchMsg); is {
		for _, c := range batch {
			all = append(all, messages(c)...)
		}
		return all
	}
	return append(all, msg)
}
