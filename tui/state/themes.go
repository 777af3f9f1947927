package state

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxTheme is the greatest size of a theme's file in bytes.
const maxTheme = 64 << 10

// ThemeFile is the text of a theme of the user's.
type ThemeFile struct {
	// Name is that of the file without its ending.
	Name, Path string
	Text       []byte
	// Err reports why it could not be read; nil when it was.
	Err error
}

// ThemesFolder returns the folder of themes that belongs to a configuration file, ""
// without one.
func ThemesFolder(configFile string) string {
	if configFile == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(configFile), "themes")
}

// ReadThemes reads the files *.toml of a folder, by name. A folder that is not there
// has none.
func ReadThemes(folder string) []ThemeFile {
	var all []ThemeFile
	entries, err := os.ReadDir(folder)
	if folder == "" || err != nil {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".toml") && !e.IsDir() {
			all = append(all, ReadTheme(filepath.Join(folder, e.Name())))
		}
	}
	return all
}

// ReadTheme reads the file of a theme.
func ReadTheme(path string) ThemeFile {
	t := ThemeFile{Name: strings.TrimSuffix(filepath.Base(path), ".toml"), Path: path}
	f, err := os.Open(path)
	if err != nil {
		t.Err = err
		return t
	}
	defer f.Close()
	t.Text, t.Err = io.ReadAll(io.LimitReader(f, maxTheme+1))
	if len(t.Text) > maxTheme {
		t.Text, t.Err = nil, fmt.Errorf("%s is larger than %d KiB", path, maxTheme>>10)
	}
	return t
}
