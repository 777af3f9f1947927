//go:build unix

package term

import (
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// keyboard is a terminal that can be waited for, and left.
type keyboard struct {
	file *os.File
	mu   sync.Mutex // held while it is waited for or read
	over bool
	// left is readable when the keyboard was left: its other end is closed.
	left, leave *os.File
}

// newInput returns the input of a terminal, and what ends reading: after it
// returns, nothing of the terminal is read any more.
func newInput(file *os.File, send func(tea.Msg)) (in io.Reader, stop func(), err error) {
	k, err := newKeyboard(file)
	if err != nil {
		return nil, nil, err
	}
	return newInputFrom(k, file.Fd(), send), k.stop, nil
}

func newKeyboard(file *os.File) (*keyboard, error) {
	left, leave, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &keyboard{file: file, left: left, leave: leave}, nil
}

// stop ends reading. It may be called more than once.
func (k *keyboard) stop() {
	_ = k.leave.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	_ = k.left.Close()
}

// Read reads what is there.
func (k *keyboard) Read(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over {
		return 0, io.EOF
	}
	return k.file.Read(p)
}

func (k *keyboard) wait(limit time.Duration) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over {
		return false, io.EOF
	}
	end := time.Now().Add(limit)
	for {
		timeout := -1
		if limit >= 0 {
			timeout = max(0, int((time.Until(end)+time.Millisecond-1)/time.Millisecond))
		}
		fds := []unix.PollFd{{Fd: int32(k.file.Fd()), Events: unix.POLLIN}, {Fd: int32(k.left.Fd()), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, timeout)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return false, err
		case fds[1].Revents != 0:
			return false, io.EOF
		}
		return n > 0, nil
	}
}
