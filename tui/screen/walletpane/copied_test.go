package walletpane_test

import (
	"strings"
	"testing"

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
	line := ""
	for _, c := range u.pane.Subject().Copies {
		if c.Label == "command line" {
			line = c.Text
		}
	}
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
