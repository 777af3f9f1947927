//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestASignalEndsTheExplorerWhoseTerminalReadsNothing stops reading the terminal, as a
// stalled connection or a frozen window does. What the program has to say goes there too.
func TestASignalEndsTheExplorerWhoseTerminalReadsNothing(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			ptmx, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer ptmx.Close()
			if err := pty.Setsize(ptmx, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(binary, frozen...)
			cmd.Dir = t.TempDir()
			cmd.Env = environ(cmd.Dir)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = tty.Close()
			ended := make(chan struct{})
			go func() { _ = cmd.Wait(); close(ended) }()
			defer cmd.Process.Kill()

			// Its first frame is read; what follows fills the terminal's buffer.
			if _, err := ptmx.Read(make([]byte, 64<<10)); err != nil {
				t.Fatal(err)
			}
			full := time.Now().Add(3 * time.Second)
			_ = ptmx.SetWriteDeadline(full)
			for time.Now().Before(full) {
				if _, err := ptmx.Write([]byte("12")); err != nil && !os.IsTimeout(err) {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Millisecond)
			}
			signaled := time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
				t.Logf("ended after %s", time.Since(signaled))
			case <-time.After(patience):
				t.Fatalf("alive %s after the signal", patience)
			}
		})
	}
}
