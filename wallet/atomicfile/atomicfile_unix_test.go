//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// What a path can name, made in a folder of the test's own.
func place(t *testing.T, kind string) (path string, read func() string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "it")
	target := filepath.Join(t.TempDir(), "target")
	content := func(of string) func() string {
		return func() string { text, _ := os.ReadFile(of); return string(text) }
	}
	var err error
	read = content(path)
	switch kind {
	case "nothing":
	case "a file":
		err = os.WriteFile(path, []byte("old"), 0o640)
	case "a link to a file":
		err = errors.Join(os.WriteFile(target, []byte("old"), 0o640), os.Symlink(target, path))
		read = content(target)
	case "a link to nothing":
		err = os.Symlink(target, path)
		read = content(target)
	case "a link to itself":
		err = os.Symlink(path, path)
	case "a directory":
		err = os.Mkdir(path, 0o700)
	case "a pipe", "a pipe that nobody reads":
		if err = unix.Mkfifo(path, 0o600); err == nil && kind == "a pipe" {
			file, opened := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			err, read = opened, reader(t, file)
		}
	case "a device":
		master, device, opened := pty.Open()
		if opened != nil {
			t.Fatal(opened)
		}
		t.Cleanup(func() { device.Close() })
		err, read = os.Symlink(device.Name(), path), reader(t, master)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, read
}

func reader(t *testing.T, file *os.File) func() string {
	t.Cleanup(func() { file.Close() })
	return func() string {
		got := make(chan string, 1)
		go func() {
			text := make([]byte, 100)
			n, _ := file.Read(text)
			got <- strings.TrimSpace(string(text[:n]))
		}()
		select {
		case text := <-got:
			return text
		case <-time.After(5 * time.Second): // a test that waits for ever says nothing
			return "nothing came"
		}
	}
}

func TestWhatAPathNamesDecidesHowItIsWritten(t *testing.T) {
	appended := func(path string, data []byte, perm fs.FileMode) error {
		to, err := Append(path, perm)
		if err != nil {
			return err
		}
		_, err = to.Write(data)
		return errors.Join(err, to.Close())
	}
	const refused = "refused"
	for _, c := range []struct{ kind, replaced, written, appended string }{
		{"nothing", "new", "new", "new"},
		{"a file", "new", "new", "oldnew"},
		{"a link to a file", "new", "new", "oldnew"},
		{"a link to nothing", "new", "new", "new"},
		{"a link to itself", refused, refused, refused},
		{"a directory", refused, refused, refused},
		{"a pipe", refused, "new", "new"},
		{"a pipe that nobody reads", refused, refused, refused},
		{"a device", refused, "new", "new"},
	} {
		for how, f := range map[string]struct {
			do   func(string, []byte, fs.FileMode) error
			want string
		}{"replace": {Replace, c.replaced}, "write": {Write, c.written}, "append": {appended, c.appended}} {
			t.Run(c.kind+"/"+how, func(t *testing.T) {
				t.Parallel()
				path, read := place(t, c.kind)
				before, _ := os.Lstat(path)
				err := f.do(path, []byte("new"), 0o600)
				if f.want == refused {
					if err == nil || !strings.Contains(err.Error(), path) {
						t.Errorf("got %v", err)
					}
				} else if got := read(); err != nil || got != f.want {
					t.Errorf("it holds %q, %v, want %q", got, err, f.want)
				}
				after, err := os.Lstat(path)
				if before != nil && (err != nil || after.Mode() != before.Mode()) {
					t.Errorf("it was %v and is %v, %v", before.Mode(), after, err)
				}
			})
		}
	}
}

func TestTheProgramsOwnOutputIsNotOpenedTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	own := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = own; file.Close() }()
	for _, part := range []string{"one ", "two ", "three"} {
		if part == "two " {
			err = Write(path, []byte(part), 0o600)
		} else {
			_, err = file.WriteString(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); string(text) != "one two three" {
		t.Errorf("the output is %q, %v", text, err)
	}
}
