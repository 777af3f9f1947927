package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxDocument bounds a document or a configuration file, in bytes. Ours have a
// few kB; what is larger was not written by chainscope.
const maxDocument = 4 << 20

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = fmt.Errorf("larger than %d MiB", maxDocument>>20)
)

// openRegular opens a file that may not be there. It does not wait, as opening a
// pipe would, and refuses everything but regular files.
func openRegular(path string, flag int) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, flag|openWithoutWaiting, fileMode)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// readDocument reads a regular file whole, and fails with errTooLarge when it is
// larger than a document may be.
func readDocument(path string) ([]byte, error) {
	file, info, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info.Size() > maxDocument {
		return nil, errTooLarge
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxDocument+1))
	if err == nil && len(raw) > maxDocument {
		err = errTooLarge // it has grown meanwhile
	}
	return raw, err
}
