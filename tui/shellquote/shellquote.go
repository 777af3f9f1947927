// Package shellquote writes commands that can be pasted into a POSIX shell. It is
// pure and imports nothing of the project.
package shellquote

import "strings"

// Word quotes a word where a shell would read it otherwise.
func Word(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func plain(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune("-_.:/@%+=,", r)
}

// Command quotes the words of a command.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return strings.Join(quoted, " ")
}
