package contracts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// faceOf reads a source and returns its interface as JSON.
func faceOf(t testing.TB, text string) string {
	t.Helper()
	id, err := clarity.ParseContract(counter)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(ReadSource(id, text, 0).Interface)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheInterfaceIsReadFromTheText(t *testing.T) {
	for name, c := range map[string]struct{ text, part, want string }{
		"arguments": {
			`(define-public (f (a uint) (b int) (c bool) (d principal) (e (buff 34)) (f (string-ascii 9)) (g (string-utf8 5)) (h <tok>)) (ok true))`, "functions",
			`[{"name":"f","access":"public","args":[{"name":"a","type":"uint128"},{"name":"b","type":"int128"},{"name":"c","type":"bool"},{"name":"d","type":"principal"},
			{"name":"e","type":{"buffer":{"length":34}}},{"name":"f","type":{"string-ascii":{"length":9}}},{"name":"g","type":{"string-utf8":{"length":5}}},{"name":"h","type":"trait_reference"}],
			"outputs":{"type":{"response":{"ok":"bool","error":"none"}}}}]`,
		},
		"nested types": {
			`(define-read-only (f (a (optional (list 3 uint))) (b (response uint (buff 1))) (c {x: uint, y: (optional int)}) (d (tuple (z bool)))) u1)`, "functions",
			`[{"name":"f","access":"read_only","args":[{"name":"a","type":{"optional":{"list":{"length":3,"type":"uint128"}}}},
			{"name":"b","type":{"response":{"ok":"uint128","error":{"buffer":{"length":1}}}}},
			{"name":"c","type":{"tuple":[{"name":"x","type":"uint128"},{"name":"y","type":{"optional":"int128"}}]}},{"name":"d","type":{"tuple":[{"name":"z","type":"bool"}]}}],
			"outputs":{"type":"uint128"}}]`,
		},
		"what a body answers": {
			`(define-data-var n uint u0) (define-map m principal {a: uint}) (define-constant E (err u4)) (define-fungible-token t)
			(define-private (half (x uint)) (/ x u2))
			(define-read-only (a) (default-to {a: u1} (map-get? m tx-sender)))
			(define-read-only (b) (get a (unwrap-panic (map-get? m tx-sender))))
			(define-public (c) (begin (asserts! (> (var-get n) u1) E) (try! (ft-mint? t u1 tx-sender)) (ok (half (var-get n)))))
			(define-read-only (d) (let ((x (some "abc"))) (if true x none)))
			(define-read-only (e) (list 1 2 3))`, "functions",
			`[{"name":"half","access":"private","args":[{"name":"x","type":"uint128"}],"outputs":{"type":"uint128"}},
			{"name":"a","access":"read_only","args":[],"outputs":{"type":{"tuple":[{"name":"a","type":"uint128"}]}}},
			{"name":"b","access":"read_only","args":[],"outputs":{"type":"uint128"}},
			{"name":"c","access":"public","args":[],"outputs":{"type":{"response":{"ok":"uint128","error":"uint128"}}}},
			{"name":"d","access":"read_only","args":[],"outputs":{"type":{"optional":{"string-ascii":{"length":3}}}}},
			{"name":"e","access":"read_only","args":[],"outputs":{"type":{"list":{"length":3,"type":"int128"}}}}]`,
		},
		"variables": {
			`(define-constant a 0x0102) (define-data-var b (optional principal) none)`, "variables",
			`[{"name":"a","type":{"buffer":{"length":2}},"access":"constant"},{"name":"b","type":{"optional":"principal"},"access":"variable"}]`,
		},
		"maps in both forms": {
			`(define-map a uint bool) (define-map b ((k uint)) ((v bool)))`, "maps",
			`[{"name":"a","key":"uint128","value":"bool"},{"name":"b","key":{"tuple":[{"name":"k","type":"uint128"}]},"value":{"tuple":[{"name":"v","type":"bool"}]}}]`,
		},
		"tokens":                    {`(define-fungible-token a) (define-fungible-token b u5)`, "fungible_tokens", `[{"name":"a"},{"name":"b"}]`},
		"tokens with a name":        {`(define-non-fungible-token c {x: uint})`, "non_fungible_tokens", `[{"name":"c","type":{"tuple":[{"name":"x","type":"uint128"}]}}]`},
		"a string with a bracket":   {`(define-constant a "(define-constant b u1)") ;; (define-constant c u1)`, "variables", `[{"name":"a","type":{"string-ascii":{"length":22}},"access":"constant"}]`},
		"a bracket without its end": {`(define-fungible-token a) (define-public (f`, "fungible_tokens", `[{"name":"a"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			var face map[string]any
			var want any
			if err := json.Unmarshal([]byte(faceOf(t, c.text)), &face); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, face[c.part]); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestWhatAFunctionWritesIsFoundThroughItsCalls(t *testing.T) {
	id, _ := clarity.ParseContract(counter)
	s := ReadSource(id, `(define-data-var n uint u0) (define-private (up) (var-set n u1)) (define-public (a) (begin (up) (ok true))) (define-public (b) (ok (var-get n)))`, 0)
	for name, want := range map[string]bool{"a": true, "b": false} {
		if _, ok := s.Function(name); !ok || s.Writes(name) != want {
			t.Errorf("%s writes: want %v", name, want)
		}
	}
}

func TestWhatAContractHoldsIsGivenAsLiterals(t *testing.T) {
	b := mustAdd(t, Book{}, `{"contract":"`+counter+`","maps":{"m":[{"key":"u1","value":"\"a\""},{"key":"u2","value":"\"b\""}]},
		"vars":{"v":"u5"},"constants":{"c":"(err u1)"},"source":"(define-data-var v uint u0)"}`)
	id, _ := clarity.ParseContract(counter)
	if got := repr(b.MapEntry(id, "m", clarity.NewUInt(2))); got != `"b"` {
		t.Errorf("map: %s", got)
	}
	if got := repr(b.MapEntry(id, "m", clarity.NewUInt(3))); got != "unknown" {
		t.Errorf("another key: %s", got)
	}
	if got := repr(b.Value(id, "v", abi.Mutable)) + repr(b.Value(id, "c", abi.Constant)) + repr(b.Value(id, "c", abi.Mutable)); got != "u5(err u1)unknown" {
		t.Errorf("values: %s", got)
	}
	if text, ok := b.Source(id); !ok || !strings.HasPrefix(text, "(define") {
		t.Errorf("source: %q", text)
	}
	face := b.Interface(id)
	if len(face.Maps) != 1 || len(face.Variables) != 2 {
		t.Errorf("%+v", face)
	}
	for text, says := range map[string]string{
		`"maps":{"m":{"value":"u1"}}`:           `maps/m: no "key"`,
		`"maps":{"m":{"key":"u1"}}`:             `maps/m: no "value"`,
		`"maps":{"m":{"key":"(","value":"u1"}}`: `maps/m/key: "("`,
		`"vars":{"v":"("}`:                      `vars/v: "("`,
		`"maps":{"m":{"key":"u1","extra":"x"}}`: `unknown field "extra"`,
	} {
		e, err := ParseJSON([]byte(`{"contract":"` + counter + `",` + text + `}`))
		if err == nil {
			_, err = Book{}.Add(e)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want it to say %s", text, err, says)
		}
	}
}

func TestATypeThatDoublesIsGivenUp(t *testing.T) {
	text := "(define-constant a0 {x: u1})"
	for i := range 60 {
		text += fmt.Sprintf("(define-constant a%d {x: a%d, y: a%d})", i+1, i, i)
	}
	if face := faceOf(t, text); len(face) > 1<<20 {
		t.Errorf("%d bytes", len(face))
	}
}

func FuzzReadSource(f *testing.F) {
	f.Add(`(define-public (f (a uint)) (let ((x {a: u1, b: "}"})) (ok (get a x)))) ;; end`)
	f.Add(`{{{(((u"\"`)
	f.Add(`(define-map a ((b uint)) (define-constant c (list`)
	f.Fuzz(func(t *testing.T, text string) {
		if face := faceOf(t, text); !json.Valid([]byte(face)) {
			t.Errorf("%q", face)
		}
	})
}
