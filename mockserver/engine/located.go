package engine

import (
	"fmt"
	"regexp"
	"strings"

	"chainscope/mockserver/contracts"
)

// quotedName finds the name that a diagnostic is about.
var quotedName = regexp.MustCompile(`'\.?([a-zA-Z][\w!?<>=/*+-]*)'`)

// placed is the diagnostic of a contract that was refused, with its place in front: where the virtual
// machine says, and there, of what is about a name, where that stands. Where it says nothing it is what
// the mock itself finds in the source, or where the name first stands. A diagnostic that is of neither
// has no place.
func (f *Failure) placed(source string) string {
	if f.Line == 0 {
		if mistake := contracts.Check(source); mistake != nil {
			return mistake.Error()
		}
	}
	line, column := f.Line, f.Column
	if m := quotedName.FindStringSubmatch(f.Message); m != nil {
		line, column = stands(m[1], source, line, column)
	}
	if line == 0 {
		return f.Message
	}
	return fmt.Sprintf("%d:%d: %s", line, column, f.Message)
}

// stands returns where a name first stands, from a place on in its line if there is one; that place if
// it does not.
func stands(name, source string, line, column int) (int, int) {
	for i, text := range strings.Split(source, "\n") {
		code, _, _ := strings.Cut(text, ";;")
		from := 0
		if line > 0 {
			if i+1 != line {
				continue
			}
			from = min(max(column-1, 0), len(code))
		}
		if at := atom(code[from:], name); at >= 0 {
			return i + 1, from + at + 1
		}
	}
	return line, column
}

// atom finds a name that stands by itself, -1 for nowhere.
func atom(code, name string) int {
	const apart = " \t\r(){},:'\"."
	for from := 0; ; {
		at := strings.Index(code[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		from = at + len(name)
		if (at == 0 || strings.IndexByte(apart, code[at-1]) >= 0) && (from == len(code) || strings.IndexByte(apart, code[from]) >= 0) {
			return at
		}
	}
}
