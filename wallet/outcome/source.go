package outcome

import (
	"regexp"
	"strings"

	"chainscope/wallet/clarity"
)

// codeOnly returns a source with blanks in the place of comments and of what strings hold, so
// that every place in it is where it was.
func codeOnly(source string) string {
	out := []byte(source)
	quoted, comment := false, false
	for i := 0; i < len(out); i++ {
		c := out[i]
		switch {
		case c == '\n':
			comment = false
			continue
		case comment:
		case quoted && c == '\\':
			if out[i] = ' '; i+1 < len(out) && out[i+1] != '\n' {
				i++
			}
		case c == '"':
			quoted = !quoted
			continue
		case !quoted && c == ';':
			comment = true
		case !quoted:
			continue
		}
		out[i] = ' '
	}
	return string(out)
}

// place is a position in a source.
type place struct {
	text string
	line int
}

func placeAt(source string, at, end int) place {
	return place{source[at:end], 1 + strings.Count(source[:at], "\n")}
}

// constants finds the names that a source has for an error code.
func constants(source, code string) []place {
	if !strings.HasPrefix(code, "u") && !strings.HasPrefix(code, "-") && strings.Trim(code, "0123456789") != "" {
		return nil
	}
	define := regexp.MustCompile(`\(\s*define-constant\s+(\S+)\s+(?:\(\s*err\s+)?` + regexp.QuoteMeta(code) + `\s*\)`)
	var all []place
	for _, at := range define.FindAllStringSubmatchIndex(codeOnly(source), -1) {
		all = append(all, place{source[at[2]:at[3]], 1 + strings.Count(source[:at[0]], "\n")})
	}
	return all
}

// functionText finds the definition of a function; it is empty where there is none.
func functionText(code, name string) (from, to int) {
	define := regexp.MustCompile(`\(\s*define-(?:public|private|read-only)\s+\(\s*` + regexp.QuoteMeta(name) + `[\s)]`)
	at := define.FindStringIndex(code)
	if at == nil {
		return 0, 0
	}
	return at[0], closingOf(code, at[0])
}

// closingOf returns the end of the list that begins at a place of a source.
func closingOf(code string, from int) int {
	depth := 0
	for i := from; i < len(code); i++ {
		switch code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(code)
}

// expressions finds in a function the expressions that begin with one of some words.
func expressions(source, function string, heads []string) []place {
	code := codeOnly(source)
	from, to := functionText(code, function)
	var all []place
	for i := from; i < to; i++ {
		if code[i] != '(' {
			continue
		}
		rest := strings.TrimLeft(code[i+1:to], " \t\r\n")
		for _, head := range heads {
			if after, found := strings.CutPrefix(rest, head); found && after != "" && strings.ContainsRune(" \t\r\n()", rune(after[0])) {
				all = append(all, placeAt(source, i, closingOf(code[:to], i)))
			}
		}
	}
	return all
}

// shortened returns an expression on one line, cut where it is long.
func shortened(text string) string {
	return clarity.Brief(strings.Join(strings.Fields(text), " "), 80)
}
