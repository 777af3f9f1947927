//go:build unix && monkey

package e2e

// How the program under test is built: with the race detector, which needs cgo.
var (
	buildFlags = []string{"-race"}
	buildCGO   = "CGO_ENABLED=1"
)
