//go:build unix

package atomicfile

import (
	"errors"
	"syscall"
)

// withoutWaiting makes opening a pipe return at once.
const withoutWaiting = syscall.O_NONBLOCK

// nobodyReads reports whether a pipe was not opened as it has no reader.
func nobodyReads(err error) bool { return errors.Is(err, syscall.ENXIO) }
