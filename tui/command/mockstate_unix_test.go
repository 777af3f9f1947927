//go:build unix

package command

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAStateFileBelongsToOneMockUntilThatDies(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	first := process(t, "mock", "--addr", "127.0.0.1:0", "--state", file)
	out, err := first.StdoutPipe()
	if err == nil {
		err = first.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "mock API listening on "))
	owner := fmt.Sprintf("another mock uses it (process %d, at %s); end that one, or name another file", first.Process.Pid, address)
	eventually(t, "the first says where it is", func() bool {
		text, err := os.ReadFile(file + ".lock")
		return err == nil && strings.Contains(string(text), address)
	})
	for _, args := range [][]string{{"mock", "--addr", "127.0.0.1:0", "--state", file}, {"blocks", "--mock-state", file}} {
		if code, _, errs := run(t, t.Context(), args...); code != 2 || !strings.Contains(errs, owner) {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended(t, first)
	second := serveCommand(t, "mock API listening on ", "mock", "--addr", "127.0.0.1:0", "--state", file)
	if code := second.end(); code != 0 {
		t.Errorf("the next one: %d %s", code, second.errs)
	}
}

func TestAMockThatLostTheEndOfItsStateFileSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	serveMock(t, "--state", file).end()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(data, `{"at":"2026-01-01T00:00:00Z","do":"mi`...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	again := serveMock(t, "--state", file)
	if code := again.end(); code != 0 || !strings.Contains(again.errs.String(), "the last line was cut off") {
		t.Errorf("%d %s", code, again.errs)
	}
	if code, _, errs := run(t, t.Context(), "blocks", "--mock-state", file, "--limit", "1"); code != 0 || strings.Contains(errs, "cut off") {
		t.Errorf("the next start: %d %s", code, errs)
	}
}

func TestAMockEndsWithItsStandardInputIfConfiguredTo(t *testing.T) {
	for _, asked := range []bool{true, false} {
		args := []string{"mock", "--addr", "127.0.0.1:0"}
		if asked {
			args = append(args, "--until-eof")
		}
		mock := process(t, args...)
		in, err := mock.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := mock.StdoutPipe()
		if err == nil {
			err = mock.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		address := strings.TrimSpace(strings.TrimPrefix(line, "mock API listening on "))
		fetch(t, "GET", address+"/mock/v1/scenario", "")
		in.Close()
		if !asked {
			fetch(t, "GET", address+"/mock/v1/scenario", "")
			if err := mock.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		if code := ended(t, mock); code != 0 {
			t.Errorf("asked to: %v, exit code %d", asked, code)
		}
	}
}
