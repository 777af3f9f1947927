//go:build unix

package term

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

func newInput(file *os.File, answer func(BackgroundMsg)) *input {
	fd := int(file.Fd())
	return &input{File: file, answer: answer, read: file.Read, more: func(wait time.Duration) bool {
		return readable(fd, wait)
	}}
}

// reader is what the framework reads from.
func (in *input) reader() io.Reader { return in }

// swallows reports whether answers of the terminal are taken out of the input.
func (in *input) swallows() bool { return true }

// readable waits until there is something to read.
func readable(fd int, wait time.Duration) bool {
	end := time.Now().Add(wait)
	for {
		left := time.Until(end)
		if left < 0 {
			return false
		}
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int(left/time.Millisecond)+1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	}
}
