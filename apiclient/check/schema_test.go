package check

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestAValueIsHeldAgainstItsSchema compares values that differ in one way each.
func TestAValueIsHeldAgainstItsSchema(t *testing.T) {
	const document = `{"type":"object","required":["height","hash"],"additionalProperties":false,"properties":{
		"height":{"type":"integer","minimum":0,"maximum":9},"hash":{"type":"string","pattern":"^0x[0-9a-f]+$"},
		"time":{"type":"number"},"rows":{"type":"array","maxItems":2,"items":{"$ref":"#/components/schemas/Row"}},
		"counts":{"type":"object","additionalProperties":{"type":"integer"}},"free":{"type":"object","additionalProperties":true},
		"kind":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"integer"}]}}}`
	var s, row schema
	for text, to := range map[string]*schema{document: &s, `{"type":"object","required":["n"],"properties":{"n":{"type":"boolean"}}}`: &row} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	for value, want := range map[string]string{
		`{"height":1,"hash":"0xab","time":1.5,"rows":[{"n":true,"m":1}],"counts":{"x":1},"free":{"y":[]},"kind":"a"}`: "",
		`{"height":1.0,"hash":"0xab","time":1}`:                                "",
		`[]`:                                                                   "error  is array, the contract says object",
		`{"height":1}`:                                                         "error hash is missing",
		`{"height":"1","hash":"0xab"}`:                                         "error height is string, the contract says integer",
		`{"height":1.5,"hash":"0xab"}`:                                         "error height is number, the contract says integer",
		`{"height":null,"hash":"0xab"}`:                                        "error height is null, the contract says integer",
		`{"height":1,"hash":"0xab","time":null}`:                               "warning time is null where the contract leaves it out",
		`{"height":1,"hash":"0xAB"}`:                                           "warning hash does not match ^0x[0-9a-f]+$",
		`{"height":-1,"hash":"0xab"}`:                                          "warning height is below 0",
		`{"height":10,"hash":"0xab"}`:                                          "warning height is above 9",
		`{"height":1,"hash":"0xab","more":1}`:                                  "warning more is unknown to the contract (integer)",
		`{"height":1,"hash":"0xab","rows":[{"n":1},{"n":2}]}`:                  "error rows[].n is integer, the contract says boolean",
		`{"height":1,"hash":"0xab","rows":[{"n":true},{}]}`:                    "error rows[].n is missing",
		`{"height":1,"hash":"0xab","counts":{"x":"1"}}`:                        "error counts.* is string, the contract says integer",
		`{"height":1,"hash":"0xab","kind":"c"}`:                                "warning kind has a value that the contract does not list",
		`{"height":1,"hash":"0xab","kind":[]}`:                                 "error kind is array, the contract says string",
		`{"height":1e400,"hash":"0xab"}`:                                       "error height is number, the contract says integer",
		`{"height":1,"hash":"0xab","rows":[{"n":true},{"n":true},{"n":true}]}`: "warning rows has 3 elements, the contract allows 2",
	} {
		var got []string
		d := json.NewDecoder(strings.NewReader(value))
		d.UseNumber()
		var decoded any
		if err := d.Decode(&decoded); err != nil {
			t.Fatal(err)
		}
		c := comparison{schemas: map[string]*schema{"Row": &row}}
		c.value(&s, decoded, "")
		for _, f := range c.findings {
			got = append(got, string(f.Severity)+" "+f.Where+" "+f.What)
		}
		if want == "" && got != nil || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
