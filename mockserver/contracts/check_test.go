package contracts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sources returns contracts that a node takes.
func sources(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/sources/*.clar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sources:", err)
	}
	all := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(text)
	}
	return all
}

func TestContractsThatANodeTakesHaveNoMistake(t *testing.T) {
	for name, text := range sources(t) {
		if m := Check(text); m != nil {
			t.Errorf("%s: %v", name, m)
		}
		if m := Check(strings.ReplaceAll(text, "\n", "\r\n")); m != nil {
			t.Errorf("%s with other ends of lines: %v", name, m)
		}
	}
	for _, text := range []string{"", " ;; nothing", "1", "u1", "(ok 1)", "(print 1)(print 2)", "tx-sender", "{a: 1}", "{}", "'SP000000000000000000002Q6VF78", strings.Repeat("(begin ", 60) + "1" + strings.Repeat(")", 60)} {
		if m := Check(text); m != nil {
			t.Errorf("%q: %v", text, m)
		}
	}
}

func TestMistakesOfATextAreReportedWithTheirPosition(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"never closed", "(define-public (go)\n  (ok true)", "1:1: '(' is never closed; expected ')'"},
		{"closed too often", "(define-public (go) (ok true)))", "1:31: unexpected ')'; nothing that it would close is open"},
		{"closed by another", "(print {a: 1))", "1:13: expected ',' in the tuple"},
		{"a brace closes a list", "(print 1}", "1:9: unexpected '}'; expected ')'"},
		{"prose", "Hello world, this is a contract", "1:12: unexpected ','; it belongs in tuples in braces only"},
		{"plain prose", "Hello world", "1:1: use of unresolved variable 'Hello'"},
		{"prose with an apostrophe", "This isn't one", `1:6: "isn't" is neither a name nor a literal`},
		{"an unknown form", "(ok 1)\n(defun go () 1)", "2:2: use of unresolved function 'defun'"},
		{"a form of another language", "(define-function (go) (ok 1))", "1:2: use of unresolved function 'define-function'"},
		{"a name twice", "(define-public (go) (ok 1))\n(define-read-only (go) 1)", "2:20: 'go' is defined twice"},
		{"a name twice, of two kinds", "(define-constant a 1)\n(define-data-var a int 1)", "2:18: 'a' is defined twice"},
		{"a word of Clarity", "(define-private (map (a int)) a)", "1:18: 'map' is a word of Clarity and cannot be defined"},
		{"an argument twice", "(define-public (go (a uint) (a uint)) (ok a))", "1:30: 'a' is defined twice"},
		{"no body", "(define-public (go))", "1:1: define-public takes 2 elements, and has 1"},
		{"two bodies", "(define-public (go) (print 1) (ok 1))", "1:1: define-public takes 2 elements, and has 3"},
		{"no signature", "(define-public go (ok 1))", "1:16: define-public begins with the name of the function and its arguments, such as (name (amount uint))"},
		{"no name", "(define-public (u1) (ok 1))", "1:17: define-public: a name is expected here"},
		{"an argument without a type", "(define-public (go (a)) (ok 1))", "1:20: a name with its type is expected here, such as (amount uint)"},
		{"no type", "(define-public (go (a unit)) (ok 1))", "1:23: 'unit' is no type"},
		{"a length that is none", "(define-data-var a (buff n) 0x)", "1:20: (buff …) takes a length, such as (buff 20)"},
		{"an unknown trait", "(define-public (go (t <ft>)) (ok 1))", "1:23: use of undeclared trait <ft>"},
		{"a trait that is none", "(impl-trait .other)", "1:13: a trait of a contract is expected here, such as .contract.trait"},
		{"an empty list", "()", "1:1: an empty list is no expression; a list begins with the name of a function"},
		{"a value as a function", "(u1 u2)", "1:2: a list begins with the name of a function"},
		{"a string without an end", "(print \"abc)\n(ok 1)", `1:8: the string is not closed on its line; expected '"'`},
		{"an escape that is none", `(print "a\qb")`, "1:10: unknown escape in a string"},
		{"half a byte", "(print 0xabc)", "1:8: 0xabc is no buffer; it has pairs of hexadecimal digits"},
		{"a number that is none", "(print 12ab)", `1:8: "12ab" is neither a name nor a literal`},
		{"too great a number", "(print u340282366920938463463374607431768211456)", "1:8: u340282366920938463463374607431768211456 has more than 128 bits"},
		{"a principal that is none", "(print 'SP000000000000000000002Q6VF79)", "1:8: 'SP000000000000000000002Q6VF79 is no principal: "},
		{"one semicolon", "; a comment", "1:1: unexpected single ';'; a comment begins with ';;'"},
		{"another alphabet", ";; größer", "1:6: a contract is written in ASCII, its comments too"},
		{"a tuple without a value", "(print {a})", "1:10: expected ':' in the tuple"},
		{"a closing alone", "\n\n  }", "3:3: unexpected '}'; nothing that it would close is open"},
		{"too deep", strings.Repeat("(", 200), "1:129: expressions are nested deeper than 128"},
	} {
		m := Check(tt.text)
		if m == nil || !strings.HasPrefix(m.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, m, tt.want)
		}
	}
}

// A source from which something is missing is another contract, or none: it is never read
// beyond its end, and its mistakes stand in it.
func FuzzCheck(f *testing.F) {
	for _, text := range sources(f) {
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Add("u\"\\u{")
	f.Add("{a:")
	f.Fuzz(func(t *testing.T, text string) {
		m := Check(text)
		if m == nil {
			if again := Check(text + ")"); again == nil && !strings.Contains(text, ";;") {
				t.Errorf("%q has no mistake with one more ) either", text)
			}
			return
		}
		lines := strings.Split(text, "\n")
		if m.Line < 1 || m.Line > len(lines) || m.Column < 1 || m.Column > 1+len(lines[m.Line-1]) || m.Cause == "" {
			t.Errorf("%q: %+v", text, m)
		}
	})
}
