package uitest

import (
	"os"
	"testing"
)

// Long reports whether the tests take all their rounds, as they do each night. Otherwise
// those that do the same in many ways take some of them.
func Long() bool { return os.Getenv("CHAINSCOPE_LONG") != "" }

// NotRaced leaves a test out with -short, which the run with the race detector sets: the test
// does much, one thing after another, and no goroutine of its own runs beside it.
func NotRaced(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing runs beside it")
	}
}
