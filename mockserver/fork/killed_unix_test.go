//go:build unix

package fork_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/fork/forktest"
)

// reader is the environment variable that makes the test the process which reads: API, folder and paths.
const reader = "CHAINSCOPE_TEST_READS"

// TestTheProcessThatReads is no test: it is the process that the next one kills.
func TestTheProcessThatReads(t *testing.T) {
	api, rest, reads := strings.Cut(os.Getenv(reader), "\n")
	if !reads {
		return
	}
	c, err := apiclient.New(apiclient.Options{BaseURL: api, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	height := int64(forktest.Height)
	dir, paths, _ := strings.Cut(rest, "\n")
	s, err := fork.Open(context.Background(), fork.Options{Client: c, Height: &height, Cache: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Split(paths, "\n") {
		if _, err := s.Read(context.Background(), path); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	s.Close()
}

// A process that is killed while a value comes, and while one is written, and is started again, has what was read
// before: nothing is requested twice but what was under way, and the folder is whole.
func TestAProcessThatIsKilledWhileItReadsIsStartedAgain(t *testing.T) {
	paths := []string{count, tally, nothing}
	for i := range 20 {
		paths = append(paths, forktest.Value(fmt.Sprint("vm::", forktest.Deployer, ".tally::1::v", i)))
	}
	for _, at := range []int{1, 3, 4, 9, 20} {
		n, dir := forktest.New(t), t.TempDir()
		process := func() *exec.Cmd {
			p := exec.Command(os.Args[0], "-test.run=^TestTheProcessThatReads$")
			p.Env = append(os.Environ(), reader+"="+strings.Join(append([]string{n.URL, dir}, paths...), "\n"))
			return p
		}
		under := make(chan string, 1)
		n.Fail(func(i int, path string) forktest.Fault {
			if i == at {
				under <- path
				return forktest.Slow
			}
			return forktest.None
		})
		first := process()
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		killed := <-under
		_ = first.Process.Kill()
		if err := first.Wait(); err == nil {
			t.Fatal("it was not killed")
		}
		before := n.Requests()
		n.Fail(nil)
		if out, err := process().CombinedOutput(); err != nil {
			t.Fatalf("killed in request %d, then: %v\n%s", at, err, out)
		}
		seen := map[string]int{}
		for i, path := range n.Requests() {
			seen[path]++
			if again := i >= len(before); again && seen[path] > 1 && path != killed && at > 3 {
				t.Errorf("killed in request %d: %s is requested again", at, path)
			}
		}
		n.Fail(func(int, string) forktest.Fault { return forktest.Reset })
		s := open(t, n, without(dir))
		for _, path := range paths {
			if _, err := s.Read(context.Background(), path); err != nil {
				t.Errorf("killed in request %d: %v", at, err)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "mainnet", "*", "*")); len(left) != len(paths)+4 { // info, block, sortitions, and the tip
			t.Errorf("killed in request %d, there are %d files: %q", at, len(left), left)
		}
	}
}
