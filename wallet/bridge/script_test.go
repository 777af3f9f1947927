package bridge

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *Script {
	t.Helper()
	s, err := ParseScript([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRulesAnswerInOrderAndAreUsedUp(t *testing.T) {
	s := parse(t, `
- expect: getAddresses
  answer: approve
- expect: stx_transferStx
  with: {amount: 1500000, network: testnet}
  origin: http://localhost:3000
  answer: reject
  times: 2
- expect: "*"
  answer: {delay: 2s, then: {error: {code: -32000, message: no}}}
  times: any
`)
	call := func(method, origin, params string) ScriptAnswer {
		t.Helper()
		answer, ok := s.Match(Call{Method: method, Origin: origin, Params: json.RawMessage(params)})
		if !ok {
			t.Fatalf("%s: no rule fits", method)
		}
		return answer
	}
	last := ScriptAnswer{Rule: 3, Kind: ScriptError, Delay: 2 * time.Second, Code: -32000, Message: "no"}
	for _, c := range []struct {
		method, origin, params string
		want                   ScriptAnswer
	}{
		{"getAddresses", page, "", ScriptAnswer{Rule: 1, Kind: ScriptApprove}},
		{"getAddresses", page, "", last},
		{"stx_transferStx", page, `{"amount":"1500000","network":"testnet","memo":"x"}`, ScriptAnswer{Rule: 2, Kind: ScriptReject}},
		{"stx_transferStx", "http://localhost:1", `{"amount":"1500000","network":"testnet"}`, last},
		{"stx_transferStx", page, `{"amount":"1500001","network":"testnet"}`, last},
		{"stx_transferStx", page, `{"amount":1500000,"network":"testnet"}`, ScriptAnswer{Rule: 2, Kind: ScriptReject}},
		{"stx_transferStx", page, `{"amount":"1500000","network":"testnet"}`, last},
	} {
		if diff := cmp.Diff(c.want, call(c.method, c.origin, c.params)); diff != "" {
			t.Errorf("%s %s: %s", c.method, c.params, diff)
		}
	}
	if missed := s.Verdict().Lines(); len(missed) != 0 {
		t.Errorf("missed %v", missed)
	}
}

func TestWhatWasMissedIsReported(t *testing.T) {
	s := parse(t, "- expect: signPsbt\n  answer: approve\n- expect: sendTransfer\n  answer: approve\n  times: any\n")
	other := Call{Method: "other", Origin: page, Params: json.RawMessage(`{"a":1}`)}
	if _, ok := s.Match(other); ok {
		t.Error("a rule fits")
	}
	s.Unexpected(other)
	want := []string{
		"expected signPsbt but it was never called (script line 1, 0 of 1)",
		`unexpected call: other from http://localhost:3000 with {"a":1}`,
	}
	if diff := cmp.Diff(want, s.Verdict().Lines()); diff != "" {
		t.Error(diff)
	}
}

func TestMatches(t *testing.T) {
	for name, c := range map[string]struct {
		with, params string
		want         bool
	}{
		"a subset of the keys":                      {"{a: 1}", `{"a":1,"b":2}`, true},
		"a missing key":                             {"{a: 1}", `{"b":2}`, false},
		"an integer equals its decimal string":      {"{a: 1}", `{"a":"1"}`, true},
		"a decimal string equals the integer":       {`{a: "1"}`, `{"a":1}`, true},
		"integers keep all their digits":            {"{a: 340282366920938463463374607431768211455}", `{"a":"340282366920938463463374607431768211454"}`, false},
		"large integers match":                      {"{a: 340282366920938463463374607431768211455}", `{"a":"340282366920938463463374607431768211455"}`, true},
		"a leading zero is no integer":              {`{a: "01"}`, `{"a":1}`, false},
		"arrays match by position":                  {"{a: [1, 2]}", `{"a":[1,2]}`, true},
		"arrays of another length do not":           {"{a: [1]}", `{"a":[1,2]}`, false},
		"objects in arrays match by key":            {"{a: [{b: x}]}", `{"a":[{"b":"x","c":1}]}`, true},
		"a Clarity literal equals its hex":          {"{functionArgs: [u1]}", `{"functionArgs":["0x0100000000000000000000000000000001"]}`, true},
		"another Clarity literal does not":          {"{functionArgs: [u2]}", `{"functionArgs":["0x0100000000000000000000000000000001"]}`, false},
		"true is not its word":                      {"{a: true}", `{"a":"true"}`, false},
		"null matches null":                         {"{a: null}", `{"a":null}`, true},
		"null does not match an absent key":         {"{a: null}", `{}`, false},
		"a word is no number":                       {"{a: x}", `{"a":1}`, false},
		"an empty mapping fits any params":          {"{}", `{"a":1}`, true},
		"params that were not sent hold no mapping": {"{}", ``, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := parse(t, "- expect: m\n  answer: approve\n  with: "+c.with+"\n")
			if _, ok := s.Match(Call{Method: "m", Params: json.RawMessage(c.params)}); ok != c.want {
				t.Errorf("got %v", ok)
			}
		})
	}
}

func TestAWrongScriptSaysWhereAndWhatIsWanted(t *testing.T) {
	for text, want := range map[string]string{
		"expect: x":                    "line 1: a list of rules is wanted",
		"- answer: approve":            "line 1: a rule needs expect",
		"- expect: x":                  "line 1: a rule needs answer",
		"- expect: x\n  answer: maybe": "line 2: answer: approve, reject",
		"- expect: x\n  answer: approve\n  times: 0":          "line 3: times: a number from 1, or any",
		"- expect: x\n  answer: approve\n  tims: 1":           `line 3: unknown key "tims"`,
		"- expect: x\n  answer: approve\n  answer: reject":    `line 3: mapping key "answer" already defined at line 2`,
		"- expect: x\n  answer: approve\n  with: &a {b: *a}":  "anchor 'a' value contains itself",
		"- expect: x\n  answer: approve\n  with: {<<: 1}":     "merge requires map",
		"- expect: x\n  answer: {delay: soon, then: approve}": "line 2: delay: a duration",
		"- expect: x\n  answer: {delay: -1s, then: approve}":  "line 2: delay: a duration",
		"- expect: x\n  answer: {error: {message: no}}":       "line 2: an error needs code",
		"- expect: x\n  answer: approve\n  with: [1]":         "line 3: with: a mapping",
		"- expect: x\n  answer: approve\n  origin: localhost": "line 3: origin:",
		"- expect: [": "script: ",
		"- expect: x\n  answer: {result: 1, error: {code: 1}}": "line 2: answer:",
	} {
		_, err := ParseScript([]byte(text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"", "# nothing\n", "[]"} {
		if _, err := ParseScript([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAScriptCanShareWhatRulesHaveInCommon(t *testing.T) {
	s, err := ParseScript([]byte(`
- expect: &method stx_transferStx
  with: &params {amount: 5, network: testnet}
  answer: &yes {result: 1}
- expect: *method
  with: {<<: *params, amount: 6}
  answer: *yes
`))
	if err != nil {
		t.Fatal(err)
	}
	for params, fits := range map[string]bool{`{"amount":6,"network":"mainnet"}`: false, `{"amount":6,"network":"testnet"}`: true, `{"amount":5,"network":"testnet"}`: true} {
		if answer, ok := s.Match(Call{Method: "stx_transferStx", Params: []byte(params)}); ok != fits || ok && string(answer.Result) != "1" {
			t.Errorf("%s: %v %s", params, ok, answer.Result)
		}
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add([]byte("- expect: x\n  answer: {delay: 1s, then: {result: {a: [u1]}}}\n  with: {a: 1}\n"), []byte(`{"a":"1"}`))
	f.Fuzz(func(t *testing.T, text, params []byte) {
		if len(text) > 4096 {
			return
		}
		s, err := ParseScript(text)
		if err != nil {
			return
		}
		call := Call{Method: "x", Params: params}
		if _, fits := s.Match(call); !fits {
			s.Unexpected(call)
		}
		s.Verdict().Lines()
	})
}
