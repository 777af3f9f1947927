// Command mutate proves that the tests named for the rows of the two specifications
// notice when a row is wrong. rows.txt has, for each row and each side of it (client,
// mock, screen, wallet), a change of the code that makes the row's value wrong and the
// tests that must fail then. The changes are laid over the code while the tests are
// built; no file of the repository is written.
//
//	go run . -check        every row is there, every change still fits the code
//	go run . -sample 20    twenty rows, others with each commit
//	go run . -row symbol   the rows whose names match
//	go run .               all rows
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// limit is how long the tests of a mutant may take, to build and to run. What takes
// longer is reported: on a busy machine it proves nothing.
const limit = 10 * time.Minute

func main() {
	check := flag.Bool("check", false, "only check that rows.txt is whole and fits the code")
	sample := flag.Int("sample", 0, "run so many rows, chosen by the number of commits; 0 runs all")
	pattern := flag.String("row", "", "run only the rows whose names match this expression")
	atOnce := flag.Int("j", 2, "run so many tests at a time")
	root := flag.String("root", "../..", "the directory of the module")
	flag.Parse()
	if err := run(*root, *check, *sample, *pattern, *atOnce); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root string, check bool, sample int, pattern string, atOnce int) error {
	text, err := os.ReadFile("rows.txt")
	if err != nil {
		return err
	}
	rows, err := parse(string(text))
	if err != nil {
		return err
	}
	if err := complete(root, rows); err != nil {
		return err
	}
	mutants := 0
	for _, r := range rows {
		mutants += len(r.mutants)
	}
	fmt.Printf("%d rows, %d mutants\n", len(rows), mutants)
	if check {
		return nil
	}
	if rows, err = choose(root, rows, sample, pattern); err != nil {
		return err
	}
	return test(root, rows, atOnce)
}

// complete checks that each row of the specifications has a mutant, and that each
// mutant fits the code.
func complete(root string, rows []row) error {
	text, err := os.ReadFile(filepath.Join(root, "tui", "command", "testdata", "spec-rows.txt"))
	if err != nil {
		return err
	}
	has := map[string]bool{}
	var wrong []string
	for _, r := range rows {
		has[r.name] = true
		for _, m := range r.mutants {
			if _, err := m.apply(root); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s, %s: %v", r.name, m.side, err))
			}
		}
	}
	for name := range strings.Lines(strings.TrimSpace(string(text))) {
		if name = strings.TrimSpace(name); !has[name] {
			wrong = append(wrong, name+": not in rows.txt")
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("rows.txt does not fit:\n%s", strings.Join(wrong, "\n"))
	}
	return nil
}

// choose returns the rows to run. A sample begins where the one of the commit before
// ended, so that all rows are run in turn.
func choose(root string, rows []row, sample int, pattern string) ([]row, error) {
	if pattern != "" {
		matches, err := regexp.Compile(pattern)
		if err != nil {
			return nil, err
		}
		var chosen []row
		for _, r := range rows {
			if matches.MatchString(r.name) {
				chosen = append(chosen, r)
			}
		}
		return chosen, nil
	}
	if sample <= 0 || sample >= len(rows) {
		return rows, nil
	}
	out, err := exec.Command("git", "-C", root, "rev-list", "--count", "HEAD").Output()
	if err != nil {
		return nil, fmt.Errorf("count the commits: %w", err)
	}
	commits, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return nil, err
	}
	var chosen []row
	for i := range sample {
		chosen = append(chosen, rows[(commits*sample+i)%len(rows)])
	}
	return chosen, nil
}

// test runs the tests of every mutant of the rows and reports those that survive.
func test(root string, rows []row, atOnce int) error {
	var mu sync.Mutex
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	ran, bad := 0, 0
	for _, r := range rows {
		for _, m := range r.mutants {
			wait.Add(1)
			slots <- struct{}{}
			go func() {
				defer func() { <-slots; wait.Done() }()
				result := m.test(root)
				mu.Lock()
				defer mu.Unlock()
				ran++
				if result != "" {
					bad++
					fmt.Printf("%s, %s: %s\n", r.name, m.side, result)
				}
			}()
		}
	}
	wait.Wait()
	fmt.Printf("%d mutants of %d rows, %d noticed\n", ran, len(rows), ran-bad)
	if bad > 0 {
		return fmt.Errorf("%d mutants were not noticed or could not be tested", bad)
	}
	return nil
}

// test runs the tests named for a mutant and returns what is wrong: nothing if one of
// them fails.
func (m mutant) test(root string) string {
	mutated, err := m.apply(root)
	if err != nil {
		return err.Error()
	}
	dir, err := os.MkdirTemp("", "chainscope-mutate-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	root, err = filepath.Abs(root)
	if err != nil {
		return err.Error()
	}
	code, overlay := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	replace := fmt.Sprintf(`{"Replace":{%q:%q}}`, filepath.Join(root, filepath.FromSlash(m.file)), code)
	for path, text := range map[string]string{code: mutated, overlay: replace} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err.Error()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-ldflags=-s -w", "-count=1", "-overlay", overlay,
		"-run", "^("+strings.Join(m.tests, "|")+")$", "./"+m.pkg)
	cmd.Dir = root
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("took longer than %v: a change must not hang its tests", limit)
	case err == nil && bytes.Contains(out, []byte("no tests to run")):
		return "there is no such test: " + strings.Join(m.tests, ", ")
	case err == nil:
		return "not noticed by " + m.pkg + ": " + strings.Join(m.tests, ", ")
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return "does not compile:\n" + string(out)
	}
	return ""
}
