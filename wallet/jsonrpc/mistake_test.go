package jsonrpc

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestWhatIsNoJSONIsSaidWithoutTheWordsOfGo(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1`:      "it ends too early",
		`hello`:       "'h' does not begin a value",
		`{"a":1} x`:   "'x' after the end of the value",
		`{a:1}`:       "'a' where a key in double quotes has to be",
		`{"a" 1}`:     "'1' where the colon after a key has to be",
		`{"a":1 "b"}`: `'"' where a comma or } has to be`,
		`[1 2]`:       "'2' where a comma or ] has to be",
		"\"a\nb\"":    `'\n' in a string, where it is written as an escape`,
		`"\q"`:        "'q' after a backslash in a string",
		`"\u12x4"`:    `'x' among the four digits after \u`,
		`[1.x]`:       "'x' after the decimal point of a number",
		`[1ex]`:       "'x' in the exponent of a number",
		`[-x]`:        "'x' in a number",
		`[trve]`:      "'v' in the word true",
		"\x1b[31m":    `'\x1b' does not begin a value`,
	} {
		var value any
		err, is := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), &value))
		if !is {
			t.Errorf("%s is JSON", text)
		} else if got := SyntaxWords(err); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
