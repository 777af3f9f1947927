package state

import (
	"fmt"
	"io"
	"os"

	"chainscope/wallet/atomicfile"
)

// maxDocument bounds a document or a configuration file, in bytes. Ours have a
// few kB; what is larger was not written by chainscope.
const maxDocument = 4 << 20

var errTooLarge = fmt.Errorf("larger than %d MiB", maxDocument>>20)

// readDocument reads a regular file whole, and fails with errTooLarge when it is
// larger than a document may be.
func readDocument(path string) ([]byte, error) {
	file, info, err := atomicfile.OpenRegular(path, os.O_RDONLY, fileMode)
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
