// Command mutate tries whether the tests notice code that is wrong. The changes are laid
// over the code while the tests are built; no file of the repository is written.
//
// rows.txt has changes of what signs, encodes and approves, each with the tests that must
// fail then. Everything else is changed at random, by operators: a condition turned round,
// a bound moved by one, and the like.
//
//	go run . -check          every change of rows.txt fits the code
//	go run . -sample 10      ten rows, others with each commit
//	go run . -row memo       the rows whose names match
//	go run .                 all rows
//	go run . -operators 10   ten changes by operators, others with each commit
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
)

func main() {
	onlyCheck := flag.Bool("check", false, "only check that rows.txt fits the code")
	sample := flag.Int("sample", 0, "run so many rows, chosen by the number of commits; 0 runs all")
	pattern := flag.String("row", "", "run only the rows whose names match this expression")
	atOnce := flag.Int("j", 2, "run so many tests at a time")
	operators := flag.Int("operators", 0, "make so many changes by operators, chosen by the number of commits, instead of the rows")
	survive := flag.Float64("survive", 0.8, "the share of the changes by operators that may pass unnoticed")
	root := flag.String("root", "../..", "the directory of the module")
	flag.Parse()
	var err error
	if *operators > 0 {
		err = byOperator(*root, *operators, *survive)
	} else {
		err = run(*root, *onlyCheck, *sample, *pattern, *atOnce)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root string, onlyCheck bool, sample int, pattern string, atOnce int) error {
	text, err := os.ReadFile("rows.txt")
	if err != nil {
		return err
	}
	rows, err := parse(string(text))
	if err != nil {
		return err
	}
	if err := check(root, rows); err != nil {
		return err
	}
	mutants := 0
	for _, r := range rows {
		mutants += len(r.mutants)
	}
	fmt.Printf("%d rows, %d mutants\n", len(rows), mutants)
	if onlyCheck {
		return nil
	}
	if rows, err = choose(root, rows, sample, pattern); err != nil {
		return err
	}
	return test(root, rows, atOnce)
}

// check checks that each mutant fits the code.
func check(root string, rows []row) error {
	var wrong []string
	for _, r := range rows {
		for _, m := range r.mutants {
			if _, err := m.apply(root); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %v", r.name, err))
			}
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
	commits, err := countCommits(root)
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
					fmt.Printf("%s: %s\n", r.name, result)
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
	text, err := m.apply(root)
	if err != nil {
		return err.Error()
	}
	result, out, err := change{m.file, text, m.file}.test(root, "-run", "^("+strings.Join(m.tests, "|")+")$", "./"+m.pkg)
	switch {
	case err != nil:
		return err.Error()
	case result == noTests:
		return "there is no such test: " + strings.Join(m.tests, ", ")
	case result == passed:
		return "not noticed by " + m.pkg + ": " + strings.Join(m.tests, ", ")
	case result == broken:
		return "does not compile:\n" + out
	}
	return ""
}
