//go:build unix

package mockserver

import (
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
