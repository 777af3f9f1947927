//go:build !unix

package term

import (
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// newInput returns the file itself: the framework reads the events of a console
// by other means than bytes, and only knows the real standard input.
func newInput(file *os.File, _ func(tea.Msg)) (in io.Reader, stop func(), err error) {
	return file, func() {}, nil
}
