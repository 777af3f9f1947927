//go:build unix && !monkey

package e2e

// How the program under test is built.
var (
	buildFlags = []string{"-ldflags=-s -w"}
	buildCGO   = "CGO_ENABLED=0"
)
