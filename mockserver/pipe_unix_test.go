//go:build unix

package mockserver

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeIsNoFileToStartFrom(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	tape := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(tape, "x.http"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{{State: fifo}, {Contracts: fifo}, {Replay: tape}} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "no regular file") {
			t.Errorf("a pipe: %v", err)
		}
	}
}

func TestCoverageGoesThroughAPipeAndNotOverAFolder(t *testing.T) {
	cfg := fakeEngine()
	cfg.Coverage = t.TempDir()
	if s, err := New(cfg); err == nil || !strings.Contains(err.Error(), "--coverage: ") || !strings.Contains(err.Error(), "it is a directory") {
		t.Errorf("a folder: %v, %v", s, err)
	}
	cfg.Coverage = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(cfg.Coverage, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(cfg.Coverage, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	d := newTroupe(t, cfg)
	d.does(d.deploys("c", ""), "(ok true)")
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 1<<12)
	n, err := pipe.Read(got)
	if info, at := os.Stat(cfg.Coverage); !strings.HasPrefix(string(got[:n]), "TN:\nSF:c\n") || at != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe has %q, %v, and is %v", got[:n], err, info)
	}
}
