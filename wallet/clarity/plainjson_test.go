package clarity

import (
	"encoding/json"
	"testing"
)

func TestPlainJSON(t *testing.T) {
	for literal, want := range map[string]string{
		"u340282366920938463463374607431768211455": "340282366920938463463374607431768211455",
		"-5":                                 "-5",
		"true":                               "true",
		"none":                               "null",
		"(some u1)":                          "1",
		"(ok true)":                          `{"ok":true}`,
		`(err "no")`:                         `{"err":"no"}`,
		"0x00ff":                             `"0x00ff"`,
		`u"a\"b"`:                            `"a\"b"`,
		"(list u1 u2)":                       "[1,2]",
		"(list)":                             "[]",
		"{ b: u1, a: (list -1) }":            `{"b":1,"a":[-1]}`,
		"'SP000000000000000000002Q6VF78.pox": `"SP000000000000000000002Q6VF78.pox"`,
	} {
		v, err := ParseLiteral(literal)
		if err != nil {
			t.Fatal(err)
		}
		if got := PlainJSON(v); string(got) != want || !json.Valid(got) {
			t.Errorf("%s is %s, not %s", literal, got, want)
		}
	}
}
