package text

import "strings"

// FileNamed reports whether what was typed names a file (@FILE), and which.
func FileNamed(s string) (path string, is bool) {
	path, is = strings.CutPrefix(strings.TrimSpace(s), "@")
	if !is || path == "" || strings.ContainsAny(path, "\n\x00") {
		return "", false
	}
	return path, true
}
