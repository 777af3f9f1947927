//go:build clarity

package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// part is a function of a random contract.
type part struct {
	contract, name, kind string
	params               int
	body                 []*phrase
}

// answers reports whether it has a response: those that have none change nothing.
func (p *part) answers() bool { return p.kind == "public" || p.kind == "private!" }

// phrase is an expression of a function.
type phrase struct {
	do           string // number, param, add, call, print, try, is-ok, guard, less, fold, as
	n            int
	of           []*phrase
	callee       *part
	line, column int
}

// author writes contracts at random.
type author struct {
	*rand.Rand
	text  strings.Builder
	line  int
	first int
}

func (a *author) write(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	a.text.WriteString(text)
	if n := strings.Count(text, "\n"); n > 0 {
		a.line, a.first = a.line+n, a.text.Len()
	}
}

// number makes an expression of a number.
func (a *author) number(in *part, can []*part, depth int) *phrase {
	if depth > 0 {
		if p := a.pick(can, func(p *part) bool { return !p.answers() && (p.contract == in.contract || p.kind == "read-only") }); p != nil && a.IntN(2) == 0 {
			return a.call(in, p, can, depth-1)
		}
	}
	if in.params > 0 && a.IntN(2) == 0 {
		return &phrase{do: "param", n: a.IntN(in.params)}
	}
	if depth > 1 && a.IntN(3) == 0 {
		return &phrase{do: "add", of: []*phrase{a.number(in, can, depth-1), a.number(in, can, depth-1)}}
	}
	return &phrase{do: "number", n: a.IntN(6)}
}

func (a *author) pick(can []*part, fits func(*part) bool) *part {
	can = slices.DeleteFunc(slices.Clone(can), func(p *part) bool { return !fits(p) })
	if len(can) == 0 {
		return nil
	}
	return can[a.IntN(len(can))]
}

func (a *author) call(in, callee *part, can []*part, depth int) *phrase {
	c := &phrase{do: "call", callee: callee}
	for range callee.params {
		c.of = append(c.of, a.number(in, can, depth))
	}
	return c
}

func (a *author) phrase(in *part, can []*part) *phrase {
	action := func() *phrase {
		p := a.pick(can, func(p *part) bool { return p.answers() && (p.contract == in.contract || p.kind == "public") })
		if p == nil || !in.answers() {
			return a.number(in, can, 2)
		}
		return a.call(in, p, can, 2)
	}
	switch n := a.IntN(14); {
	case n < 3:
		return &phrase{do: "print", n: 1000 * (1 + a.IntN(1000)), of: []*phrase{a.number(in, can, 1)}}
	case n < 4 && in.answers():
		return &phrase{do: "guard", n: 2 + a.IntN(8), of: []*phrase{a.number(in, can, 1)}}
	case n < 5 && a.IntN(3) == 0:
		return &phrase{do: "less", n: a.IntN(9), of: []*phrase{a.number(in, can, 1)}}
	case n < 6:
		if p := a.pick(can, func(p *part) bool { return p.kind == "private" && p.params == 2 && p.contract == in.contract }); p != nil {
			return &phrase{do: "fold", callee: p}
		}
	case n < 7:
		return &phrase{do: "as", of: []*phrase{a.number(in, can, 2)}}
	}
	c := action()
	if c.callee == nil || !c.callee.answers() {
		return c
	}
	return &phrase{do: []string{"try", "is-ok"}[a.IntN(2)], of: []*phrase{c}}
}

// put writes an expression and notes where its calls are.
func (a *author) put(in *part, e *phrase) {
	e.line, e.column = a.line, a.text.Len()-a.first+1
	list := func(head string) {
		a.write("(%s", head)
		for _, of := range e.of {
			a.write(" ")
			a.put(in, of)
		}
	}
	switch e.do {
	case "number":
		a.write("u%d", e.n)
	case "param":
		a.write("p%d", e.n)
	case "add":
		list("+")
		a.write(")")
	case "call":
		head := e.callee.name
		if e.callee.contract != in.contract {
			head = "contract-call? ." + e.callee.contract + " " + head
		}
		list(head)
		a.write(")")
	case "print":
		a.write("(print (+ u%d ", e.n)
		a.put(in, e.of[0])
		a.write("))")
	case "guard":
		a.write("(asserts! (<= ")
		a.put(in, e.of[0])
		a.write(" u%d) (err u%d))", e.n, e.n)
	case "less":
		a.write("(- u%d ", e.n)
		a.put(in, e.of[0])
		a.write(")")
	case "fold":
		a.write("(fold %s (list u1 u2) u0)", e.callee.name)
	default:
		list(map[string]string{"try": "try!", "is-ok": "is-ok", "as": "as-contract"}[e.do])
		a.write(")")
	}
}

// contract writes one that may call those that were written before.
func (a *author) contract(name string, can []*part) (source string, all []*part) {
	a.text.Reset()
	a.line, a.first = 1, 0
	for i := range 7 {
		p := &part{contract: name, name: fmt.Sprintf("f%d", i), params: a.IntN(3)}
		p.kind = []string{"public", "public", "private", "private!", "read-only"}[a.IntN(5)]
		for range 1 + a.IntN(4) {
			p.body = append(p.body, a.phrase(p, slices.Concat(can, all)))
		}
		a.write("(define-%s (%s", strings.TrimSuffix(p.kind, "!"), p.name)
		for n := range p.params {
			a.write(" (p%d uint)", n)
		}
		a.write(")\n  (begin ;; (f0 u1) is a comment\n")
		for _, e := range p.body {
			a.write("    ")
			a.put(p, e)
			a.write("\n")
		}
		last := a.number(p, slices.Concat(can, all), 2)
		p.body = append(p.body, last)
		if a.write("    "); p.answers() {
			a.write("(if (is-eq u1 u2) (err u0) (ok ")
		}
		if a.put(p, last); p.answers() {
			a.write("))")
		}
		a.write("))\n")
		all = append(all, p)
	}
	return a.text.String(), all
}

// stop ends an expression early.
type stop int

const (
	returned stop = iota + 1 // an error, from its function
	broke                    // at run time
)

// performed is a print that is in the chain.
type performed struct {
	contract, text string
	in             *engine.Call
	after          int // of its calls
}

// actor does what contracts say.
type actor struct {
	kept    []performed
	printed int  // of which the machine prints that they happened
	left    bool // the machine has left out a call since this was set to false
	undone  bool // events were rolled back: which function has the next ones cannot be known from what is printed
}

// perform calls a function, and returns its result: a number, or that of a response.
func (m *actor) perform(p *part, args []int, in *engine.Call) (value int, failed bool, ended stop) {
	for i, e := range p.body {
		v, s := m.eval(p, e, args, in)
		if s == returned {
			return v, true, 0
		} else if s != 0 {
			return 0, false, s
		}
		if i == len(p.body)-1 {
			value = v
		}
	}
	return value, false, 0
}

func (m *actor) eval(p *part, e *phrase, args []int, in *engine.Call) (int, stop) {
	if e.do == "call" {
		v, failed, s := m.call(p, e, args, in)
		_ = failed
		return v, s
	}
	var of []int
	if e.do != "try" && e.do != "is-ok" {
		for _, inner := range e.of {
			v, s := m.eval(p, inner, args, in)
			if s != 0 {
				return v, s
			}
			of = append(of, v)
		}
	}
	switch e.do {
	case "number":
		return e.n, 0
	case "param":
		return args[e.n], 0
	case "add":
		return of[0] + of[1], 0
	case "print":
		text := fmt.Sprintf("print event: u%d", e.n+of[0])
		if m.kept = append(m.kept, performed{p.contract, text, in, len(in.Calls)}); len(m.kept) > m.printed {
			m.printed = len(m.kept)
			in.Events = append(in.Events, engine.TracedEvent{Text: text, After: len(in.Calls)})
		}
		return e.n + of[0], 0
	case "guard":
		if of[0] > e.n {
			return e.n, returned
		}
	case "less":
		if of[0] > e.n {
			return 0, broke
		}
	case "fold":
		sum := 0
		for _, n := range []int{1, 2} {
			v, _, s := m.perform(e.callee, []int{n, sum}, in)
			if s != 0 {
				return 0, s
			}
			sum = v
		}
		return sum, 0
	case "try", "is-ok":
		v, failed, s := m.call(p, e.of[0], args, in)
		if s == 0 && failed && e.do == "try" {
			return v, returned
		}
		return v, s
	case "as":
		return of[0], 0
	}
	return 0, 0
}

func (m *actor) call(p *part, e *phrase, args []int, in *engine.Call) (value int, failed bool, s stop) {
	before := m.left
	m.left = false
	var given []int
	c := &engine.Call{Contract: alice + "." + e.callee.contract, Function: e.callee.name, Line: e.line, Column: e.column}
	for _, of := range e.of {
		v, s := m.eval(p, of, args, in)
		if s != 0 {
			return v, false, s
		}
		given = append(given, v)
		c.Args = append(c.Args, fmt.Sprintf("u%d", v))
	}
	outside := e.callee.contract != p.contract
	if m.left || outside && len(e.of) == 0 {
		m.left, c.Args = true, nil
	}
	in.Calls = append(in.Calls, c)
	kept := len(m.kept)
	value, failed, s = m.perform(e.callee, given, c)
	m.left = m.left || before
	if s != 0 {
		return value, failed, s
	}
	c.Ended, c.Result = true, fmt.Sprintf("u%d", value)
	if e.callee.answers() {
		c.Result = fmt.Sprintf("(%s u%d)", map[bool]string{true: "err", false: "ok"}[failed], value)
	}
	if failed && e.callee.kind == "public" || e.callee.kind == "read-only" {
		m.undone = m.undone || kept < len(m.kept)
		m.kept = m.kept[:kept]
	}
	return value, failed, 0
}

// pads returns so many expressions on one line, whose numbers no other contract has then: the machine takes
// expressions of different contracts with one number for one, and prints wrong arguments and results.
func pads(n int) string {
	return "(define-constant pad (list" + strings.Repeat(" u0", n+1) + "))"
}

// drawn writes a tree: a line a call.
func drawn(c *engine.Call, depth int, events bool, text *strings.Builder) {
	fmt.Fprintf(text, "%s%s.%s %d:%d (%s) %s %v", strings.Repeat(" ", depth), c.Contract, c.Function, c.Line, c.Column, strings.Join(c.Args, " "), c.Result, c.Ended)
	for _, e := range c.Events {
		if e.Text != "" && events {
			fmt.Fprintf(text, " * %s after %d", e.Text, e.After)
		}
	}
	text.WriteString("\n")
	for _, inner := range c.Calls {
		drawn(inner, depth+1, events, text)
	}
}

// keptEvents adds the numbers of the events that the chain has, by the tree, and returns how many of its events are printed.
func keptEvents(t *testing.T, c *engine.Call, kept []performed, numbers *[]int) (printed int) {
	for _, e := range c.Events {
		if e.Text != "" {
			printed++
		}
		if e.RolledBack || e.Number >= len(kept) {
			continue
		}
		if e.Text != "" && kept[e.Number].text != e.Text {
			t.Errorf("event %d is %q, want %q", e.Number, e.Text, kept[e.Number].text)
		}
		*numbers = append(*numbers, e.Number)
	}
	for _, inner := range c.Calls {
		printed += keptEvents(t, inner, kept, numbers)
	}
	return printed
}

// moments adds where events are that the chain has, by their numbers: the path of the call, and after how many calls.
func moments(c *engine.Call, path string, of func(*engine.Call, string)) {
	of(c, path)
	for i, inner := range c.Calls {
		moments(inner, fmt.Sprint(path, ".", i), of)
	}
}

// The tree of a call is what the contracts did, for random contracts that call each other and fail in every
// way, and nothing that the virtual machine prints of it is missing.
func TestTheVirtualMachinesTreeIsWhatContractsDid(t *testing.T) {
	const plays = 24
	calls, failed, wrong, printed, silent, misplaced := 0, 0, 0, 0, 0, 0
	s := newStage(t, engine.Options{Command: []string{"node", "chainscope-clarity/chainscope-clarity.js"}})
	var at *engine.Point
	height := int64(10)
	for seed := range uint64(plays) {
		a := &author{Rand: rand.New(rand.NewPCG(seed, 3))}
		sources := map[string]string{}
		var all []*part
		for i, name := range []string{"one", "two", "three"} {
			name = fmt.Sprintf("%s-%d", name, seed)
			source, parts := a.contract(name, all)
			if seed%2 == 0 {
				source = pads(i*500) + source
			}
			var does ledger.Effect
			does, at = s.session.Run(at, &s.ledger, s.tx(height, stxtx.SmartContract{Name: name, Code: source, ClarityVersion: 3}))
			if does.Error != "" {
				t.Fatalf("seed %d: %s\n%s", seed, does.Error, source)
			}
			sources[alice+"."+name], all = source, append(all, parts...)
			height++
		}
		height++
		for _, p := range all {
			if p.kind != "public" {
				continue
			}
			root := &engine.Call{Contract: alice + "." + p.contract, Function: p.name, Args: []string{}}
			want := &engine.Call{Contract: root.Contract, Function: p.name}
			var args []clarity.Value
			var given []int
			for range p.params {
				n := a.IntN(8)
				args, given = append(args, clarity.NewUInt(uint64(n))), append(given, n)
			}
			m := &actor{}
			value, refused, ended := m.perform(p, given, want)
			if want.Ended = ended == 0; want.Ended {
				want.Result = fmt.Sprintf("(%s u%d)", map[bool]string{true: "err", false: "ok"}[refused], value)
			}
			if refused || ended != 0 {
				m.kept = nil
				failed++
			}
			does, _ := s.session.Run(at, &s.ledger, s.tx(height, stxtx.ContractCall{Contract: principal(t, root.Contract), Function: p.name, Args: args}))
			engine.ReadTrace(does.Trace, root, engine.Traced{Failed: does.Error, Source: func(id string) string { return sources[id] }, Event: func(n int, text string) (string, bool) {
				if n < len(m.kept) && m.kept[n].text == text {
					return alice + "." + m.kept[n].contract, true
				}
				return "", false
			}, Kept: func(n int) (string, string, bool) {
				if n < len(m.kept) {
					return alice + "." + m.kept[n].contract, "print", true
				}
				return "", "", false
			}})
			calls++
			var got, wanted strings.Builder
			drawn(root, 0, !m.undone, &got)
			drawn(want, 0, !m.undone, &wanted)
			if seed%2 == 0 && got.String() != wanted.String() {
				t.Errorf("seed %d, %s.%s%v:\n%s\nwant\n%s\nof\n%s\n%v", seed, p.contract, p.name, given, got.String(), wanted.String(), does.Trace, sources)
				if wrong++; wrong > 3 {
					t.FailNow()
				}
			}
			var numbers []int
			if n := keptEvents(t, root, m.kept, &numbers); n != strings.Count(does.Trace, "✸ ") {
				t.Errorf("seed %d, %s.%s%v: the tree has %d of %d events that are printed", seed, p.contract, p.name, given, n, strings.Count(does.Trace, "✸ "))
			} else {
				printed += n
			}
			if seed%2 == 0 && m.undone {
				where, paths := map[int]string{}, map[*engine.Call]string{}
				moments(want, "", func(c *engine.Call, path string) { paths[c] = path })
				moments(root, "", func(c *engine.Call, path string) {
					for _, e := range c.Events {
						if !e.RolledBack {
							where[e.Number] = fmt.Sprint(path, "@", e.After)
						}
					}
				})
				for n, k := range m.kept {
					if silent++; where[n] != fmt.Sprint(paths[k.in], "@", k.after) {
						misplaced++
					}
				}
			}
			if slices.Sort(numbers); len(numbers) != len(m.kept) || len(slices.Compact(numbers)) != len(m.kept) {
				t.Errorf("seed %d, %s.%s%v: of %d events the tree has %v", seed, p.contract, p.name, given, len(m.kept), numbers)
			}
		}
	}
	if calls < 150 || failed < 10 || printed < 100 {
		t.Errorf("%d calls, %d of them failed, %d events: too few to say anything", calls, failed, printed)
	}
	// One under a condition, or one of many in a loop, cannot always be known.
	if silent < 300 || misplaced*20 > silent {
		t.Errorf("of %d events that come after others were rolled back %d are at another call", silent, misplaced)
	}
	t.Log(calls, failed, printed, silent, misplaced)
}
