package engine

import (
	"fmt"
	"regexp"
	"strings"

	"chainscope/mockserver/contracts"
)

// quotedName finds the name that a diagnostic is about.
var quotedName = regexp.MustCompile(`'\.?([a-zA-Z][\w!?<>=/*+-]*)'`)

// placed puts the place in front of a diagnostic of a contract that was refused: of what the
// mock itself finds in its source, or where the name first stands that it is about. The virtual
// machine tells none. A diagnostic that is of neither stays as it is.
func placed(diagnostic, source string) string {
	if mistake := contracts.Check(source); mistake != nil {
		return mistake.Error()
	}
	m := quotedName.FindStringSubmatch(diagnostic)
	if m == nil {
		return diagnostic
	}
	for i, line := range strings.Split(source, "\n") {
		code, _, _ := strings.Cut(line, ";;")
		if at := atom(code, m[1]); at >= 0 {
			return fmt.Sprintf("%d:%d: %s", i+1, at+1, diagnostic)
		}
	}
	return diagnostic
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
