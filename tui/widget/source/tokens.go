package source

import "strings"

// kind says what a token of a source is.
type kind int

const (
	space kind = iota
	mark       // parentheses, braces, commas, colons
	comment
	text8 // a string, ASCII or UTF-8
	number
	principal
	definition // a word that begins a definition
	word
)

// token is a part of a line, in bytes.
type token struct {
	kind     kind
	from, to int
}

// definitions are the words that begin a definition.
var definitions = map[string]bool{
	"define-constant": true, "define-data-var": true, "define-map": true, "define-public": true, "define-read-only": true,
	"define-private": true, "define-fungible-token": true, "define-non-fungible-token": true, "define-trait": true,
	"use-trait": true, "impl-trait": true,
}

// tokens cuts a line into its parts. Nothing of Clarity reaches beyond its line but
// parentheses, so that a line is read alone.
func tokens(line string) []token {
	var all []token
	for at := 0; at < len(line); {
		t := next(line, at)
		all = append(all, t)
		at = t.to
	}
	return all
}

func next(line string, from int) token {
	switch c := line[from]; {
	case c == ' ' || c == '\t' || c == '\r':
		return token{space, from, from + runOf(line[from:], " \t\r")}
	case strings.HasPrefix(line[from:], ";;"):
		return token{comment, from, len(line)}
	case strings.IndexByte("(){},:", c) >= 0:
		return token{mark, from, from + 1}
	case c == '"':
		return token{text8, from, from + quoted(line[from:])}
	case strings.HasPrefix(line[from:], `u"`):
		return token{text8, from, from + 1 + quoted(line[from+1:])}
	}
	to := from + 1
	for to < len(line) && strings.IndexByte(" \t\r(){},:;\"", line[to]) < 0 {
		to++
	}
	return token{kindOf(line[from:to]), from, to}
}

func runOf(s, of string) int { return len(s) - len(strings.TrimLeft(s, of)) }

// quoted is how many bytes a string in quotes has; one without an end reaches to the end
// of the line.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func kindOf(s string) kind {
	switch {
	case definitions[s]:
		return definition
	case s[0] == '\'':
		return principal
	case strings.HasPrefix(s, "0x"), strings.Trim(s, "0123456789") == "", len(s) > 1 && strings.Trim(s[1:], "0123456789") == "" && (s[0] == 'u' || s[0] == '-'):
		return number
	}
	return word
}

// defined returns the lines on which names are defined, by their names.
func defined(lines []string) map[string]int {
	at := map[string]int{}
	for i, line := range lines {
		if !strings.Contains(line, "define-") && !strings.Contains(line, "use-trait") {
			continue
		}
		defines := false
		for _, t := range tokens(line) {
			switch name := line[t.from:t.to]; {
			case t.kind == definition:
				defines = name != "impl-trait"
			case defines && t.kind == word:
				if _, twice := at[name]; !twice {
					at[name] = i
				}
				defines = false
			}
		}
	}
	return at
}
