//go:build interop

package interop

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestTheLibrariesOfDappsWorkAgainstTheMock lets stacks.js and the client of the
// API play a dapp: nonce, fees, broadcast, contract, balances and transactions, on
// both networks.
func TestTheLibrariesOfDappsWorkAgainstTheMock(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	scripts := scriptFolder(t)
	address := startMock(t, binary, "--automine")
	var checks []string
	if err := json.Unmarshal(run(t, scripts, nil, "node", "backend.mjs", address), &checks); err != nil {
		t.Fatal(err)
	}
	if len(checks) < 50 {
		t.Errorf("%d checks: %v", len(checks), checks)
	}
	t.Logf("%d checks", len(checks))
}
