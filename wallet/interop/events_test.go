//go:build interop

package interop

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestThePublishedClientReceivesEveryBlockOnce lets the client that Stacks publishes
// listen to the mock of every API version while its connection is cut and blocks are
// replaced.
func TestThePublishedClientReceivesEveryBlockOnce(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	scripts := scriptFolder(t)
	const rounds = 80
	for _, version := range []string{"8", "9", "sunset"} {
		base := startMock(t, binary, "--seed", "1", "--freeze", "2026-01-01T00:00:00Z", "--api-version", version, "--fault", "event=block,fault=reset,rate=0.1")
		var got struct {
			Blocks, Pushed, Cuts, Reads int
			Missed                      []int
			Doubled                     []string
		}
		if err := json.Unmarshal(run(t, scripts, nil, "node", "events.mjs", base, strconv.Itoa(rounds)), &got); err != nil {
			t.Fatal(err)
		}
		t.Logf("API %s: %+v", version, got)
		if got.Blocks != rounds || len(got.Missed) > 0 || len(got.Doubled) > 0 {
			t.Errorf("API %s: of %d blocks were missed %v, came twice %v", version, got.Blocks, got.Missed, got.Doubled)
		}
		if got.Cuts < 2 || got.Pushed < rounds/2 {
			t.Errorf("API %s: %d cuts, %d blocks pushed", version, got.Cuts, got.Pushed)
		}
	}
}

// startMock starts a mock and returns its base URL.
func startMock(t *testing.T, binary string, flags ...string) string {
	t.Helper()
	args := append([]string{"mock", "--addr", "127.0.0.1:0"}, flags...)
	cmd := exec.Command(binary, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	base, found := strings.CutPrefix(strings.TrimSpace(line), "mock API listening on ")
	if err != nil || !found {
		t.Fatalf("%q, %v", line, err)
	}
	return base
}
