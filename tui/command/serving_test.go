package command

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/tui/command/cli"
)

// serving is a server of ours that runs in this process.
type serving struct {
	t       testing.TB
	address string
	cancel  context.CancelFunc
	code    chan int
	out     *firstLine
	errs    *safeBuffer
}

// safeBuffer can be written and read at the same time.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serveCommand starts a server and waits for its first line, which names the
// address after prefix.
func serveCommand(t testing.TB, prefix string, args ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &serving{t: t, cancel: cancel, code: make(chan int, 1), out: &firstLine{line: make(chan string, 1)}, errs: &safeBuffer{}}
	streams := cli.Streams{
		In: strings.NewReader(""), Out: s.out, Err: s.errs,
		Env:   stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	go func() { s.code <- Run(ctx, args, streams) }()
	select {
	case line := <-s.out.line:
		var ok bool
		if s.address, ok = strings.CutPrefix(line, prefix); !ok {
			t.Fatalf("first line %q", line)
		}
	case code := <-s.code:
		t.Fatalf("ended with %d: %s", code, s.errs)
	}
	t.Cleanup(cancel)
	return s
}

// end does what SIGTERM does, and returns the exit code.
func (s *serving) end() int {
	s.cancel()
	return <-s.code
}

// stateIn returns an environment that names the state folder and nothing else.
func stateIn(dir string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		switch name {
		case "CHAINSCOPE_STATE_DIR":
			return filepath.Join(dir, "state"), true
		case "XDG_CONFIG_HOME":
			return dir, true
		}
		return "", false
	}
}

func serveMock(t testing.TB, args ...string) *serving {
	t.Helper()
	return serveCommand(t, "mock API listening on ", append([]string{"mock", "--addr", "127.0.0.1:0", "--freeze", "2026-01-01T00:00:00Z"}, args...)...)
}

func serveBridge(t testing.TB, args ...string) *serving {
	t.Helper()
	return serveCommand(t, "bridge listening on ", append([]string{"bridge", "--addr", "127.0.0.1:0"}, args...)...)
}
