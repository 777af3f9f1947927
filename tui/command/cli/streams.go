package cli

import (
	"context"
	"io"
	"os"
	"time"

	xterm "github.com/charmbracelet/x/term"

	"chainscope/apiclient/wire"
)

// Streams are the standard streams, the environment and the clock of a run.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Env looks up an environment variable.
	Env func(name string) (string, bool)
	// Sleep waits between the questions of --wait; nil waits in real time.
	Sleep func(context.Context, time.Duration) error
}

// SystemStreams returns those of the process.
func SystemStreams() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}
}

func (s Streams) Wait(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	return wire.Sleep(ctx, d)
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(f.Fd())
}
