package document

import (
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
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

// What an alias refers to and what is merged count as written; a mapping keeps the order of its text.
func TestAliasesAndMergesAreWrittenOut(t *testing.T) {
	const text = `
z: &base {b: 5, a: [x, ~]}
y: *base
x:
  <<: *base
  b: 6
`
	root, err := YAML([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	fields, ok := Fields(root)
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	if !ok || strings.Join(names, "") != "zyx" {
		t.Errorf("fields %v, %v", names, ok)
	}
	value, err := Value(root, func(node *yaml.Node) (any, error) { return node.Tag + " " + node.Value, nil })
	base := map[string]any{"b": "!!int 5", "a": []any{"!!str x", "!!null ~"}}
	want := map[string]any{"z": base, "y": base, "x": map[string]any{"b": "!!int 6", "a": base["a"]}}
	if err != nil || !reflect.DeepEqual(value, want) {
		t.Errorf("%v, %v; want %v", value, err, want)
	}
	if _, ok := Fields(fields[0].Value.Content[0]); ok {
		t.Error("a text is no mapping")
	}
	if _, err := YAML([]byte("? [a]\n: 1\n")); err == nil {
		t.Error("a list is no name of a field")
	}
}
