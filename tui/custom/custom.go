// Package custom runs programs of the user's own on what is under the cursor.
//
// What is under the cursor is untrusted: a chain says it. It is handed over as
// whole arguments, in the environment or on standard input, and never becomes
// part of a text that a shell or another interpreter reads.
package custom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Command is a program and how it is called.
type Command struct {
	Key  string // that runs it
	Name string // what people read
	// Run is the program and its arguments. An argument that is {url}, {hash},
	// {json} or {place} stands for that.
	Run []string
	// Stdin is what the program reads: url, hash, json or place; "" for nothing.
	Stdin string
}

// Thing is what is under the cursor. What is unknown is "".
type Thing struct{ URL, Hash, JSON, Place string }

// words are the names of what can be handed over.
var words = []string{"url", "hash", "json", "place"}

func (t Thing) word(name string) string {
	return map[string]string{"url": t.URL, "hash": t.Hash, "json": t.JSON, "place": t.Place}[name]
}

// placeholder returns the word that an argument stands for.
func placeholder(argument string) (string, bool) {
	name, ok := strings.CutPrefix(argument, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, ok && closed && slices.Contains(words, name)
}

// Check says what is wrong with a command, and what would be right.
func (c Command) Check() error {
	switch {
	case c.Key == "":
		return errors.New("key is missing: the key that runs it")
	case len(c.Run) == 0 || c.Run[0] == "":
		return fmt.Errorf(`run is missing: the program and its arguments, such as ["jq", "."]`)
	case c.Stdin != "" && !slices.Contains(words, c.Stdin):
		return fmt.Errorf("stdin is %q: want %s", c.Stdin, strings.Join(words, ", "))
	}
	for i, a := range c.Run {
		name, whole := placeholder(a)
		switch {
		case whole && i == 0:
			return fmt.Errorf("run begins with %s: the program cannot come from what is under the cursor", a)
		case whole && script(c.Run[i-1]):
			return fmt.Errorf("run has %s after %q, where it would be read as a program: use $CHAINSCOPE_%s in the script", a, c.Run[i-1], strings.ToUpper(name))
		case whole && slices.ContainsFunc(c.Run[:i], joins):
			return fmt.Errorf("run hands %s to a program that makes shell text of it (%s): give it on standard input", a, strings.Join(joining, ", "))
		case !whole && mentions(a) != "":
			return fmt.Errorf("run has %s inside of %q: it has to be an argument of its own, or $CHAINSCOPE_%s", "{"+mentions(a)+"}", a, strings.ToUpper(mentions(a)))
		}
	}
	return nil
}

// script reports whether the argument after this option is read as a program by
// some interpreter: sh -c, perl -e, python -c, cmd /c, powershell -Command.
func script(option string) bool {
	switch lower := strings.ToLower(option); lower {
	case "/c", "/k", "--eval", "--command", "--execute", "eval":
		return true
	default:
		return strings.HasPrefix(lower, "-") && !strings.HasPrefix(lower, "--") && len(lower) <= 4 && strings.ContainsAny(lower, "ce")
	}
}

// joining are programs that make one text for a shell of their arguments.
var joining = []string{"ssh", "watch", "su"}

func joins(argument string) bool { return slices.Contains(joining, filepath.Base(argument)) }

func mentions(argument string) string {
	for _, w := range words {
		if strings.Contains(argument, "{"+w+"}") {
			return w
		}
	}
	return ""
}

// Bounds of a run.
const (
	longest    = 30 * time.Second
	mostOutput = 256 << 10
)

// Do runs the command on a thing and returns what it printed, errors included.
func (c Command) Do(ctx context.Context, t Thing) (string, error) {
	if err := c.Check(); err != nil {
		return "", err
	}
	args := slices.Clone(c.Run)
	for i, a := range args {
		name, ok := placeholder(a)
		if !ok {
			continue
		}
		value := t.word(name)
		switch {
		case value == "":
			return "", fmt.Errorf("there is no %s here", name)
		case strings.Contains(value, "\x00"):
			return "", fmt.Errorf("the %s holds a zero byte, which no argument can", name)
		case strings.HasPrefix(value, "-") && !slices.Contains(args[:i], "--"):
			return "", fmt.Errorf(`the %s begins with "-" and could be read as an option: put "--" before it`, name)
		}
		args[i] = value
	}
	if c.Stdin != "" && t.word(c.Stdin) == "" {
		return "", fmt.Errorf("there is no %s here", c.Stdin)
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	run := exec.CommandContext(ctx, args[0], args[1:]...)
	run.Env = environment(os.Environ(), t)
	run.Stdin = strings.NewReader(t.word(c.Stdin))
	run.WaitDelay = time.Second
	var out bounded
	run.Stdout, run.Stderr = &out, &out
	err := run.Run()
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("it took longer than %v and was ended", longest)
	}
	return out.kept.String(), err
}

// environment adds the thing to the variables, and leaves the wallet's secrets
// out. Very long values are only on standard input.
func environment(own []string, t Thing) []string {
	out := slices.DeleteFunc(slices.Clone(own), func(v string) bool {
		return strings.HasPrefix(v, "CHAINSCOPE_")
	})
	for _, w := range words {
		if v := t.word(w); v != "" && len(v) < 64<<10 && !strings.Contains(v, "\x00") {
			out = append(out, "CHAINSCOPE_"+strings.ToUpper(w)+"="+v)
		}
	}
	return out
}

// bounded keeps the beginning of what is printed.
type bounded struct{ kept bytes.Buffer }

// Write takes everything and keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept.Write(p[:max(0, min(len(p), mostOutput-b.kept.Len()))])
	return len(p), nil
}
