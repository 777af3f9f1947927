//go:build interop

package interop

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLibrariesOfDappsWorkAgainstTheMock lets stacks.js and the client of the
// API play a dapp: nonce, fees, broadcast, contract, balances and transactions, on
// both networks.
func TestTheLibrariesOfDappsWorkAgainstTheMock(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	scripts := scriptFolder(t)
	mock := exec.Command(binary, "mock", "--addr", "127.0.0.1:0", "--automine")
	out, err := mock.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = mock.Process.Kill()
		_ = mock.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "mock API listening on ")
	if !ok {
		t.Fatalf("the first line is %q: %v", line, err)
	}
	var checks []string
	if err := json.Unmarshal(run(t, scripts, nil, "node", "backend.mjs", address), &checks); err != nil {
		t.Fatal(err)
	}
	if len(checks) < 50 {
		t.Errorf("%d checks: %v", len(checks), checks)
	}
	t.Logf("%d checks", len(checks))
}
