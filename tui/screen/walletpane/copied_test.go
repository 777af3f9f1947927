package walletpane_test

import (
	"strings"
	"testing"
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
