package abi

import (
	"encoding/json"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
)

// types are types as a node and as an author writes them.
var types = map[string]string{
	`"uint128"`:                     "uint",
	`"int128"`:                      "int",
	`"bool"`:                        "bool",
	`"principal"`:                   "principal",
	`"trait_reference"`:             "<trait>",
	`{"buffer":{"length":34}}`:      "(buff 34)",
	`{"string-ascii":{"length":5}}`: "(string-ascii 5)",
	`{"string-utf8":{"length":9}}`:  "(string-utf8 9)",
	`{"optional":"principal"}`:      "(optional principal)",
	`{"response":{"ok":{"optional":"bool"},"error":"none"}}`:                                            "(response (optional bool) none)",
	`{"list":{"type":"uint128","length":3}}`:                                                            "(list 3 uint)",
	`{"tuple":[{"name":"a","type":"uint128"},{"name":"b","type":{"list":{"type":"bool","length":2}}}]}`: "{ a: uint, b: (list 2 bool) }",
}

func TestTypesAreWrittenAsAuthorsDo(t *testing.T) {
	for raw, want := range types {
		if got := typeFrom(t, raw).String(); got != want {
			t.Errorf("%s is %s, not %s", raw, got, want)
		}
	}
}

func typeFrom(t testing.TB, raw string) (of Type) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &of); err != nil {
		t.Fatal(err)
	}
	return of
}

const (
	someone = "SP000000000000000000002Q6VF78"
	quoted  = "'" + someone
)

// A value can be typed without its marks where the type says what it is.
func TestValuesAreReadByTheirTypes(t *testing.T) {
	const listOfUInts = `{"list":{"type":"uint128","length":2}}`
	const pair = `{"tuple":[{"name":"a","type":"uint128"},{"name":"b","type":{"string-utf8":{"length":9}}}]}`
	for _, c := range []struct{ of, typed, want string }{
		{`"uint128"`, "5", "u5"},
		{`"uint128"`, "u5", "u5"},
		{`"int128"`, "-5", "-5"},
		{`"principal"`, someone, quoted},
		{`"principal"`, quoted + ".token", quoted + ".token"},
		{`"trait_reference"`, someone + ".token", quoted + ".token"},
		{`{"string-ascii":{"length":9}}`, "hi there", `"hi there"`},
		{`{"string-ascii":{"length":9}}`, `"hi"`, `"hi"`},
		{`{"string-ascii":{"length":9}}`, "5", `"5"`},
		{`{"string-utf8":{"length":2}}`, "éé", `u"éé"`},
		{`{"optional":"uint128"}`, "5", "(some u5)"},
		{`{"optional":"uint128"}`, "(some 5)", "(some u5)"},
		{`{"optional":"uint128"}`, "none", "none"},
		{`{"optional":{"buffer":{"length":2}}}`, "0x00ff", "(some 0x00ff)"},
		{listOfUInts, "(list 1 u2)", "(list u1 u2)"},
		{pair, `{ a: 1, b: "x" }`, `{ a: u1, b: u"x" }`},
		{`{"response":{"ok":"uint128","error":"bool"}}`, "(err true)", "(err true)"},
		{`"none"`, "(list)", "(list)"},
	} {
		v, err := typeFrom(t, c.of).Read(c.typed)
		if err != nil {
			t.Errorf("%s as %s: %v", c.typed, c.of, err)
		} else if got := clarity.Repr(v); got != c.want {
			t.Errorf("%s as %s is %s, not %s", c.typed, c.of, got, c.want)
		}
	}
}

// An error names what is wrong, where, and what would be right.
func TestErrorsTeach(t *testing.T) {
	const pair = `{"tuple":[{"name":"a","type":"uint128"},{"name":"b","type":"bool"}]}`
	for _, c := range []struct{ of, typed, want string }{
		{`"uint128"`, "-5", "a uint"},
		{`"uint128"`, "abc", "abc is not a uint; write u5"},
		{`"uint128"`, "340282366920938463463374607431768211456", "2^128-1"},
		{`"bool"`, "1", "wants a bool, such as true; 1 is int"},
		{`"principal"`, "SP1", "is not a principal; write 'SP"},
		{`{"buffer":{"length":1}}`, "0x0001", "has 2 bytes, at most 1"},
		{`{"buffer":{"length":4}}`, "beef", "write 0x00ff"},
		{`{"string-ascii":{"length":3}}`, "long", "has 4 characters, at most 3"},
		{`{"list":{"type":"uint128","length":1}}`, "(list u1 u2)", "has 2 items, at most 1"},
		{`{"list":{"type":"uint128","length":3}}`, "(list u1 true)", "[1] wants a uint"},
		{pair, "{ a: u1 }", "lacks the entry b, a bool"},
		{pair, "{ a: u1, c: true }", "has no entry c; its entries are a, b"},
		{pair, "{ a: true, b: true }", "a wants a uint"},
		{`"trait_reference"`, "u1", "a contract"},
	} {
		v, err := typeFrom(t, c.of).Read(c.typed)
		if err == nil {
			t.Errorf("%s as %s was taken: %s", c.typed, c.of, clarity.Repr(v))
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %q does not say %q", c.typed, c.of, err, c.want)
		}
	}
}

const small = `{"functions":[
	{"name":"get-balance","access":"read_only","args":[{"name":"who","type":"principal"}],"outputs":{"type":{"response":{"ok":"uint128","error":"none"}}}},
	{"name":7},
	{"name":"secret","access":"private","args":[],"outputs":{"type":"bool"}}],
	"variables":[{"name":"last","access":"variable","type":"uint128"}],"maps":[{"name":"notes","key":"principal","value":"bool"}],
	"fungible_tokens":[{"name":"coin"}],"non_fungible_tokens":[{"name":"ticket","type":"uint128"}],"epoch":"Epoch30","clarity_version":7}`

func TestAnInterfaceIsRead(t *testing.T) {
	face, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	f, there := face.Function("get-balance")
	if !there || f.Signature() != "(get-balance (who principal)) (response uint none)" {
		t.Fatalf("%v", face.Functions)
	}
	if len(face.Functions) != 2 || len(face.Callable(ReadOnly, Public)) != 1 || face.Epoch != "Epoch30" || face.ClarityVersion != "" {
		t.Errorf("%+v", face)
	}
	if _, there := face.Variable("last"); !there {
		t.Error("the variable is missing")
	}
	if _, there := face.Map("notes"); !there {
		t.Error("the map is missing")
	}
	if _, err := f.Arguments(nil); err == nil || !strings.Contains(err.Error(), "takes 1 argument, not 0: (get-balance (who principal))") {
		t.Error(err)
	}
	if _, err := f.Arguments([]string{"u1"}); err == nil || !strings.Contains(err.Error(), "argument 1 (who principal): wants a principal") {
		t.Error(err)
	}
	if values, err := f.Arguments([]string{someone}); err != nil || len(values) != 1 {
		t.Error(err)
	}
	for _, bad := range []string{"", "[]", `"x"`, "{", `{"functions":1}`} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q is an interface", bad)
		}
	}
}

// An interface that lies is bounded: a type that nests for ever, lengths that no value has.
func TestAnInterfaceThatLies(t *testing.T) {
	deep := strings.Repeat(`{"optional":`, 5000) + `"bool"` + strings.Repeat("}", 5000)
	of := typeFrom(t, deep)
	levels := 0
	for at := &of; at.Kind == Optional; at = &at.Of[0] {
		levels++
	}
	if levels > clarity.MaxDepth || len(of.String()) > 1000 {
		t.Errorf("%d levels, written in %d bytes", levels, len(of.String()))
	}
	for _, raw := range []string{`{"buffer":{"length":-1}}`, `{"buffer":{}}`, `{"list":{"length":3}}`, `{"tuple":{}}`, `7`, `null`, `{"a":1,"b":2}`, `{"list":{"type":"bool","length":1e99}}`} {
		of := typeFrom(t, raw)
		if of.Kind == List {
			of = of.Of[0]
		}
		if of.Kind != Unknown {
			t.Errorf("%s is %s", raw, of)
		}
		if _, err := of.Read("u1"); err != nil {
			t.Errorf("%s takes nothing: %v", raw, err)
		}
	}
}

// What is read of any text is a value of the type, and its literal is read as the same.
func FuzzRead(f *testing.F) {
	for raw := range types {
		for _, typed := range []string{"5", "u5", someone, `(some "x")`, "(list u1)", "{ a: u1, b: (list true) }", "none"} {
			f.Add(raw, typed)
		}
	}
	f.Fuzz(func(t *testing.T, raw, typed string) {
		if !json.Valid([]byte(raw)) {
			return
		}
		of := typeFrom(t, raw)
		_ = of.String()
		_ = of.Example()
		v, err := of.Read(typed)
		if err != nil {
			return
		}
		again, err := of.Convert(v)
		if err != nil || clarity.Repr(again) != clarity.Repr(v) {
			t.Fatalf("%q as %s is %s, which is taken as %v (%v)", typed, of, clarity.Repr(v), again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		face, err := Parse(raw)
		if err != nil {
			return
		}
		for i := range face.Functions {
			_ = face.Functions[i].Signature()
			_, _ = face.Functions[i].Arguments([]string{"u1"})
		}
	})
}

// What a node writes of an interface is written again as it was read, also where a type is
// not understood.
func TestAnInterfaceIsWrittenAsItWasRead(t *testing.T) {
	const face = `{"functions":[{"name":"f","access":"public","args":[{"name":"a","type":{"list":{"length":5,"type":{"tuple":[{"name":"x","type":{"optional":{"buffer":{"length":4}}}},{"name":"y","type":"trait_reference"}]}}}},` +
		`{"name":"b","type":{"string-ascii":{"length":0}}},{"name":"c","type":{"string-utf8":{"length":9}}},{"name":"d","type":{"strange":[1]}},{"name":"e","type":"odd"},{"name":"g","type":{"tuple":[]}}],"outputs":{"type":{"response":{"error":"none","ok":"bool"}}}}],` +
		`"variables":[{"name":"v","type":"int128","access":"constant"}],"maps":[{"name":"m","key":"principal","value":"uint128"}],"fungible_tokens":[{"name":"coin"}],"non_fungible_tokens":[{"name":"card","type":"uint128"}],"epoch":"Epoch30","clarity_version":"Clarity3"}`
	of, err := Parse([]byte(face))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(of)
	if err != nil || string(raw) != face {
		t.Errorf("%v\n%s\nis not\n%s", err, raw, face)
	}
}
