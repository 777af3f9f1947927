package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tracedBy = "ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM"

// treeText returns a tree as text: a line a call with its place and its result, then its events.
func treeText(c *Call, depth int) string {
	short := func(id string) string { return strings.TrimPrefix(id, tracedBy+".") }
	result := c.Result
	if !c.Ended {
		result = "…"
	}
	text := fmt.Sprintf("%s%s.%s(%s) %d:%d %s\n", strings.Repeat(" ", depth), short(c.Contract), c.Function, strings.Join(c.Args, ", "), c.Line, c.Column, result)
	for _, e := range c.Events {
		text += fmt.Sprintf("%s* %d after %d: %s\n", strings.Repeat(" ", depth), e.Number, e.After, e.Text)
	}
	for _, inner := range c.Calls {
		text += treeText(inner, depth+1)
	}
	return text
}

// The traces are those that the virtual machine printed of these contracts. It prints no line for a
// call without arguments of another contract, nor for a call that has one among its arguments, and is a level too
// high after each; the trees are written by hand from the contracts.
func TestTheTreeOfACallIsThatOfTheContracts(t *testing.T) {
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", "trace", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	three := func(at string) string {
		in := strings.Repeat(" ", strings.Index(at, "l"))
		return at + " (ok u2)\n" + in + "* 0 after 2: print event: u1\n" + in + " lib.inside(u1, \"a\") 4:39 (ok u1)\n" + in + " lib.inside(u9, \"c\") 4:94 (err u1)\n" + in + " lib.inside(u2, \"dd\") 4:156 (ok u2)\n"
	}
	put := func(args, at, result string, depth int) string {
		in, inner := strings.Repeat(" ", depth), strings.Join(strings.SplitN(args, ", ", 3)[:2], ", ")
		if strings.Contains(args, "x, ") {
			inner = `u1, "x, (y) u2"`
		}
		return in + "lib.put(" + args + ") " + at + " " + result + "\n" + in + " lib.inside(" + inner + ") 2:127 " + result + "\n"
	}
	const empty = ", none, { a: 1, b: (list) }"
	b := func(depth int, at string) string {
		in := strings.Repeat(" ", depth)
		return in + "top.b(u1) " + at + " (ok u2)\n" + three(in+" lib.three() 3:40") + in + " top.c(u1, u2) 3:70 (ok u2)\n" +
			put(`u2, "z"`+empty, "4:77", "(ok u1)", depth+2) + in + "  lib.look(u2) 4:133 u2\n"
	}
	a := func(depth int) string {
		in := strings.Repeat(" ", depth)
		return put(`u1, "x, (y) u2", (some u3), { a: -1, b: (list u1 u2) }`, "2:33", "(ok u9)", depth) + in + "lib.look(u1) 2:113 u1\n" + b(depth, "2:110")
	}
	q := func(at string, depth int) string { return put(`u9, "q"`+empty, at, "(err u1)", depth) }
	// What failed is known from the functions that ran then: no line names sub.
	for name, want := range map[string]string{
		"a":    "top.a() 0:0 (ok u2)\n" + a(1),
		"bad":  "top.bad() 0:0 (err u1)\n" + q("5:37", 1) + " top.a() 5:100 (ok u2)\n" + a(2) + " top.d() 5:105 (err u1)\n" + q("6:34", 2),
		"r":    "top.r() 0:0 (ok u2)\n top.e() 7:34 (err u7)\n" + q("8:45", 2) + three(" lib.three() 7:51"),
		"sum":  "top.sum() 0:0 (ok u13)\n lib.five() 11:35 u5\n top.plus() 11:29 u7\n  lib.look(u5) 12:49 u0\n top.each() 11:66 u6\n  lib.look(u1) 12:49 u1\n  lib.look(u2) 12:49 u2\n",
		"fail": "top.fail() 0:0 …\n" + b(1, "9:45") + " lib.five() 9:64 u5\n top.sub() 9:57 …\n",
	} {
		root := ReadTrace(file(name+".txt"), &Call{Contract: tracedBy + ".top", Function: name}, Traced{Source: func(id string) string {
			return file(strings.TrimPrefix(id, tracedBy+".") + ".clar")
		}, Event: func(int, string) (string, bool) { return "", true }, Kept: func(int) (string, string, bool) { return "", "", false }, Failed: map[string]string{"fail": "ArithmeticUnderflow at top:10:41 in ( - n m ); stack: " + tracedBy + ".top:fail, " + tracedBy + ".top:sub, _native_:native_sub"}[name]})
		if got := treeText(root, 0); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Values are written as contract authors do.
func TestValuesOfATraceAreLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"(tuple (a -1) (b (u1 u2)))":                     "{ a: -1, b: (list u1 u2) }",
		"(some (tuple (t (tuple (x ())))))":              "(some { t: { x: (list) } })",
		"((ok u1) (err 0x00))":                           "(list (ok u1) (err 0x00))",
		tracedBy:                                         "'" + tracedBy,
		"(" + tracedBy + ".c as <" + tracedBy + ".c.t>)": "'" + tracedBy + ".c",
		`"a (b \" c) d"`:                                 `"a (b \" c) d"`,
	} {
		if got := Literal(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
