package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testFunction finds the tests that a file declares.
var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

func testsOf(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests (%v)", pkg, err)
	}
	found := map[string]bool{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunction.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = true
		}
	}
	return found
}

func TestEveryRowOfTheSpecIsProvedByATestThatExists(t *testing.T) {
	text, err := os.ReadFile("testdata/spec-rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]bool{}
	for _, row := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		wanted[row] = true
	}
	tests := map[string]map[string]bool{}
	proofs := 0
	for _, r := range specRows {
		if !wanted[r.row] {
			t.Errorf("%s: no row of the spec, or named twice", r.row)
		}
		delete(wanted, r.row)
		if len(r.proofs) == 0 {
			t.Errorf("%s: nothing proves it", r.row)
		}
		for _, p := range r.proofs {
			pkg, name, ok := strings.Cut(p, ".")
			if !ok {
				t.Fatalf("%s: %q is no package and test", r.row, p)
			}
			if tests[pkg] == nil {
				tests[pkg] = testsOf(t, pkg)
			}
			if !tests[pkg][name] {
				t.Errorf("%s: there is no test %s in %s", r.row, name, pkg)
			}
			proofs++
		}
	}
	for row := range wanted {
		t.Errorf("%s: no test is named for it", row)
	}
	t.Logf("%d rows of the spec, %d proofs by %d packages", len(specRows), proofs, len(tests))
}
