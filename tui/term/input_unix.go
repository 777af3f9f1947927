//go:build unix

package term

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// keyboard is a terminal that can be waited for, left alone for a while, and left.
type keyboard struct {
	// fd holds what is read: a description of its own, where one can be had, on which
	// no read waits. What was there may be gone when it is read: the program may be
	// stopped before, and a shell reads then.
	fd, own int
	mu      sync.Mutex // held while it is waited for and read
	over    bool
	// wake is readable when the keyboard has to be let go: a byte came, or its
	// other end was closed.
	wake, waker *os.File
}

// newInput returns the input of a terminal, and the keyboard that it reads.
func newInput(file *os.File, send func(tea.Msg)) (io.Reader, *keyboard, error) {
	k, err := newKeyboard(file)
	if err != nil {
		return nil, nil, err
	}
	return newInputFrom(k, file.Fd(), send), k, nil
}

func newKeyboard(file *os.File) (*keyboard, error) {
	wake, waker, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	k := &keyboard{fd: int(file.Fd()), own: -1, wake: wake, waker: waker}
	if fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", k.fd), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0); err == nil {
		k.fd, k.own = fd, fd
	}
	return k, nil
}

// stop ends reading: after it returns, nothing more is read from the terminal. It
// may be called more than once.
func (k *keyboard) stop() {
	_ = k.waker.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.own >= 0 && !k.over {
		_ = unix.Close(k.own)
	}
	k.over = true
	_ = k.wake.Close()
}

// pause lets nothing of the terminal be read until resume is called. While the
// terminal is not raw, what comes is meant for others, and ctrl+d is an end of file.
func (k *keyboard) pause() (resume func()) {
	_, woken := k.waker.Write([]byte{0})
	k.mu.Lock()
	if woken == nil {
		_, _ = k.wake.Read(make([]byte, 1))
	}
	return k.mu.Unlock
}

func (k *keyboard) read(p []byte, within time.Duration) (int, error) {
	for end := time.Now().Add(within); ; runtime.Gosched() { // who wakes it wants the lock
		timeout := -1
		if within >= 0 {
			timeout = max(0, int((time.Until(end)+time.Millisecond-1)/time.Millisecond))
		}
		n, woken, err := k.readOnce(p, timeout)
		if !woken {
			return n, err
		}
	}
}

// readOnce waits for up to timeout milliseconds, and reads. It reports whether it was woken up
// before.
func (k *keyboard) readOnce(p []byte, timeout int) (n int, woken bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over {
		return 0, false, io.EOF
	}
	fds := []unix.PollFd{{Fd: int32(k.fd), Events: unix.POLLIN}, {Fd: int32(k.wake.Fd()), Events: unix.POLLIN}}
	n, err = unix.Poll(fds, timeout)
	switch {
	case err == unix.EINTR, fds[1].Revents != 0:
		return 0, true, nil
	case err != nil, n == 0:
		return 0, false, err
	}
	n, err = unix.Read(k.fd, p)
	switch {
	case err == unix.EAGAIN, err == unix.EINTR: // somebody else has read it
		return 0, true, nil
	case err != nil:
		return 0, false, os.NewSyscallError("read", err)
	case n == 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0:
		return 0, false, errGone
	case n == 0:
		return 0, false, errEndOfInput
	}
	return n, false, nil
}
