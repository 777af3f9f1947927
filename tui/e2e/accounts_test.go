//go:build unix

package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// leavesAGap has the wallet send a transfer whose nonce is not the next one.
func (m *server) leavesAGap(nonce string) {
	m.t.Helper()
	params := `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1250000","fee":"3000","nonce":` + nonce + `}`
	cmd := exec.Command(binary, "wallet", "request", "stx_transferStx", params, "--approve", "always", "--api", "http://"+m.Addr)
	cmd.Env = environ(m.t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "txid") {
		m.t.Fatalf("the wallet sent nothing: %v %s", err, out)
	}
}

// accountJourneys are questions about an account of the wallet.
var accountJourneys = []journey{
	{"the balance and next nonce of an account of the wallet", 3, func(k *keyboard) {
		k.opens("7", "Accounts  ")
		k.shows("▸ SPC5KHM4", "active account")
		k.hit(enterKey)
		k.shows("balance           1,000,000 STX", "next nonce        3", "pending           2", "missing           ✗ 0, 1", "what follows waits for it")
	}},
	{"the same of another one", 3, func(k *keyboard) {
		k.opens("7", "Accounts  ")
		k.shows("▸ SPC5KHM4")
		k.hit("j", enterKey)
		k.shows("next nonce        0", "pending           none", "missing           none")
	}},
	{"what waits in the mempool from me, and why", 3, func(k *keyboard) {
		k.opens("7", "Accounts  ")
		k.shows("▸ SPC5KHM4")
		k.opens("p", "Waiting transactions of SPC5KHM4")
		k.shows("▸ 1.25 STX → ")
		k.hit(enterKey)
		k.shows("waits for nonce 0", "its own is 2")
	}},
}

// What an account of the wallet has, and what it waits for, takes three keys from home,
// whichever generation of the API answers.
func TestQuestionsAboutAnAccountTakeThreeKeys(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"8", "9", "sunset"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			m := serve(t, "127.0.0.1:0", "--api-version", version, "--freeze", "2026-01-01T00:00:00Z")
			m.leavesAGap("2")
			k := &keyboard{terminal: open(t, 120, 40, "--api", "http://"+m.Addr)}
			k.shows("newest first")
			for _, j := range accountJourneys {
				k.keys = 0
				j.play(k)
				t.Logf("%s: %d keys", j.name, k.keys)
				if k.keys > j.most {
					t.Errorf("%s took %d keys, want at most %d", j.name, k.keys, j.most)
				}
				k.press("7") // the list, and not the account that was looked at last
				k.press("7")
				k.shows("Accounts  ")
				k.press("g")
				k.press("0")
				k.shows("newest first")
			}
			k.quit()
		})
	}
}
