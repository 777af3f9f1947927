//go:build !unix

package atomicfile

// withoutWaiting is not needed where pipes are no files.
const withoutWaiting = 0

func nobodyReads(error) bool { return false }
