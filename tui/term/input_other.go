//go:build !unix

package term

import (
	"io"
	"os"
	"time"
)

func newInput(file *os.File, answer func(BackgroundMsg)) *input {
	return &input{File: file, answer: answer, read: file.Read, more: func(time.Duration) bool { return false }}
}

// reader is the file itself: the framework reads the events of a console by
// other means than bytes, and only knows the real standard input.
func (in *input) reader() io.Reader { return in.File }

// swallows reports whether answers of the terminal are taken out of the input.
func (in *input) swallows() bool { return false }
