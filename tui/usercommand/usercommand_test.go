//go:build unix

package usercommand

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// hostile holds what a chain could say to whoever pastes it into a shell.
const hostile = "$(touch PWNED); `touch PWNED` && touch PWNED | \"'\n-rf ../ \x1b[31m \\ \U0001f600"

func hostileThing(t *testing.T) Subject {
	t.Helper()
	raw, err := json.MarshalIndent(map[string]any{"hash": hostile, hostile: []any{hostile, 1.50, nil}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return Subject{URL: hostile, Hash: hostile, JSON: string(raw), Place: hostile}
}

func notRun(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("PWNED"); err == nil {
		t.Error("the hostile text was run")
	}
}

func TestHostileTextArrivesAsItIs(t *testing.T) {
	t.Chdir(t.TempDir())
	thing := hostileThing(t)
	for _, word := range []string{"URL", "HASH", "PLACE"} {
		c := Command{Key: "x", Run: []string{"sh", "-c", `printf %s "$CHAINSCOPE_` + word + `"`}}
		if got, err := c.Do(t.Context(), thing); err != nil || got != hostile {
			t.Errorf("%s: %q, %v", word, got, err)
		}
	}
	var want, got any
	if err := json.Unmarshal([]byte(thing.JSON), &want); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Command{
		"environment":    {Key: "x", Run: []string{"sh", "-c", `printf %s "$CHAINSCOPE_JSON"`}},
		"standard input": {Key: "x", Run: []string{"cat"}, Stdin: "json"},
	} {
		printed, err := c.Do(t.Context(), thing)
		if err == nil {
			err = json.Unmarshal([]byte(printed), &got)
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s, %v", name, printed, err)
		}
	}
	notRun(t)
}

// Whatever reads its standard input as a script gets nothing that it would obey.
func TestAProgramThatReadsScriptsRunsNothingOfTheChain(t *testing.T) {
	t.Chdir(t.TempDir())
	standIns(t, "bash", "perl", "python3")
	for _, run := range [][]string{
		{"sh"},
		{"bash"},
		{"bash", "-s"},
		{"xargs", "sh", "-c"},
		{"xargs", "-n1", "sh", "-c"},
		{"xargs", "bash", "-c"},
		{"sh", "-c", "$CHAINSCOPE_JSON"},
		{"awk", "-f", "-"},
		{"perl"},
		{"python3"},
	} {
		for _, document := range []string{hostileThing(t).JSON, `["$(touch PWNED)"]`, `{"touch":"PWNED"}`, `"$(touch PWNED)"`} {
			// Most refuse it. A program that is not here tests nothing: what every system has
			// must be, and shells beside them run what is in their place.
			if _, err := (Command{Key: "x", Run: run, Stdin: "json"}).Do(t.Context(), Subject{JSON: document}); errors.Is(err, exec.ErrNotFound) {
				t.Errorf("%q was not started: %v", run, err)
			}
		}
	}
	notRun(t)
}

// standIns puts a shell in the place of each interpreter that is not installed.
func standIns(t *testing.T, names ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexec sh \"$@\"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestWhatWouldBecomeAnArgumentIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		command Command
		want    string
	}{
		"an argument":            {Command{Key: "x", Run: []string{"printf", "%s", "{hash}"}}, `in a shell line "$CHAINSCOPE_HASH"`},
		"a script":               {Command{Key: "x", Run: []string{"bash", "-c", "--", "{json}"}}, "$CHAINSCOPE_JSON"},
		"a part of a script":     {Command{Key: "x", Run: []string{"sh", "-c", "echo {url}"}}, "$CHAINSCOPE_URL"},
		"awk":                    {Command{Key: "x", Run: []string{"awk", "{json}"}}, "$CHAINSCOPE_JSON"},
		"the program":            {Command{Key: "x", Run: []string{"{place}"}}, "$CHAINSCOPE_PLACE"},
		"a word that is none":    {Command{Key: "x", Run: []string{"echo", "{nosuch}"}}, "run has {nosuch}, and nothing is put in its place"},
		"no program":             {Command{Key: "x"}, "run is missing"},
		"no key":                 {Command{Run: []string{"cat"}}, "key is missing"},
		"another input":          {Command{Key: "x", Run: []string{"cat"}, Stdin: "all"}, `want "json"`},
		"an input for a program": {Command{Key: "x", Run: []string{"sh"}, Stdin: "hash"}, "$CHAINSCOPE_HASH"},
	} {
		if err := c.command.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if _, err := c.command.Do(t.Context(), Subject{URL: "u", Hash: "h", JSON: "{}", Place: "p"}); err == nil {
			t.Errorf("%s: was run", name)
		}
	}
	for _, run := range [][]string{{"jq", "{hash: .hash}"}, {"awk", "{ print }"}, {"echo", "{}"}} {
		if problem := (Command{Key: "x", Run: run}).Check(); problem != nil {
			t.Errorf("%q: %v", run, problem)
		}
	}
}

func TestACommandSaysWhatIsNotHere(t *testing.T) {
	c := Command{Key: "x", Run: []string{"sh", "-c", `echo "$CHAINSCOPE_HASH"`}}
	for want, thing := range map[string]Subject{
		"there is no hash here": {}, "zero byte": {Hash: "a\x00b"}, "standard input": {Hash: strings.Repeat("0", 65<<10)},
	} {
		if _, err := c.Do(t.Context(), thing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	c = Command{Key: "x", Run: []string{"cat"}, Stdin: "json"}
	for want, thing := range map[string]Subject{"there is no json here": {}, "no JSON": {JSON: "<html>"}} {
		if _, err := c.Do(t.Context(), thing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestTheWalletsSecretsStayHere(t *testing.T) {
	t.Setenv("CHAINSCOPE_MNEMONIC", "secret words")
	c := Command{Key: "x", Run: []string{"env"}}
	if got, err := c.Do(t.Context(), Subject{Hash: "0x1"}); err != nil || strings.Contains(got, "secret") || !strings.Contains(got, "CHAINSCOPE_HASH=0x1") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestMuchOutputIsCut(t *testing.T) {
	c := Command{Key: "x", Run: []string{"sh", "-c", "yes | head -c 1000000"}}
	if got, err := c.Do(t.Context(), Subject{}); err != nil || len(got) != mostOutput {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
