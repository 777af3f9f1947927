package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	_ "github.com/charmbracelet/x/exp/golden" // defines the flag -update
	"github.com/google/go-cmp/cmp"
)

// update reports whether -update was given. A program has a flag only once, and
// teatest brings this one along: it is golden's.
func update() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Updating reports whether new drawings are kept.
func Updating() bool { return update() }

// Golden compares a frame of exactly width x height cells with
// testdata/NAME.golden, styles left out.
func Golden(t *testing.T, name, frame string, width, height int) {
	t.Helper()
	Size(t, frame, width, height)
	lines := strings.Split(ansi.Strip(frame), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	GoldenText(t, name, strings.Join(lines, "\n")+"\n")
}

// GoldenStyled compares a frame with its styles, escape sequences made readable.
func GoldenStyled(t *testing.T, name, frame string, width, height int) {
	t.Helper()
	Size(t, frame, width, height)
	GoldenText(t, name, strings.ReplaceAll(frame, "\x1b", "␛")+"\n")
}

// Size fails when a frame has not exactly height lines of at most width cells.
func Size(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("the frame has %d lines in a window of %d", len(lines), height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("line %d has %d cells in a window of %d: %q", i+1, w, width, ansi.Strip(line))
		}
	}
}

// GoldenText compares any text with testdata/NAME.golden.
func GoldenText(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	if update() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; look at the drawing and keep it with -update:\n%s", err, got)
	}
	if got == string(want) {
		return
	}
	t.Errorf("%s differs (-kept +drawn):\n%s", path, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
}
