package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// row is a row of a table of the specifications.
type row struct {
	name    string
	mutants []mutant
}

// mutant is a change of one place of the code, and the tests that must notice it.
type mutant struct {
	pkg      string // the package of the tests
	tests    []string
	file     string
	after    string // the place is looked for after this text; may be empty
	from, to string
}

// apply returns the changed text of the file.
func (m mutant) apply(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
	if err != nil {
		return "", err
	}
	head, tail := "", string(text)
	if m.after != "" {
		before, rest, ok := strings.Cut(tail, m.after)
		if !ok {
			return "", fmt.Errorf("%s has no %q", m.file, m.after)
		}
		head, tail = before+m.after, rest
	}
	before, rest, ok := strings.Cut(tail, m.from)
	if !ok {
		return "", fmt.Errorf("%s has no %q", m.file, m.from)
	}
	if m.from == m.to {
		return "", fmt.Errorf("%s: %q is changed into itself", m.file, m.from)
	}
	return head + before + m.to + rest, nil
}

// parse reads rows.txt. A line that begins at the margin is the name of a row. Under
// it stand its mutants, indented: the package of the tests and their names;
// then the file that is changed; then, each after a sign, the text after which the
// place is looked for (@, left out when the place is the first), the text that is
// replaced (-) and what replaces it (+). Lines that begin with # and empty ones are
// passed over.
func parse(text string) ([]row, error) {
	var rows []row
	var m mutant
	for n, line := range strings.Split(text, "\n") {
		n++
		word := strings.TrimSpace(line)
		if word == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if line == strings.TrimLeft(line, " ") {
			rows = append(rows, row{name: word})
			continue
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("line %d: a mutant without a row", n)
		}
		r := &rows[len(rows)-1]
		sign, rest := word[:1], strings.TrimPrefix(word[1:], " ")
		switch {
		case sign == "@":
			m.after = rest
		case sign == "-":
			m.from = rest
		case sign == "+":
			m.to = rest
			if m.file == "" || m.from == "" {
				return nil, fmt.Errorf("line %d: the mutant above has no file or text", n)
			}
			r.mutants = append(r.mutants, m)
			m = mutant{}
		case strings.HasSuffix(word, ".go"):
			m.file = word
		default:
			fields := strings.Fields(word)
			if len(fields) < 2 {
				return nil, fmt.Errorf("line %d: want a package and tests", n)
			}
			m = mutant{pkg: fields[0], tests: fields[1:]}
		}
	}
	for _, r := range rows {
		if len(r.mutants) == 0 {
			return nil, fmt.Errorf("%s: no mutant", r.name)
		}
	}
	return rows, nil
}
