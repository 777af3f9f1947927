package form

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
)

// maxFile limits how many bytes of a file are taken.
const maxFile = 4 << 20

// Filer is an owner whose texts come from files too.
type Filer interface {
	// FromFile makes the text of a stop of what is in a file.
	FromFile(key any, content []byte) (string, error)
}

// FileMsg holds what a file holds for a stop of a form.
type FileMsg struct {
	form    *Form
	key     any
	path    string
	content []byte
	err     error
}

// read reads a file for a stop.
func (f *Form) read(at any, path string) tea.Cmd {
	return func() tea.Msg {
		content, err := ReadFile(path, maxFile)
		return FileMsg{f, at, path, content, err}
	}
}

// FileRead enters what was read from a file and goes to what is wanted next. It reports whether a
// stop of this form still names the file; the error says why there is no text.
func (f *Form) FileRead(msg FileMsg) (path string, mine bool, err error) {
	i := slices.IndexFunc(f.slots, func(s Slot) bool {
		named, _ := text.FileNamed(s.Text)
		return s.Key == msg.key && named == msg.path
	})
	if msg.form != f || i < 0 {
		return "", false, nil
	}
	content, err := "", msg.err
	if of, is := f.owner.(Filer); is && err == nil {
		if content, err = of.FromFile(msg.key, msg.content); err != nil {
			err = fmt.Errorf("%s: %w", msg.path, err)
		}
	}
	if err != nil {
		f.Refuse(msg.key, err)
		return msg.path, true, err
	}
	f.owner.Enter(msg.key, content)
	f.Refresh()
	f.GoToProblem()
	return msg.path, true, nil
}

// ReadFile reads a regular file of a limited size in bytes. ~ is the home folder.
func ReadFile(path string, most int64) ([]byte, error) {
	if rest, is := strings.CutPrefix(path, "~/"); is {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	// The kind is looked at first: opening a pipe would wait for who writes to it.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, most)
	}
	return content, err
}
