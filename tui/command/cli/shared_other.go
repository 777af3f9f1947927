//go:build !unix

package cli

// sharedByNature reports that the mode of a file does not say who can read it.
const sharedByNature = true
