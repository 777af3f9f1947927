package command

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/c32"
	"chainscope/wallet/keys"
)

const ownAddress = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// TestSixtyTransfersInARowAreTaken is more than twice of what a node lets wait.
func TestSixtyTransfersInARowAreTaken(t *testing.T) {
	script := write(t, "script.yaml", "- {expect: stx_transferStx, answer: approve, times: 60}\n")
	b := serveBridge(t, "--script", script, "--api-for", "https://api.hiro.so")
	ids := map[string]bool{}
	for i := range 60 {
		e := b.call(dapp, "stx_transferStx", fmt.Sprintf(`{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"%d"}`, i+1))
		var sent struct{ Txid string }
		if e.Error != nil || json.Unmarshal(e.Result, &sent) != nil || sent.Txid == "" {
			t.Fatalf("transfer %d: %s %+v", i, e.Result, e.Error)
		}
		ids[sent.Txid] = true
	}
	if len(ids) != 60 {
		t.Errorf("%d transactions", len(ids))
	}
	var account struct{ Nonce int }
	status, body := fetch(t, "GET", b.address+"/.chainscope/api/api.hiro.so/v2/accounts/"+ownAddress+"?proof=0", "")
	if err := json.Unmarshal([]byte(body), &account); err != nil || status != 200 || account.Nonce != 60 {
		t.Errorf("%d %s, want nonce 60: every transfer in a block", status, body)
	}
}

func TestTransfersWaitWhereAutomineIsOff(t *testing.T) {
	script := write(t, "script.yaml", "- {expect: stx_transferStx, answer: approve, times: any}\n")
	b := serveBridge(t, "--script", script, "--mock-automine=false", "--mock-block-interval", "1h", "--mock-burn-interval", "3h")
	refused := ""
	for range 28 {
		if e := b.call(dapp, "stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1"}`); e.Error != nil {
			refused = string(e.Error.Data)
		}
	}
	if !strings.Contains(refused, "TooMuchChaining") {
		t.Errorf("the 28th transfer is refused with %q", refused)
	}
}

func TestWhatAnAPIStandsInForIsChecked(t *testing.T) {
	for _, args := range [][]string{
		{"bridge", "--approve", "always", "--api-for", "api.hiro.so"},
		{"bridge", "--approve", "always", "--api-for", "https://api.hiro.so/v2"},
		{"bridge", "--approve", "always", "--addr", "127.0.0.1:0", "--api", "https://api.example", "--api-for", "https://api.hiro.so"},
		{"bridge", "--approve", "always", "--addr", "127.0.0.1:0", "--api", "https://api.example", "--proxy", "http://localhost:5173"},
		{"bridge", "--approve", "always", "--addr", "127.0.0.1:0", "--api", "mainnet", "--proxy", "http://localhost:5173", "--api-for", "https://api.hiro.so"},
	} {
		if code, _, stderr := run(t, t.Context(), args...); code != 2 || !strings.Contains(stderr, "--api-for") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
}

// What a page asks in vain is printed as a file, with which a bridge answers all of it.
func TestUndescribedContractsArePrintedAsAFile(t *testing.T) {
	const fund = "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH.fund"
	ask := func(b *serving) (read, refused string) {
		_, read = fetch(t, "POST", b.address+"/.chainscope/api/api.hiro.so/v2/contracts/call-read/"+strings.Replace(fund, ".", "/", 1)+"/get-goal", `{"sender":"`+ownAddress+`","arguments":[]}`)
		if e := b.call(dapp, "stx_callContract", `{"contract":"`+fund+`","functionName":"pledge","functionArgs":["0x0100000000000000000000000000000005"]}`); e.Error != nil {
			refused = string(e.Error.Data)
		}
		return read, refused
	}
	b := serveBridge(t, "--approve", "always", "--api-for", "https://api.hiro.so")
	if read, refused := ask(b); !strings.Contains(read, "NoSuchContract") || !strings.Contains(refused, "NoSuchContract") {
		t.Fatalf("%s, %s", read, refused)
	}
	b.end()
	_, printed, found := strings.Cut(b.errs.String(), "pages called contracts that are not described; write what they answer into a file for --mock-contracts, or take any call with --mock-any-contract:\n\n")
	if !found || !strings.Contains(printed, "- contract: "+fund+"\n  reads:\n    get-goal: {result: none}") {
		t.Fatalf("%s", b.errs)
	}
	b = serveBridge(t, "--approve", "always", "--api-for", "https://api.hiro.so", "--mock-contracts", write(t, "contracts.yaml", printed))
	if read, refused := ask(b); !strings.Contains(read, `"0x09"`) || refused != "" {
		t.Errorf("with the file: %s, %s", read, refused)
	}
	b.end()
	if strings.Contains(b.errs.String(), "nobody has described") {
		t.Errorf("nothing was asked in vain: %s", b.errs)
	}
}

func TestADappBehindTheProxyCanAskALiveAPIWhereThatIsSaid(t *testing.T) {
	b := serveBridge(t, "--approve", "always", "--api", "https://api.example", "--proxy", "http://localhost:5173", "--api-for", "none")
	if code := b.end(); code != 0 {
		t.Errorf("%d %s", code, b.errs)
	}
}

// TestTheFirstAccountsOfTheTestMnemonicHaveAPast compares what the mock knows by
// heart with what the wallet derives.
func TestTheFirstAccountsOfTheTestMnemonicHaveAPast(t *testing.T) {
	m := serveMock(t)
	ring := keys.NewTestRing()
	for account := range uint32(10) {
		key, err := ring.Stacks(account)
		if err != nil {
			t.Fatal(err)
		}
		who := c32.Address{Version: c32.MainnetP2PKH, Hash160: key.Hash160()}.String()
		var list struct{ Total int }
		status, body := fetch(t, "GET", m.address+"/extended/v1/address/"+who+"/transactions", "")
		if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 || list.Total != 12 {
			t.Errorf("account %d, %s: %d transactions, want 12", account, who, list.Total)
		}
	}
}
