//go:build interop

package interop

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// repaired is a transaction that the binary signed again, as repaired.mjs reads it.
type repaired struct {
	Kind        string          `json:"kind"`
	Network     string          `json:"network"`
	Account     uint32          `json:"account"`
	Params      json.RawMessage `json:"params,omitempty"`
	Fee         string          `json:"fee"` // micro-STX
	Nonce       string          `json:"nonce"`
	Given       string          `json:"given,omitempty"` // what its sponsor was given
	Transaction string          `json:"transaction"`
}

// What waits is replaced, canceled and sponsored with the bytes that stacks.js makes of it.
func TestRepairsAreThoseOfTheReferenceLibrary(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	var all []repaired
	for n, network := range []string{"mainnet", "testnet"} {
		for i, account := range []uint32{0, 1, 7} {
			state, number := filepath.Join(dir, network, strconv.Itoa(i)), strconv.Itoa(3*n+i)
			sign := func(by uint32, args ...string) (s struct{ TxID, Transaction string }) {
				t.Helper()
				args = append([]string{"wallet"}, append(args, "--approve", "always", "--network", network, "--account", strconv.Itoa(int(by)), "--state-dir", state)...)
				if err := json.Unmarshal(run(t, dir, nil, binary, args...), &s); err != nil {
					t.Fatal(err)
				}
				return s
			}
			net, _ := signer.NetworkNamed(network)
			to, err := signer.Env{Keys: keys.NewTestRing(), Account: account + 2}.StacksAddress(net)
			if err != nil {
				t.Fatal(err)
			}
			params := `{"recipient":"` + to + `","amount":"250` + number + `","memo":"rent"}`
			with := func(more string) string { return strings.TrimSuffix(params, "}") + "," + more + "}" }
			waits := sign(account, "request", "stx_transferStx", with(`"fee":"1200","nonce":"4`+number+`"`))
			higher := sign(account, "replace", waits.TxID, "--fee", "500"+number)
			gone := sign(account, "cancel", higher.TxID, "--fee", "600"+number)
			half := sign(account, "request", "stx_transferStx", with(`"sponsored":true,"nonce":"5`+number+`"`))
			payer := account + 3
			whole := sign(payer, "sponsor", half.Transaction, "--fee", "700"+number)
			all = append(all,
				repaired{"replace", network, account, json.RawMessage(params), "500" + number, "4" + number, "", higher.Transaction},
				repaired{"cancel", network, account, nil, "600" + number, "4" + number, "", gone.Transaction},
				repaired{"sponsor", network, payer, nil, "700" + number, "0", half.Transaction, whole.Transaction})
		}
	}
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(run(t, scriptFolder(t), input, "node", "repaired.mjs")); got != strconv.Itoa(len(all)) {
		t.Errorf("%s of %d are the same", got, len(all))
	}
}
