package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// limit bounds the time that the tests of a change may take, to build and to run. What takes
// longer is reported: on a busy machine it proves nothing.
const limit = 10 * time.Minute

// change is another text of one file.
type change struct {
	file, text string
	what       string
}

// outcome is the result of the tests of a change.
type outcome int

const (
	failed outcome = iota // the tests notice it
	passed
	broken // it does not compile
)

// test runs tests with the change laid over the code.
func (c change) test(root string, args ...string) (outcome, error) {
	dir, err := os.MkdirTemp("", "chainscope-mutate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	root, err = filepath.Abs(root)
	if err != nil {
		return 0, err
	}
	code, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	replace := fmt.Sprintf(`{"Replace":{%q:%q}}`, filepath.Join(root, filepath.FromSlash(c.file)), code)
	for path, text := range map[string]string{code: c.text, overlay: replace} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-vet=off", "-ldflags=-s -w", "-count=1", "-overlay", overlay}, args...)...)
	cmd.Dir = root
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return 0, fmt.Errorf("%s took longer than %v: a change must not hang its tests", c.what, limit)
	case err == nil:
		return passed, nil
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return broken, nil
	}
	return failed, nil
}

// countCommits returns the number of commits, by which samples are chosen.
func countCommits(root string) (int, error) {
	out, err := exec.Command("git", "-C", root, "rev-list", "--count", "HEAD").Output()
	if err != nil {
		return 0, fmt.Errorf("count the commits: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}
