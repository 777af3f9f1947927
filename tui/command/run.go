package command

import (
	"cmp"
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
)

// Main runs the program with its arguments (without its name) and returns the
// exit code.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// What net/http and others log must not be among our own output.
	log.SetOutput(io.Discard)
	a := &cli.App{Streams: cli.SystemStreams(), Owner: true}
	defer endInTime(ctx, a)()
	return execute(ctx, a, args)
}

// endWait is the time that a command has to end after a signal. It is longer than what
// servers and the explorer take for an orderly end.
const endWait = 2500 * time.Millisecond

// endInTime ends the process some time after a signal whatever it waits for, such as a
// terminal or a pipe that takes no output. The function that it returns calls that off.
func endInTime(ctx context.Context, a *cli.App) (stop func()) {
	restore := func() {}
	if in, ok := a.Streams.In.(*os.File); ok {
		if state, err := xterm.GetState(in.Fd()); err == nil {
			restore = func() { _ = xterm.Restore(in.Fd(), state) }
		}
	}
	done := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer a.Guard.Recover()
		select {
		case <-done:
		case <-time.After(endWait):
			restore()
			os.Exit(1)
		}
	})
	return func() { close(done) }
}

// execute runs a command until it ends or the context does, and returns the exit code.
func execute(ctx context.Context, a *cli.App, args []string) int {
	args = withoutBlanks(args)
	a.Typed = args
	root := newRoot(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		cleanUsage(root)
		hideUseless(root, args[1:])
	}
	root.SetArgs(args)
	root.SetIn(a.Streams.In)
	out := &checkedWriter{to: a.Streams.Out}
	root.SetOut(out)
	root.SetErr(a.Streams.Err)
	err := refuseMnemonic(args, keys.KnownWord)
	if err == nil {
		err = cmp.Or(root.ExecuteContext(ctx), out.err)
	}
	return a.End(ctx, err)
}

// checkedWriter remembers the first error, for writers that ignore errors.
type checkedWriter struct {
	to  io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}
