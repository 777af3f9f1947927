//go:build unix

package custom

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostile is what a chain could say to whoever pastes it into a shell.
const hostile = "$(touch PWNED); `touch PWNED` && touch PWNED | \"'\n-rf ../ \x1b[31m"

func TestHostileTextArrivesAsItIs(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	thing := Thing{URL: hostile, Hash: hostile, JSON: hostile, Place: hostile}
	for name, c := range map[string]Command{
		"argument":            {Key: "x", Run: []string{"printf", "%s", "{hash}"}},
		"argument of a shell": {Key: "x", Run: []string{"sh", "-c", `printf %s "$1"`, "sh", "{url}"}},
		"environment":         {Key: "x", Run: []string{"sh", "-c", `printf %s "$CHAINSCOPE_PLACE"`}},
		"standard input":      {Key: "x", Run: []string{"cat"}, Stdin: "json"},
	} {
		got, err := c.Do(t.Context(), thing)
		if err != nil || got != hostile {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "PWNED")); err == nil {
		t.Error("the hostile text was run")
	}
}

func TestWhatWouldBecomeAProgramIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		command Command
		want    string
	}{
		"a script":                {Command{Key: "x", Run: []string{"sh", "-c", "{json}"}}, "read as a program"},
		"a script of options":     {Command{Key: "x", Run: []string{"bash", "-lc", "{json}"}}, "read as a program"},
		"perl":                    {Command{Key: "x", Run: []string{"perl", "-e", "{hash}"}}, "read as a program"},
		"behind another program":  {Command{Key: "x", Run: []string{"env", "sh", "-c", "{url}"}}, "$CHAINSCOPE_URL"},
		"windows":                 {Command{Key: "x", Run: []string{"cmd", "/C", "{url}"}}, "read as a program"},
		"another machine's shell": {Command{Key: "x", Run: []string{"/usr/bin/ssh", "host", "echo", "{hash}"}}, "standard input"},
		"a part of a script":      {Command{Key: "x", Run: []string{"sh", "-c", "echo {hash}"}}, "argument of its own"},
		"the program":             {Command{Key: "x", Run: []string{"{hash}"}}, "the program cannot come"},
		"no program":              {Command{Key: "x"}, "run is missing"},
		"no key":                  {Command{Run: []string{"cat"}}, "key is missing"},
		"another input":           {Command{Key: "x", Run: []string{"cat"}, Stdin: "all"}, "want url, hash, json, place"},
	} {
		if err := c.command.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTextThatCouldBeAnOptionIsRefused(t *testing.T) {
	c := Command{Key: "x", Run: []string{"printf", "%s", "{hash}"}}
	if _, err := c.Do(t.Context(), Thing{Hash: "--version"}); err == nil || !strings.Contains(err.Error(), `put "--" before it`) {
		t.Errorf("%v", err)
	}
	c.Run = []string{"printf", "--", "%s", "{hash}"}
	if got, err := c.Do(t.Context(), Thing{Hash: "--version"}); err != nil || got != "--version" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := c.Do(t.Context(), Thing{}); err == nil || !strings.Contains(err.Error(), "there is no hash here") {
		t.Errorf("%v", err)
	}
}

func TestTheWalletsSecretsStayHere(t *testing.T) {
	t.Setenv("CHAINSCOPE_MNEMONIC", "secret words")
	c := Command{Key: "x", Run: []string{"env"}}
	if got, err := c.Do(t.Context(), Thing{Hash: "0x1"}); err != nil || strings.Contains(got, "secret") || !strings.Contains(got, "CHAINSCOPE_HASH=0x1") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestMuchOutputIsCut(t *testing.T) {
	c := Command{Key: "x", Run: []string{"sh", "-c", "yes | head -c 1000000"}}
	if got, err := c.Do(t.Context(), Thing{}); err != nil || len(got) != mostOutput {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
