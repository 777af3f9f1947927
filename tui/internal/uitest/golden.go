package uitest

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// GoldenText compares any text with testdata/NAME.golden. A name FILE#PART is a part of a file that
// holds the drawings of several states.
func GoldenText(t *testing.T, name, got string) {
	t.Helper()
	name, part, parted := strings.Cut(name, "#")
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	if update() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if parted {
			got = withPart(path, part, got)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	want, found := string(kept), err == nil
	if parted {
		want, found = parts(want)[part]
	}
	if !found {
		t.Fatalf("%s is not in %s (%v); look at the drawing and keep it with -update:\n%s", t.Name(), path, err, got)
	}
	if got == want {
		return
	}
	t.Errorf("%s %s differs (-kept +drawn):\n%s", path, part, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
}

// heading is the beginning of the line above a part.
const heading = "=== "

// parts returns the drawings of a file by their names.
func parts(file string) map[string]string {
	all := map[string]string{}
	list := strings.Split("\n"+file+heading, "\n"+heading)
	for _, p := range list[1 : len(list)-1] {
		name, text, _ := strings.Cut(p, "\n")
		all[name] = text + "\n"
	}
	return all
}

// withPart returns a file with a part replaced or added. The parts are in the order of their names.
func withPart(path, name, text string) string {
	kept, _ := os.ReadFile(path) // none before the first part
	all := parts(string(kept))
	all[name] = text
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(heading + name + "\n" + all[name])
	}
	return b.String()
}
