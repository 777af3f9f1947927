//go:build !unix

package term

import (
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// newInput returns the file itself: the framework reads the events of a console
// by other means than bytes, and only knows the real standard input.
func newInput(file *os.File, _ func(tea.Msg)) (io.Reader, *keyboard, error) {
	return file, &keyboard{}, nil
}

// keyboard is read by the framework itself.
type keyboard struct{}

// stop and pause do nothing: the framework reads what comes.
func (k *keyboard) stop() {}

func (k *keyboard) pause() (resume func()) { return func() {} }
