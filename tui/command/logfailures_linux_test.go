package command

import (
	"context"
	"os"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
)

func TestAFileThatCannotBeWrittenIsSaidAndFailsTheCommand(t *testing.T) {
	const full = "write /dev/full: no space left on device"
	t.Run("--log-file", func(t *testing.T) {
		mock := serveMock(t)
		code, stdout, stderr := run(t, t.Context(), "blocks", "--limit", "1", "--api", mock.address, "--log-file", "/dev/full")
		if code != 1 || stdout == "" || strings.Count(stderr, "--log-file: "+full) != 1 {
			t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
		}
	})
	t.Run("--calls", func(t *testing.T) {
		screen := &safeBuffer{}
		out := &firstLine{line: make(chan string, 1)}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		code := start(ctx, cli.Streams{In: strings.NewReader(""), Out: out, Err: screen, Env: stateIn(t.TempDir())},
			"bridge", "--addr", "127.0.0.1:0", "--approve", "always", "--calls", "/dev/full")
		address, _ := strings.CutPrefix(<-out.line, "bridge listening on ")
		b := &serving{t: t, address: address}
		for range 2 {
			if e := b.call(dapp, "stx_signMessage", `{"message":"hello"}`); e.Error != nil {
				t.Errorf("%+v", e.Error)
			}
		}
		if strings.Count(screen.String(), "--calls: "+full) != 1 {
			t.Errorf("while it serves it says %q", screen)
		}
		stop()
		if got := <-code; got != 1 {
			t.Errorf("exit code %d", got)
		}
	})
	t.Run("standard output", func(t *testing.T) {
		for _, args := range [][]string{{"--help"}, {"blocks", "--help"}, {"version"}, {"completion", "bash"}} {
			file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			screen := &safeBuffer{}
			code := Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: file, Err: screen, Env: stateIn(t.TempDir())})
			if code != 1 || !strings.Contains(screen.String(), full) {
				t.Errorf("%v: exit code %d, stderr %q", args, code, screen)
			}
			file.Close()
		}
	})
}
