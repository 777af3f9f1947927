package jsonrpc

import (
	"encoding/json"
	"regexp"
	"strings"
)

var (
	// misspelled matches Go's error for a word that begins as true, false or null does.
	misspelled = regexp.MustCompile(`in literal (true|false|null) \(expecting '.'\)`)

	syntaxWords = strings.NewReplacer(
		"unexpected end of JSON input", "it ends too early",
		"invalid character ", "",
		"looking for beginning of value", "does not begin a value",
		"looking for beginning of object key string", "where a key in double quotes has to be",
		"after object key:value pair", "where a comma or } has to be",
		"after object key", "where the colon after a key has to be",
		"after array element", "where a comma or ] has to be",
		"after top-level value", "after the end of the value",
		"in string literal", "in a string, where it is written as an escape",
		"in string escape code", "after a backslash in a string",
		`in \u hexadecimal character escape`, `among the four digits after \u`,
		"after decimal point in numeric literal", "after the decimal point of a number",
		"in exponent of numeric literal", "in the exponent of a number",
		"in numeric literal", "in a number",
	)
)

// SyntaxWords returns why a text is not JSON, in words for whoever wrote it. The character that
// it names is quoted as Go writes it, without anything that a terminal obeys.
func SyntaxWords(err *json.SyntaxError) string {
	return syntaxWords.Replace(misspelled.ReplaceAllString(err.Error(), "in the word $1"))
}
