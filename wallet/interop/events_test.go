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

// TestThePublishedSocketClientReceivesEachTopic lets the Socket.IO client that Stacks publishes listen
// over each transport, and in a world of its own.
func TestThePublishedSocketClientReceivesEachTopic(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chainscope")
	run(t, "../..", nil, "go", "build", "-o", binary, ".")
	scripts := scriptFolder(t)
	const address = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"
	mocks := map[string]string{}
	for _, row := range []struct{ version, path, transports, last string }{
		{"9", "/socket.io", "websocket", "websocket"},
		{"9", "/socket.io", "polling", "polling"},
		{"9", "/socket.io", "polling,websocket", "websocket"},
		{"9", "/w/one/socket.io", "websocket", "websocket"},
		{"8", "/socket.io", "polling,websocket", "websocket"},
		{"sunset", "/socket.io", "polling,websocket", "websocket"},
	} {
		base := mocks[row.version]
		if base == "" {
			base = startMock(t, binary, "--seed", "1", "--freeze", "2026-01-01T00:00:00Z", "--worlds", "--api-version", row.version)
			mocks[row.version] = base
		}
		var got struct {
			Seen struct {
				Block, Mempool, Transaction []string
				AddressTransaction          [][]string
				AddressBalance              [][]string
			}
			Name, Refused string
		}
		if err := json.Unmarshal(run(t, scripts, nil, "node", "sockets.mjs", base, row.path, row.transports, address), &got); err != nil {
			t.Fatal(err)
		}
		seen := got.Seen
		if len(seen.Block) < 2 || seen.Block[0] == seen.Block[len(seen.Block)-1] || seen.Mempool[0] != "pending" || seen.Transaction[len(seen.Transaction)-1] != "success" ||
			strings.Join(seen.AddressTransaction[0], " ") != address+" success 500000000" || seen.AddressBalance[0][0] != address || seen.AddressBalance[0][1] == "" {
			t.Errorf("%+v: %+v", row, seen)
		}
		if got.Name != row.last || got.Refused != "Invalid topic: nonsense" {
			t.Errorf("%+v: over %s, refused with %q", row, got.Name, got.Refused)
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
