//go:build !unix

package state

// openWithoutWaiting is not needed where pipes are no files.
const openWithoutWaiting = 0
