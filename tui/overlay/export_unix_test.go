//go:build unix

package overlay

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// An export is a new file: what has its name already stays what it is, whatever that is.
func TestAnExportTakesThePlaceOfNothing(t *testing.T) {
	for kind, put := range map[string]func(path string) error{
		"file": func(path string) error { return os.WriteFile(path, []byte("old"), 0o600) },
		"link": func(path string) error {
			return errors.Join(os.WriteFile(path+".to", nil, 0o600), os.Symlink(path+".to", path))
		},
		"link that leads nowhere": func(path string) error { return os.Symlink(path+".to", path) },
		"directory":               func(path string) error { return os.Mkdir(path, 0o700) },
		"pipe":                    func(path string) error { return unix.Mkfifo(path, 0o600) },
		"device":                  func(path string) error { return os.Symlink(os.DevNull, path) },
	} {
		path := filepath.Join(t.TempDir(), "export.csv")
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeNew(path, []byte("new")); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v", kind, err)
		}
		after, err := os.Lstat(path)
		if err != nil || after.Mode() != before.Mode() || after.Size() != before.Size() {
			t.Errorf("%s: it was %v and is %v, %v", kind, before, after, err)
		}
		if _, err := os.Stat(path + ".to"); kind == "link that leads nowhere" && err == nil {
			t.Errorf("%s: a file came where it leads", kind)
		}
	}
	path := filepath.Join(t.TempDir(), "new.csv")
	if err := writeNew(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); string(text) != "new" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
