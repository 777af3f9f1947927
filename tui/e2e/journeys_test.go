//go:build unix

package e2e

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

const (
	usdaToken = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"
	ownWallet = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
)

// sends has the wallet send a transfer of the token, and returns the id of the transaction.
func (m *server) sends(amount, fee, mode string) string {
	m.t.Helper()
	params := `{"contract":"` + usdaToken + `","functionName":"transfer","fee":` + fee + `,"postConditionMode":"` + mode + `",
		"functionArgs":["` + amount + `","` + ownWallet + `","SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","none"]}`
	cmd := exec.Command(binary, "wallet", "request", "stx_callContract", params, "--approve", "always", "--api", "http://"+m.Addr)
	cmd.Env = environ(m.t.TempDir())
	out, err := cmd.CombinedOutput()
	var answer struct{ Txid string }
	if at := strings.IndexByte(string(out), '{'); err != nil || at < 0 || json.NewDecoder(strings.NewReader(string(out[at:]))).Decode(&answer) != nil || answer.Txid == "" {
		m.t.Fatalf("the wallet sent nothing: %v %s", err, out)
	}
	return answer.Txid
}

// mines makes a block.
func (m *server) mines() {
	m.t.Helper()
	answer, err := http.Post("http://"+m.Addr+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil || answer.StatusCode != http.StatusOK {
		m.t.Fatalf("%v %v", answer, err)
	}
	_ = answer.Body.Close()
}

// pastes pastes a text, which counts as one key.
func (k *keyboard) pastes(text string) { k.hit("\x1b[200~" + text + "\x1b[201~") }

// journey is a question that people have, with the most keys that it may take from home.
type journey struct {
	name string
	most int
	play func(k *keyboard)
}

// journeys returns the questions about a token whose transfers failed. Cost is the letter of the
// column by which calls are ordered: after the sunset lists do not say what one cost.
func journeys(tooMuch, uncovered, cost string) []journey {
	return []journey{
		{"why did this pasted transaction fail", 3, func(k *keyboard) {
			k.opens(goToKey, "Go to anything")
			k.pastes(tooMuch)
			k.shows("▸ transaction or block")
			k.hit(enterKey)
			k.shows("✗ failed: response", "transfer answered (err u1): the", "sender does not have it.", "likely; not said by the chain")
		}},
		{"why did that one fail, without its 0x", 3, func(k *keyboard) {
			k.opens(goToKey, "Go to anything")
			k.pastes(strings.TrimPrefix(uncovered, "0x"))
			k.shows("▸ transaction or block")
			k.hit(enterKey)
			k.shows("✗ failed: post-condition", "post-condition", "as the chain says", "what helps")
		}},
		{"all failed calls of a contract in the last pages", 6 + len("status:failed"), func(k *keyboard) {
			k.opens("8", "Contracts  ")
			k.shows("▸ usda-token")
			k.opens("c", "Transactions of SP2C2YFP")
			k.shows("▸ transfer u5, ")
			k.hit("/")
			k.types("status:failed")
			k.hit(enterKey)
			k.shows(" of 24 loaded transactions", "▸ transfer u5, SPC5", "✗ failed", "failed: post-condition")
		}},
		{"from a block to the contract that its biggest call ran in", 5, func(k *keyboard) {
			k.opens("1", "Blocks  newest")
			k.shows("▸  1,000,001")
			k.opens("x", "Transactions of block 1,000,001")
			k.shows("transfer · ")
			k.opens("S", "Sort by")
			k.hit(cost)
			k.shows("▸ transfer · u")
			k.hit("x")
			k.shows("Contract SP2C2YFP", "get-balance", "usda-token")
		}},
		{"call get-balance of a token for my account", 8 + 1, func(k *keyboard) {
			k.opens("8", "Contracts  ")
			k.shows("▸ usda-token")
			k.hit(enterKey)
			k.shows("get-balance")
			k.hit(downKey, downKey)
			k.shows("▸ get-balance")
			k.hit(enterKey)
			k.shows("[ Call ]")
			k.pastes(ownWallet)
			k.shows(ownWallet)
			k.hit(sendKey)
			k.shows("(ok u")
		}},
	}
}

// The questions that an explorer is opened with are answered with few keys, whichever
// generation of the API answers.
func TestJourneysTakeFewKeys(t *testing.T) {
	t.Parallel()
	for version, cost := range map[string]string{"8": "c", "9": "c", "sunset": "e"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			m := serve(t, "127.0.0.1:0", "--api-version", version, "--freeze", "2026-01-01T00:00:00Z")
			m.sends("u5", "900000", "allow")
			tooMuch, uncovered := m.sends("u9000000000000", "1000", "allow"), m.sends("u5", "2000", "deny")
			m.mines()
			k := &keyboard{terminal: open(t, 120, 40, "--api", "http://"+m.Addr)}
			k.shows("newest first")
			for _, j := range journeys(tooMuch, uncovered, cost) {
				k.press("8") // the list, and not the contract that was looked at last
				k.press("8")
				k.shows("Contracts  ")
				k.press("0")
				k.shows("newest first")
				k.keys = 0
				j.play(k)
				t.Logf("%s: %d keys", j.name, k.keys)
				if k.keys > j.most {
					t.Errorf("%s took %d keys, want at most %d", j.name, k.keys, j.most)
				}
			}
			k.press(escapeKey)
			k.hides("[ Call ]")
			k.quit()
		})
	}
}
