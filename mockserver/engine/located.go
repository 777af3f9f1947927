package engine

import (
	"fmt"
	"strings"

	"chainscope/mockserver/contracts"
)

// quotedName finds the name that a diagnostic is about, withoutPlace that of one which never has a place.
var (
	quotedName   = pattern(`'\.?([a-zA-Z][\w!?<>=/*+-]*)'|<([a-zA-Z][\w!?=/*+-]*)>`)
	withoutPlace = pattern(`^\(([a-z-]+) \.\.\.\) is not available|^defining '(.*)' conflicts`)
)

// placed returns the diagnostic of a refused contract with its line and column in front: where
// the virtual machine reports it, moved to the name that it is about. Without a report they are
// what the mock itself finds in the source, or where that name first occurs. A diagnostic with
// neither has no position.
func (f *Failure) placed(source string) string {
	if f.Line == 0 {
		if mistake := contracts.Check(source); mistake != nil {
			return mistake.Error()
		}
	}
	message := f.String()
	line, column := f.Line, f.Column
	if m := withoutPlace().FindStringSubmatch(message); m != nil {
		line, column = locate(m[1]+m[2], source, 0, 0)
	}
	for _, m := range quotedName().FindAllStringSubmatch(message, -1) {
		at, from := locate(m[1]+m[2], source, line, column)
		if at != line || from != column {
			line, column = at, from
			break
		}
	}
	if line == 0 {
		return message
	}
	return fmt.Sprintf("%d:%d: %s", line, column, message)
}

// locate returns where a name first occurs, on the given line from the given column on if line is
// not 0; the given position if it does not occur.
func locate(name, source string, line, column int) (int, int) {
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

// atom returns the index of a name that is a whole word, -1 if there is none.
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
