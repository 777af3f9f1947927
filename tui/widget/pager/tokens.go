package pager

import "strings"

// tokenKind describes what a token of a source is.
type tokenKind int

const (
	blank       tokenKind = iota
	punctuation           // parentheses, braces, commas, colons
	comment
	quotation // a string, ASCII or UTF-8
	numeral
	principal
	definition // a word that begins a definition
	plainWord
)

// token is a part of a line, in bytes.
type token struct {
	kind     tokenKind
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
		return token{blank, from, from + runOf(line[from:], " \t\r")}
	case strings.HasPrefix(line[from:], ";;"):
		return token{comment, from, len(line)}
	case strings.IndexByte("(){},:", c) >= 0:
		return token{punctuation, from, from + 1}
	case c == '"':
		return token{quotation, from, from + quoted(line[from:])}
	case strings.HasPrefix(line[from:], `u"`):
		return token{quotation, from, from + 1 + quoted(line[from+1:])}
	}
	to := from + 1
	for to < len(line) && strings.IndexByte(" \t\r(){},:;\"", line[to]) < 0 {
		to++
	}
	return token{kindOf(line[from:to]), from, to}
}

func runOf(s, of string) int { return len(s) - len(strings.TrimLeft(s, of)) }

// quoted returns how many bytes a string in quotes has; one without an end reaches to the end
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

func kindOf(s string) tokenKind {
	switch {
	case definitions[s]:
		return definition
	case s[0] == '\'':
		return principal
	case strings.HasPrefix(s, "0x"), strings.Trim(s, "0123456789") == "", len(s) > 1 && strings.Trim(s[1:], "0123456789") == "" && (s[0] == 'u' || s[0] == '-'):
		return numeral
	}
	return plainWord
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
			case defines && t.kind == plainWord:
				if _, twice := at[name]; !twice {
					at[name] = i
				}
				defines = false
			}
		}
	}
	return at
}
