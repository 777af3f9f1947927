// Package atomicfile writes files whose paths a user named.
//
// What a path names decides how it is written. A regular file, or one that a symbolic
// link leads to, is replaced in one step, so that a reader and a crash meet the old or
// the new content and never a part. A pipe, a device and the program's own output are
// streams: they are written through and stay what they are. A directory and a socket
// are errors. The package imports nothing of chainscope.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"
)

// ErrNotRegular is in the error of a path that has to be a regular file and is not.
var ErrNotRegular = errors.New("it is no regular file")

// patience is the time that a write waits for the reader of a pipe.
const patience = 5 * time.Second

// maxLinks bounds a chain of symbolic links.
const maxLinks = 40

// Replace gives a regular file a new content, or makes it with the permissions perm. A
// symbolic link stays, and the file that it leads to is replaced. Anything else is
// ErrNotRegular.
func Replace(path string, data []byte, perm fs.FileMode) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: ErrNotRegular}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	target, err := followed(path)
	if err != nil {
		return err
	}
	return maybe.WriteFile(target, data, perm)
}

// Write replaces a regular file, and writes through to a stream.
func Write(path string, data []byte, perm fs.FileMode) error {
	if !IsStream(path) {
		return Replace(path, data, perm)
	}
	to, err := Append(path, perm)
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return errors.Join(err, to.Close())
}

// Append opens a file to which is added, which is made with the permissions perm if it
// is not there, or a stream. A pipe that nobody reads is an error after a while.
func Append(path string, perm fs.FileMode) (io.WriteCloser, error) {
	if own := ownOutput(path); own != nil {
		return output{own}, nil
	}
	if err := Check(path); err != nil {
		return nil, err
	}
	flag := os.O_WRONLY | os.O_APPEND | os.O_CREATE | withoutWaiting
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		file, err := os.OpenFile(path, flag, perm)
		switch {
		case err == nil:
			return stream{file}, nil
		case !nobodyReads(err):
			return nil, err
		case time.Since(begin) > patience:
			return nil, &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("nobody has read this pipe for %v", patience)}
		}
	}
}

// IsStream reports whether what is written to a path goes through: what it names is a
// pipe, a device or the program's own output.
func IsStream(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeCharDevice) != 0 || ownOutput(path) != nil)
}

// Check returns an error if a path cannot be written whatever its permissions are: it
// is a directory or a socket, or its folder is missing.
func Check(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a directory")}
	case err == nil && info.Mode()&fs.ModeSocket != 0:
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a socket")}
	case err == nil || !errors.Is(err, fs.ErrNotExist):
		return err
	}
	target, err := followed(path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(target)); err != nil || !info.IsDir() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("its folder is not there")}
	}
	return nil
}

// OpenRegular opens a regular file and returns what it is. It does not wait, as opening
// a pipe would; all but regular files are ErrNotRegular.
func OpenRegular(path string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, flag|withoutWaiting, perm)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// followed returns where the symbolic links of a path lead, which need not be there.
func followed(path string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "write", Path: path, Err: errors.New("too many symbolic links")}
}

// ownOutput returns the standard output or error of the program if a path names it, nil
// otherwise. Were it a file that is opened once more, each would write over the other.
func ownOutput(path string) *os.File {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, own := range []*os.File{os.Stdout, os.Stderr} {
		if at, err := own.Stat(); err == nil && os.SameFile(at, info) {
			return own
		}
	}
	return nil
}

// output is an output of the program's own, which stays open.
type output struct{ io.Writer }

func (output) Close() error { return nil }

// stream is an open file. A write to a pipe ends after a while if nobody reads.
type stream struct{ *os.File }

func (s stream) Write(data []byte) (int, error) {
	_ = s.SetWriteDeadline(time.Now().Add(patience)) // regular files have none
	return s.File.Write(data)
}
