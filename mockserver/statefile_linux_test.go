package mockserver

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFullDiskLeavesNoHalfLine(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state")
	s, _ := newServer(t, Config{State: file})
	mine(t, s, 1)
	if err := errors.Join(os.Rename(file, file+"2"), os.Symlink("/dev/full", file)); err != nil {
		t.Fatal(err)
	}
	if w := send(s, "POST", "/mock/v1/mine", `{"blocks":1}`); w.Code != http.StatusInsufficientStorage || !strings.Contains(w.Body.String(), "no space left") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	held, err := os.ReadFile(file + "2")
	if err == nil { // a disk with some room takes a part of the line
		err = errors.Join(os.Remove(file), os.WriteFile(file, append(held, `{"at":"2026-`...), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	mine(t, s, 1)
	if got, want := height(t, restarted(t, Config{State: file}), ""), height(t, s, ""); got != want || want != 1_000_002 {
		t.Errorf("the tip is %d, after a restart %d", want, got)
	}
}
