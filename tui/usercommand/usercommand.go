// Package usercommand runs programs of the user's own on what is under the cursor.
//
// What is under the cursor is untrusted: a chain says it. Which programs read an
// argument as a script cannot be told from outside, so that no value is ever put into
// the arguments: they are what the config says, to the letter. The values go by the
// environment, which nothing reads as a script by itself, and as JSON on standard input,
// written so that it has nothing in it that a shell would obey.
package usercommand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// Command is a program and how it is called.
type Command struct {
	Key  string // that runs it
	Name string // what people read
	// Run is the program and its arguments.
	Run []string
	// Stdin holds what the program reads: json, or "" for nothing.
	Stdin string
}

// Subject holds what is under the cursor. What is unknown is "".
type Subject struct{ URL, Hash, JSON, Place string }

// words are the names of what can be passed.
var words = []string{"url", "hash", "json", "place"}

func (t Subject) word(name string) string {
	return map[string]string{"url": t.URL, "hash": t.Hash, "json": t.JSON, "place": t.Place}[name]
}

// variable returns the name of the environment variable that holds a value.
func variable(word string) string { return "CHAINSCOPE_" + strings.ToUpper(word) }

// Problem holds what is wrong with a command.
type Problem struct {
	// Field is the key of the config that is wrong.
	Field  string
	reason string
}

func (p *Problem) Error() string { return p.reason }

func wrong(field, format string, args ...any) *Problem {
	return &Problem{field, fmt.Sprintf(format, args...)}
}

// Check returns what is wrong with a command, and what would be right.
func (c Command) Check() *Problem {
	switch {
	case c.Key == "":
		return wrong("key", "key is missing: the key that runs it")
	case len(c.Run) == 0 || c.Run[0] == "":
		return wrong("run", `run is missing: the program and its arguments, such as ["jq", "."]`)
	case slices.Contains(words, c.Stdin) && c.Stdin != "json":
		return wrong("stdin", `stdin is %q: want "json"; the program finds the %s in $%s`, c.Stdin, c.Stdin, variable(c.Stdin))
	case c.Stdin != "" && c.Stdin != "json":
		return wrong("stdin", `stdin is %q: want "json"`, c.Stdin)
	}
	placeholder := regexp.MustCompile(`^\{([a-z_-]+)\}$|\{(` + strings.Join(words, "|") + `)\}`)
	for _, a := range c.Run {
		found := placeholder.FindStringSubmatch(a)
		if found == nil {
			continue
		}
		if word := found[1] + found[2]; slices.Contains(words, word) {
			return wrong("run", `run has {%s}: what a chain says never becomes an argument; the program finds it in $%s, in a shell line "$%s"`, word, variable(word), variable(word))
		}
		return wrong("run", `run has %s, and nothing is put in its place: the program finds %s in its environment (for braces of its own write "{ %s }")`, a, strings.Join(variables(), ", "), found[1])
	}
	return nil
}

func variables() []string {
	var all []string
	for _, w := range words {
		all = append(all, "$"+variable(w))
	}
	return all
}

// Bounds of a run.
const (
	longest    = 30 * time.Second
	mostOutput = 256 << 10
)

// Do runs the command on a thing and returns what it printed, errors included.
func (c Command) Do(ctx context.Context, t Subject) (string, error) {
	if problem := c.Check(); problem != nil {
		return "", problem
	}
	var err error
	if t.JSON, err = inert(t.JSON); err != nil {
		return "", err
	}
	own, err := environment(os.Environ(), t, strings.Join(c.Run, " "))
	switch {
	case err != nil:
		return "", err
	case c.Stdin != "" && t.JSON == "":
		return "", errors.New("there is no json here")
	}
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	run := exec.CommandContext(ctx, c.Run[0], c.Run[1:]...)
	run.Env = own
	if c.Stdin != "" {
		run.Stdin = strings.NewReader(t.JSON)
	}
	run.WaitDelay = time.Second
	var out bounded
	run.Stdout, run.Stderr = &out, &out
	err = run.Run()
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("it took longer than %v and was ended", longest)
	}
	return out.kept.String(), err
}

// mostValue bounds what goes into one variable: systems refuse longer ones.
const mostValue = 64 << 10

// environment adds the thing to the variables, and leaves the wallet's secrets out. A
// value that the command requests has to be there.
func environment(own []string, t Subject, command string) ([]string, error) {
	out := slices.DeleteFunc(slices.Clone(own), func(v string) bool {
		return strings.HasPrefix(v, "CHAINSCOPE_")
	})
	for _, w := range words {
		v := t.word(w)
		var problem string
		switch {
		case v == "":
			problem = "there is no %s here"
		case strings.Contains(v, "\x00"):
			problem = "the %s holds a zero byte, which no variable can"
		case len(v) > mostValue:
			problem = "the %s is too long for a variable: read it on standard input"
		default:
			out = append(out, variable(w)+"="+v)
			continue
		}
		if strings.Contains(command, variable(w)) {
			return nil, fmt.Errorf(problem, w)
		}
	}
	return out, nil
}

// inert writes a JSON document so that it means the same, and nothing to a shell that
// reads it by mistake: on one line, and every character of its texts but letters, digits
// and _-. as an escape.
func inert(document string) (string, error) {
	if document == "" {
		return "", nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(document)); err != nil {
		return "", fmt.Errorf("what is here is no JSON: %w", err)
	}
	text := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	return text.ReplaceAllStringFunc(compact.String(), func(quoted string) string {
		var plain string
		if json.Unmarshal([]byte(quoted), &plain) != nil {
			return `""` // cannot be: the document was read
		}
		var b strings.Builder
		b.WriteByte('"')
		for _, unit := range utf16.Encode([]rune(plain)) {
			if unit < utf8.RuneSelf && strings.ContainsRune(unescaped, rune(unit)) {
				b.WriteByte(byte(unit))
			} else {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
		b.WriteByte('"')
		return b.String()
	}), nil
}

const unescaped = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

// bounded keeps the beginning of what is printed.
type bounded struct{ kept bytes.Buffer }

// Write takes everything and keeps what there is room for.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept.Write(p[:max(0, min(len(p), mostOutput-b.kept.Len()))])
	return len(p), nil
}
