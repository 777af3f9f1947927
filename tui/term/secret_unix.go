//go:build unix

package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	xterm "github.com/charmbracelet/x/term"
)

// ReadSecret asks a question on a terminal and reads a line that is not shown.
// The terminal's settings are restored on every way out: ctrl+c and the end of
// the context are [ErrInterrupted], SIGHUP is too, and ctrl+z gives the terminal
// back until the program continues, which asks again.
func ReadSecret(ctx context.Context, in *os.File, out io.Writer, question string) (string, error) {
	cooked, err := xterm.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("terminal: %w", err)
	}
	k, err := newKeyboard(in)
	if err != nil {
		return "", fmt.Errorf("terminal: %w", err)
	}
	defer k.stop()
	hangup, cancel := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer cancel()
	defer context.AfterFunc(hangup, k.stop)()

	var line secretLine
	keys := newInputFrom(byteByByte{k}, in.Fd(), func(msg tea.Msg) {
		if _, ended := msg.(endOfInputMsg); ended {
			_, _ = xterm.MakeRaw(in.Fd())
		}
	})
	for {
		err := hidden(in, cooked, func() error {
			fmt.Fprint(out, question)
			return line.read(keys)
		})
		fmt.Fprintln(out)
		switch {
		case hangup.Err() != nil:
			return "", ErrInterrupted
		case errors.Is(err, errSuspended):
			stopGroup()
			line.typed = line.typed[:0]
			continue
		}
		return string(line.typed), err
	}
}

// hidden runs f with the terminal in raw mode, in which nothing that is typed is
// shown. A shell that continues the program may have left that mode, so it is set
// again then.
func hidden(in *os.File, cooked *xterm.State, f func() error) error {
	if _, err := xterm.MakeRaw(in.Fd()); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	continued, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(continued, syscall.SIGCONT)
	again := make(chan struct{})
	go func() {
		defer close(again)
		for {
			select {
			case <-continued:
				// An error shows at the next read.
				_, _ = xterm.MakeRaw(in.Fd())
			case <-over:
				return
			}
		}
	}()
	err := f()
	signal.Stop(continued)
	close(over)
	<-again
	return errors.Join(err, xterm.Restore(in.Fd(), cooked))
}

// byteByByte reads no further than the end of a line, so that the rest stays in the terminal for
// the next reader.
type byteByByte struct{ *keyboard }

func (b byteByByte) read(p []byte, within time.Duration) (int, error) {
	return b.keyboard.read(p[:1], within)
}
