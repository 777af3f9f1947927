//go:build interop

package interop

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"
)

// perMethod is the number of results of every signing method that are verified: 13 methods
// make more than 300.
const perMethod = 25

type request struct {
	Method  string          `json:"method"`
	Account uint32          `json:"account"`
	Network string          `json:"network"`
	Params  json.RawMessage `json:"params"`
}

type answer struct {
	Request request         `json:"request"`
	Result  json.RawMessage `json:"result"`
	Coins   []coin          `json:"coins,omitempty"`
}

// coin is an output that the account could spend, as verify.mjs reads it.
type coin struct {
	TxID   string `json:"txid"`
	Index  uint32 `json:"index"`
	Script string `json:"script"` // hex
	Amount uint64 `json:"amount"` // satoshis
}

func TestTheReferenceLibrariesVerifyEverySignature(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	scripts := scriptFolder(t)

	seed := strconv.FormatInt(time.Now().UnixNano(), 10)
	t.Logf("seed %s", seed)
	var requests []request
	generated := run(t, scripts, nil, "node", "generate.mjs", seed, strconv.Itoa(perMethod))
	if err := json.Unmarshal(generated, &requests); err != nil {
		t.Fatal(err)
	}

	answers := make([]answer, 0, len(requests))
	for i, r := range requests {
		params := filepath.Join(dir, fmt.Sprintf("params-%d.json", i))
		if err := os.WriteFile(params, r.Params, 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{
			"wallet", "request", r.Method, "@" + params, "--approve", "always", "--network", r.Network,
			"--account", strconv.Itoa(int(r.Account)), "--state-dir", filepath.Join(dir, "state"),
		}
		if r.Params[0] == '[' { // the library would make an object of an array
			args = append(args, "--raw")
		}
		result := run(t, dir, nil, binary, args...)
		a := answer{Request: r, Result: result}
		if r.Method == "sendTransfer" {
			a.Coins = mockCoins(t, r)
		}
		answers = append(answers, a)
	}

	input, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]int
	if err := json.Unmarshal(run(t, scripts, input, "node", "verify.mjs"), &counts); err != nil {
		t.Fatal(err)
	}
	for _, m := range signer.Methods() {
		if _, verified := counts[m.Name]; verified != verify.Verifiable(m.Name) {
			t.Errorf("%s: verified %v, is a signing method %v", m.Name, verified, verify.Verifiable(m.Name))
		}
	}
	for method, n := range counts {
		if n != perMethod {
			t.Errorf("%s: %d verified, want %d", method, n, perMethod)
		}
	}
	t.Logf("verified by the reference libraries: %v", counts)
}

// mockCoins returns the coins that the account of a request could spend.
func mockCoins(t *testing.T, r request) []coin {
	t.Helper()
	network, err := bitcoin.NetworkNamed(r.Network)
	if err != nil {
		t.Fatal(err)
	}
	ring := keys.NewTestRing()
	wpkh, err := ring.Bitcoin(keys.P2WPKH, network.CoinType(), r.Account)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := ring.Bitcoin(keys.P2TR, network.CoinType(), r.Account)
	if err != nil {
		t.Fatal(err)
	}
	account, err := bitcoin.NewAccount(network, wpkh.Secp256k1(), tr.Secp256k1())
	if err != nil {
		t.Fatal(err)
	}
	var list []coin
	for _, c := range bitcoin.MockCoins(&account.Owner) {
		list = append(list, coin{c.TxID, c.Vout, hex.EncodeToString(account.P2WPKH.Script), c.Amount})
	}
	return list
}

// run runs a command to its end and returns what it printed; standard error is
// shown when it fails.
func run(t *testing.T, dir string, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.Bytes())
	}
	return stdout.Bytes()
}
