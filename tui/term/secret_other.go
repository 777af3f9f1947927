//go:build !unix

package term

import (
	"context"
	"fmt"
	"io"
	"os"

	xterm "github.com/charmbracelet/x/term"
)

// ReadSecret asks a question on a terminal and reads a line that is not shown.
// The end of the context is [ErrInterrupted].
func ReadSecret(ctx context.Context, in *os.File, out io.Writer, question string) (string, error) {
	state, err := xterm.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("terminal: %w", err)
	}
	fmt.Fprint(out, question)
	defer fmt.Fprintln(out)
	type line struct {
		typed []byte
		err   error
	}
	read := make(chan line, 1)
	go func() {
		typed, err := xterm.ReadPassword(in.Fd())
		read <- line{typed, err}
	}()
	select {
	case l := <-read:
		return string(l.typed), l.err
	case <-ctx.Done():
		_ = xterm.Restore(in.Fd(), state)
		return "", ErrInterrupted
	}
}
