package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Calls, both reports and the log say the same of a call: who answered it, for which account and
// network, with which fee and nonce, its transaction, and how it stands.
func TestEachFileOfABridgeSaysTheSameOfACall(t *testing.T) {
	mock := serveMock(t)
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	b := serveBridge(t, "--script", write(t, "rules.yaml", "- expect: stx_transferStx\n  answer: approve\n"), "--api", mock.address, "--account", "2",
		"--calls", file("calls"), "--log-file", file("log"), "--report", file("r.json"), "--report", file("r.xml"))
	b.call(dapp, "stx_transferStx", `{"recipient":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","amount":"1500000","fee":"200","nonce":"0","network":"testnet"}`)
	b.end()
	const by = "chainscope, account 2 on testnet, fee 0.0002 STX, nonce 0"
	for name, want := range map[string][]string{
		"calls":  {`"by":"` + by + `"`, `"txid":"`, `"status":"sent"`},
		"r.json": {`"by": "` + by + `"`, `"txid": "`, `"status": "pending: the next block takes it"`},
		"r.xml":  {"<system-out>call 1: stx_transferStx of " + dapp + "; " + by + "; ", "; pending: the next block takes it</system-out>"},
		"log":    {`"msg":"call","method":"stx_transferStx","kind":"page","from":"` + dapp + `","by":"` + by + `","txid":"`, `"status":"sent"`, `"status":"pending: the next block takes it"`},
	} {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range want {
			if !strings.Contains(string(text), words) {
				t.Errorf("%s lacks %s:\n%s", name, words, text)
			}
		}
	}
}
