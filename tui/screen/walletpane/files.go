package walletpane

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chainscope/tui/screen/walletpane/form"

	tea "github.com/charmbracelet/bubbletea"
)

// fileMsg is what a file holds for a field.
type fileMsg struct {
	page *formPage
	at   form.Place
	path string
	text string
	err  error
}

// readFile reads a file for a field of a form.
func (s *Screen) readFile(p *formPage, field form.Field, at form.Place, path string) tea.Cmd {
	return func() tea.Msg {
		content, err := readFile(path, form.MaxFile)
		text := ""
		if err == nil {
			if text, err = form.FromBytes(field, content); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		}
		return fileMsg{p, at, path, text, err}
	}
}

// readFile reads a regular file of a limited size in bytes. ~ is the home folder.
func readFile(path string, most int64) ([]byte, error) {
	if rest, is := strings.CutPrefix(path, "~/"); is {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, most)
	}
	return content, err
}
