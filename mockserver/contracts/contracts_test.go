package contracts

import (
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

const counter = "SP000000000000000000002Q6VF78.counter"

func mustEntry(t testing.TB, text string) Entry {
	t.Helper()
	e, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func mustAdd(t testing.TB, b Book, text string) Book {
	t.Helper()
	b, err := b.Add(mustEntry(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func values(t testing.TB, literals ...string) (out []clarity.Value) {
	t.Helper()
	for _, text := range literals {
		v, err := clarity.ParseLiteral(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// called returns the result of a call by nobody in particular.
func called(b Book, of clarity.Principal, name string, args []clarity.Value) (clarity.Value, bool) {
	c, known, err := b.Call(Caller{ContractCall: stxtx.ContractCall{Contract: of, Function: name, Args: args}})
	return c.Result, known && err == nil
}

func repr(v clarity.Value, ok bool) string {
	if !ok {
		return "unknown"
	}
	return clarity.Repr(v)
}

func TestAnswers(t *testing.T) {
	of, err := clarity.ParsePrincipal(counter)
	if err != nil {
		t.Fatal(err)
	}
	first := mustAdd(t, Book{}, `{"contract":"`+counter+`","reads":{
		"get":[{"args":["u1"],"result":"(ok u5)"},{"args":["u2","none"],"result":"(some 0x01)"},{"result":"u0"}],
		"only":{"args":[],"result":"true"}},"calls":{"get":{"result":"(err u404)"}}}`)
	second := mustAdd(t, first, `{"contract":"`+counter+`","reads":{"get":{"args":["u1"],"result":"(ok u6)"},"more":{"result":"{ a: u1 }"}}}`)
	for _, c := range []struct {
		book Book
		name string
		args []string
		want string
	}{
		{first, "get", []string{"u1"}, "(ok u5)"},
		{second, "get", []string{"u1"}, "(ok u6)"},
		{second, "get", []string{"u2", "none"}, "(some 0x01)"},
		{second, "get", []string{"u2"}, "u0"},
		{second, "get", []string{"1"}, "u0"},
		{second, "only", nil, "true"},
		{second, "only", []string{"u1"}, "unknown"},
		{first, "more", nil, "unknown"},
		{second, "more", nil, "(tuple (a u1))"},
		{second, "nope", nil, "unknown"},
		{Book{}, "get", nil, "unknown"},
	} {
		if got := repr(c.book.Read(of, c.name, values(t, c.args...))); got != c.want && strings.ReplaceAll(got, "{ a: u1 }", "(tuple (a u1))") != c.want {
			t.Errorf("%s %v: %s, want %s", c.name, c.args, got, c.want)
		}
	}
	if got := repr(called(second, of, "get", values(t, "u1"))); got != "(err u404)" {
		t.Errorf("the call results in %s", got)
	}
	if !second.Has(of, "") || !second.Has(of, "more") || second.Has(of, "nope") || first.Has(of, "more") {
		t.Error("Has is wrong")
	}
	other := of
	other.Contract = "other"
	if second.Has(other, "") {
		t.Error("another contract is known")
	}
	if first.Len() != 5 || second.Len() != 6 {
		t.Errorf("%d and %d answers", first.Len(), second.Len())
	}
}

func TestYAMLNeedsNoQuotesForPlainLiterals(t *testing.T) {
	book, err := ParseYAML([]byte(`
# two contracts
- contract: ` + counter + `
  reads:
    count: {args: [], result: 5}
    on: {result: true}
    owner:
      - {args: [u1], result: (some 'SP000000000000000000002Q6VF78)}
      - result: none
    bytes: {result: 0x0102}
- contract: ` + counter + `2
  calls:
    add: {args: [u1, u2], result: (ok u3)}
`))
	if err != nil {
		t.Fatal(err)
	}
	of, _ := clarity.ParsePrincipal(counter)
	for name, want := range map[string]string{"count": "5", "on": "true", "owner": "none", "bytes": "0x0102"} {
		if got := repr(book.Read(of, name, nil)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	of.Contract = "counter2"
	if got := repr(called(book, of, "add", values(t, "u1", "u2"))); got != "(ok u3)" {
		t.Errorf("add: %s", got)
	}
	for _, empty := range []string{"", "# nothing\n", "[]"} {
		if book, err := ParseYAML([]byte(empty)); err != nil || book.Len() != 0 {
			t.Errorf("%q: %d answers, %v", empty, book.Len(), err)
		}
	}
}

func TestContractsCanShareWhatTheyAnswer(t *testing.T) {
	book, err := ParseYAML([]byte(`
- contract: ` + counter + `
  reads: &common
    count: &five {args: [], result: 5}
    again: *five
- contract: ` + counter + `2
  reads:
    <<: *common
    count: {args: [], result: 6}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{"counter", "count", "5"}, {"counter", "again", "5"}, {"counter2", "count", "6"}, {"counter2", "again", "5"}} {
		of, _ := clarity.ParsePrincipal(counter)
		of.Contract = c[0]
		if got := repr(book.Read(of, c[1], nil)); got != c[2] {
			t.Errorf("%s of %s: %s", c[1], c[0], got)
		}
	}
}

func TestEntriesThatAreRefusedSayWhereAndWhatWouldBeRight(t *testing.T) {
	of := `"contract":"` + counter + `"`
	for text, says := range map[string]string{
		`{}`: "ADDRESS.NAME",
		`[]`: Example,
		`{"contract":"SP000000000000000000002Q6VF78"}`:                                 "has no contract name",
		`{"contract":"SP000000000000000000002Q6VF79.x","reads":{"f":{"result":"u1"}}}`: "SP000000000000000000002Q6VF79.x",
		`{` + of + `}`:                                                  `"reads" or "calls"`,
		`{` + of + `,"read":{}}`:                                        `unknown field "read"`,
		`{` + of + `,"reads":{"f":{}}}`:                                 `reads/f: no "result"`,
		`{` + of + `,"reads":{"f":{"arg":[],"result":"u1"}}}`:           `unknown field "arg"`,
		`{` + of + `,"reads":{"f":{"result":"u"}}}`:                     `reads/f/result: "u" is no Clarity literal`,
		`{` + of + `,"reads":{"f":{"args":["u1","("],"result":"u1"}}}`:  `reads/f/args/1: "(" is no Clarity literal`,
		`{` + of + `,"reads":{"f":[{"result":"u1"},{"result":"x y"}]}}`: `reads/f/1/result`,
		`{` + of + `,"calls":{"f":{"result":"u1"}}}`:                    "(ok …) or (err …)",
		`{` + of + `,"reads":{"f g":{"result":"u1"}}}`:                  "reads/f g",
		`{` + of + `,"reads":{"f":{"result":5}}}`:                       "Example",
	} {
		e, err := ParseJSON([]byte(text))
		if err == nil {
			_, err = Book{}.Add(e)
		}
		if err == nil || !strings.Contains(err.Error(), strings.Replace(says, "Example", Example, 1)) {
			t.Errorf("%s: got %v, want it to say %s", text, err, says)
		}
	}
	for text, says := range map[string]string{
		"- contract: x\n": "line 1, column 3:",
		"\n\n- contract: " + counter + "\n  reads: {f: {}}\n":                                                                             "line 4, column 14: reads/f",
		"- contract: " + counter + "\n  reads:\n    f:\n      - {args: [u1], result: u1}\n      - args: [u2, 'zz']\n        result: u1\n": `line 5, column 20: reads/f/1/args/1: "zz"`,
		"- contract: " + counter + "\n  calls: &c\n    f: {result: (ok u1}\n- contract: " + counter + "2\n  calls: *c\n":                  "line 3, column 17: calls/f/result",
		"a: b: c":          "mapping values",
		"--- []\n--- []\n": "more than one document",
		"x":                Example,
		"- contract: " + counter + "\n  vars: {a: 1}\n  vars: {b: 1}\n": `line 3: mapping key "vars" already defined at line 2`,
		"- contract: " + counter + "\n  vars: {a: 1, a: 2}\n":           `mapping key "a" already defined`,
		"- contract: " + counter + "\n  vars: &v {a: *v}\n":             "anchor 'v' value contains itself",
	} {
		if _, err := ParseYAML([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want it to say %s", text, err, says)
		}
	}
}

func TestABookIsBounded(t *testing.T) {
	e := Entry{Contract: counter, Reads: map[string]Answers{}}
	result := "u1"
	for i := range maxAnswers + 1 {
		args := []string{"u" + strings.Repeat("1", i%30+1) + "0", "u" + strings.Repeat("2", i/30%30+1), "u" + strings.Repeat("3", i/900%30+1)}
		e.Reads["f"] = append(e.Reads["f"], Answer{Args: &args, Result: &result})
	}
	if _, err := (Book{}).Add(e); err == nil || !strings.Contains(err.Error(), "at most 10000") {
		t.Errorf("%d answers: %v", maxAnswers+1, err)
	}
}

func FuzzContractsYAML(f *testing.F) {
	f.Add([]byte("- contract: " + counter + "\n  reads:\n    f: {args: [u1], result: (ok u5)}\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte(Example))
	f.Fuzz(func(t *testing.T, data []byte) {
		book, err := ParseYAML(data)
		if err == nil && book.Len() > maxAnswers {
			t.Errorf("%d answers", book.Len())
		}
	})
}

func FuzzContractsJSON(f *testing.F) {
	f.Add([]byte(Example))
	f.Add([]byte(`{"contract":"` + counter + `","calls":{"f":[{"args":null,"result":"(ok none)"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ParseJSON(data)
		if err != nil {
			return
		}
		book, err := Book{}.Add(e)
		if err == nil && book.Len() == 0 {
			t.Errorf("%s adds nothing", data)
		}
	})
}
