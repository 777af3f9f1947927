package command

import (
	"io"
	"os"

	xterm "github.com/charmbracelet/x/term"
)

// Streams are the standard streams and the environment of a run.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Env looks up an environment variable.
	Env func(name string) (string, bool)
}

// SystemStreams are those of the process.
func SystemStreams() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(f.Fd())
}
