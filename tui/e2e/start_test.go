//go:build unix

package e2e

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Every command waits for what packages do before main: what is large is made when it is
// first requested. Bytes are counted, since times move with the machine; a pattern of a
// regular expression takes 20 to 90 kB.
func TestNoPackageMakesMuchBeforeMain(t *testing.T) {
	t.Parallel()
	const most = 30_000
	cmd := exec.Command(binary, "version")
	cmd.Env = append(environ(t.TempDir()), "GODEBUG=inittrace=1")
	var traced strings.Builder
	cmd.Stderr = &traced
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(traced.String()) {
		// init chainscope/tui/nav @3.2 ms, 0.006 ms clock, 664 bytes, 4 allocs
		words := strings.Fields(line)
		if len(words) != 11 || !strings.HasPrefix(words[1], "chainscope/") {
			continue
		}
		seen++
		if bytes, err := strconv.Atoi(words[7]); err != nil || bytes > most {
			t.Errorf("%s makes %d bytes before main, want at most %d", words[1], bytes, most)
		}
	}
	if seen == 0 {
		t.Errorf("no package was traced: %q", traced.String())
	}
}
