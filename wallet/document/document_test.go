package document

import (
	"strings"
	"testing"
)

// What is no document is refused in words without those of the decoder.
func TestOneDocumentIsRead(t *testing.T) {
	for text, says := range map[string]string{
		"":                        "",
		"# nothing":               "",
		"- a\n- b\n":              "",
		"a: 1\na: 2\n":            `line 2: mapping key "a" already defined at line 1`,
		"--- []\n--- []\n":        "more than one document; write one list",
		"a: &x [*x]\n":            "anchor 'x' value contains itself",
		"a: [1\n":                 "line 1: did not find expected ',' or ']'",
		"&a a: 1\nb: *a\nc: *d\n": "unknown anchor 'd' referenced",
	} {
		root, err := YAML([]byte(text))
		switch {
		case err != nil && (says == "" || err.Error() != says), err == nil && says != "":
			t.Errorf("%q: %v, want %q", text, err, says)
		case err == nil && (root == nil) != !strings.HasPrefix(text, "-"):
			t.Errorf("%q: %v", text, root)
		}
	}
}

func TestOneJSONValueIsRead(t *testing.T) {
	for text, says := range map[string]string{
		`{"a":1} `:  "",
		`{"b":1}`:   `json: unknown field "b"`,
		`{"a":1}{}`: "more than one JSON value",
		`{"a":1} ]`: "more than one JSON value",
		``:          "EOF",
		`{"a":`:     "unexpected EOF",
	} {
		var into struct{ A int }
		if err := JSON([]byte(text), &into); (err == nil) != (says == "") || err != nil && err.Error() != says {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
}
