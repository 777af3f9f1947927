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

// testsOf returns the names of the tests of a package.
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

// TestEveryRowOfTheSpecHasTestsThatExist reads .ci/mutate/rows.txt, which names the
// tests of each row. That they fail when the row is wrong is tried by .ci/mutate.
func TestEveryRowOfTheSpecHasTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("testdata/spec-rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]bool{}
	for row := range strings.Lines(strings.TrimSpace(string(text))) {
		wanted[strings.TrimSpace(row)] = true
	}
	named, err := os.ReadFile("../../.ci/mutate/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	packages, different := map[string]map[string]bool{}, map[string]bool{}
	row, mutants := "", 0
	for line := range strings.Lines(string(named)) {
		word := strings.TrimSpace(line)
		switch {
		case word == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "    "):
			// a comment, or how the code is changed
		case !strings.HasPrefix(line, " "):
			if row = word; !wanted[row] {
				t.Errorf("%s: no row of the spec, or named twice", row)
			}
			delete(wanted, row)
		default:
			mutants++
			fields := strings.Fields(word) // side, package, tests
			if packages[fields[1]] == nil {
				packages[fields[1]] = testsOf(t, fields[1])
			}
			for _, name := range fields[2:] {
				different[fields[1]+"."+name] = true
				if !packages[fields[1]][name] {
					t.Errorf("%s: there is no test %s in %s", row, name, fields[1])
				}
			}
		}
	}
	for row := range wanted {
		t.Errorf("%s: no test is named for it", row)
	}
	t.Logf("%d mutants, %d different tests of %d packages", mutants, len(different), len(packages))
}
