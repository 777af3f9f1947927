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

// TestEveryRowOfTheSpecHasTestsThatExist reads which tests hold each row of the two
// specifications, for each side of it.
func TestEveryRowOfTheSpecHasTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("testdata/spec-rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	packages, rows := map[string]map[string]bool{}, map[string]int{}
	row := ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, " ") {
			row = strings.TrimSpace(line)
			if _, twice := rows[row]; twice {
				t.Errorf("%s is named twice", row)
			}
			rows[row] = 0
			continue
		}
		fields := strings.Fields(line) // side, package, tests
		if packages[fields[1]] == nil {
			packages[fields[1]] = testsOf(t, fields[1])
		}
		for _, name := range fields[2:] {
			rows[row]++
			if !packages[fields[1]][name] {
				t.Errorf("%s: there is no test %s in %s", row, name, fields[1])
			}
		}
	}
	if len(rows) != 160 {
		t.Errorf("%d rows, want the 160 of the specifications", len(rows))
	}
	for row, tests := range rows {
		if tests == 0 {
			t.Errorf("%s: no test is named for it", row)
		}
	}
}
