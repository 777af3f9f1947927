package walletpane_test

import (
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// What is copied of a call is that call, whatever the pane was changed to since: the account,
// the network, the wallet, the fee and the nonce that were signed.
func TestACopiedCommandLineIsOfTheCallNotOfThePane(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.transfer()
	if err := u.wallet.SetAccount(3); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.SetNetwork("testnet"); err != nil {
		t.Fatal(err)
	}
	u.do(u.pane.Live())
	line := u.copied("l")
	for _, want := range []string{"stx_transferStx", `"nonce":"0"`, `"fee":"`, "--provider"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %s", want, line)
		}
	}
	for _, wrong := range []string{"--account", "--network testnet"} {
		if strings.Contains(line, wrong) {
			t.Errorf("%q is in %s", wrong, line)
		}
	}
}

// To edit a call again starts on top of its page, with what was edited before, and esc leads back there.
func TestEditAgainLeadsBackToTheCall(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_transferStx")
	u.press("ctrl+x", "enter")
	u.until("the approval", func() bool { return u.asked != nil })
	id, fee := u.asked.ID, uint64(4321)
	u.asked = nil
	u.wallet.Decide(id, signer.Decision{Edit: signer.Edit{Fee: &fee}})
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	call := u.pane.Place().Call
	u.press("E")
	u.want("Send request", "4321")
	u.press("esc")
	if got := u.pane.Place().Call; got != call || call == "" {
		t.Errorf("esc leads to %q, not to %q:\n%s", got, call, u.frame())
	}
}

// copied returns what a key of the copy menu copies.
func (u *user) copied(key string) string {
	for _, c := range u.pane.Subject().Copies {
		if c.Key == key {
			return c.Text
		}
	}
	return ""
}

// Edited again, a call is of its own account, network and wallet, whatever the pane has now, and what is typed
// there is neither lost nor the draft of a new request.
func TestAnEditedCallKeepsItsAccountNetworkAndWallet(t *testing.T) {
	u := sit(t, "mono", "testnet")
	if err := u.wallet.SetAccount(2); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.Library().SetSelectedProviderID(provider.LeatherID); err != nil {
		t.Fatal(err)
	}
	u.transfer()
	if err := u.wallet.SetAccount(5); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.SetNetwork("mainnet"); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.Library().SetSelectedProviderID(provider.ChainscopeID); err != nil {
		t.Fatal(err)
	}
	u.wallet.Refresh()
	u.until("the other network", func() bool { return strings.HasSuffix(u.pane.Status().Position, "mainnet") })
	u.press("E")
	u.want("account 2 on testnet", `provider="LeatherProvider"`)
	if line := u.copied("l"); !strings.Contains(line, "--account 2 --network testnet") {
		t.Errorf("the form is copied as %s", line)
	}
	u.click("memo")
	u.types(" again")
	u.press("esc", "n")
	u.types("stx_transferStx")
	u.press("enter")
	if u.sees("again") {
		t.Errorf("a new request begins with what was typed for another:\n%s", u.frame())
	}
	u.press("esc")
	u.want("Outcome") // the call that it was begun on
	u.press("E")
	u.want("again")
	u.press("ctrl+y")
	u.decide(true)
	u.until("the second call", func() bool { return len(u.wallet.Timeline()) == 2 && u.sees("Outcome") })
	if c := u.wallet.Timeline()[0]; c.Account != 2 || c.Network != "testnet" || c.Wallet != provider.PlayLeather || c.Error != nil {
		t.Errorf("edited, it went to %s, account %d on %s: %v", c.Wallet, c.Account, c.Network, c.Error)
	}
}

// A call names the keys that it had, by what anyone may know of them. Where the wallet has others, it is not
// sent again, and a copied line still names its own.
func TestACallIsOfTheKeysThatItHad(t *testing.T) {
	ring, err := keys.NewRing(keys.NewSecret("legal winner thank year wave sausage worth useful legal winner thank yellow"), keys.Secret{})
	if err != nil {
		t.Fatal(err)
	}
	u := sit(t, "mono", "mainnet")
	u.pane.SetSize(200, 50)
	u.wallet.SetKeys(service.Keys{Source: service.MnemonicFile, Path: "/tmp/my words", PassphrasePath: "/tmp/p", Ring: ring})
	u.transfer()
	u.wallet.SetKeys(service.TestKeys())
	u.until("the other keys", func() bool { return u.pane.Subject().Copies != nil && u.wallet.State().PublicTest })
	u.press("p")
	const words = "not sent: the keys are others now, 73c5da0a in place of b8688df1"
	u.until("what is in the way", func() bool { return slices.Contains(u.notices, words) })
	if calls := u.wallet.Timeline(); len(calls) != 1 {
		t.Errorf("%d calls", len(calls))
	}
	line := u.copied("l")
	if want := "--mnemonic-file '/tmp/my words' --passphrase-file /tmp/p"; !strings.Contains(line, want) {
		t.Errorf("%q is not in %s", want, line)
	}
	u.do(u.pane.Live())
	u.press("E")
	u.until("whose keys sign now", func() bool {
		return strings.Contains(strings.Join(u.notices, ""), "to be signed by other keys than at first")
	})
	u.press("esc")
	u.until("whose keys they were", func() bool {
		return u.sees("by keys that the wallet has no more: mnemonic file /tmp/my words (b8688df1)")
	})
}

// A persona is part of a call: its line asks as the same user.
func TestACopiedLineNamesThePersona(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	if err := u.wallet.SetAccount(3); err != nil {
		t.Fatal(err)
	}
	if err := u.wallet.SetPersona(t.Context(), service.Empty); err != nil {
		t.Fatal(err)
	}
	u.form("stx_signMessage")
	u.press("ctrl+x", "ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	if c := u.wallet.Timeline()[0]; c.Account != 1_000_003 {
		t.Fatalf("account %d signed", c.Account)
	}
	if line := u.copied("l"); !strings.HasSuffix(line, "--account 3 --persona empty") {
		t.Error(line)
	}
	if code := u.copied("s"); !strings.HasPrefix(code, "// to be signed by account 3 on mainnet of ChainscopeProvider, persona empty\n") {
		t.Error(code)
	}
}
