package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Call is a call within a transaction, as the virtual machine traced it.
type Call struct {
	Contract   string
	Function   string
	Expression string // the text of the call, "" where the machine prints none
	Args       []string
	Result     string // "" where it was not reached, or is not known
	Line       int    // of the call in the contract that calls, 0 for none
	Column     int
	Events     []TracedEvent
	Calls      []*Call
	// Ended reports that the call has its result; one that failed at run time has none.
	Ended bool

	site   *site // nil where the text of the contract is not known
	undone bool  // its events were rolled back at its end
}

// TracedEvent is an event of a trace.
type TracedEvent struct {
	// Text is the output of the machine for it, "" for one of which it prints nothing: that comes after others
	// were rolled back.
	Text string
	// Number is its number among all events of the transaction, and After how many of the calls came before it.
	Number, After int
	// RolledBack reports that it is not in the chain: a call around it failed, or is of a public function
	// that answered an error, or of a read-only one.
	RolledBack bool
}

// traceLine is a line of a trace: a call with its arguments, an event or a result.
type traceLine struct {
	kind         rune // o, e or c
	text         string
	callee, args string
	at           string // the name of the contract
	line, column int
	number       int // of an event
}

var (
	callLine  = pattern(`^(.*?)\s\s(\S+):(\d+):(\d+)$`)
	innerCall = pattern(`^\( contract-call\? (\S+) (\S+)(?: .*)?\)$`)
)

// traceLines reads the text of a trace. What its lines begin with is not read: the machine loses
// count of the depth after a call without arguments.
func traceLines(text string) (lines []traceLine) {
	events := 0
	for _, line := range strings.Split(text, "\n") {
		at := strings.IndexFunc(line, func(r rune) bool { return r != '│' && r != ' ' })
		if at < 0 {
			continue
		}
		line = line[at:]
		if rest, ok := strings.CutPrefix(line, "├── "); ok {
			if m := callLine().FindStringSubmatch(rest); m != nil {
				row, _ := strconv.Atoi(m[3])
				column, _ := strconv.Atoi(m[4])
				lines = append(lines, traceLine{kind: 'o', text: m[1], at: m[2], line: row, column: column})
			}
		} else if rest, ok := strings.CutPrefix(line, "↳ callee: "); ok && len(lines) > 0 {
			lines[len(lines)-1].callee, _, _ = strings.Cut(strings.Trim(rest, "()"), " ")
		} else if rest, ok := strings.CutPrefix(line, "↳ args:"); ok && len(lines) > 0 {
			lines[len(lines)-1].args = strings.TrimSpace(rest)
		} else if rest, ok := strings.CutPrefix(line, "✸ "); ok {
			lines = append(lines, traceLine{kind: 'e', text: rest, number: events})
			events++
		} else if rest, ok := strings.CutPrefix(line, "└── "); ok {
			lines = append(lines, traceLine{kind: 'c', text: rest})
		}
	}
	return lines
}

// CallsOf returns the calls of a contract in a transaction, its own and those of other contracts, which the
// text of its trace has.
func CallsOf(t *ledger.Tx, trace string, contract clarity.Principal) (all []stxtx.ContractCall) {
	if call, is := t.Payload.(stxtx.ContractCall); is && call.Contract == contract {
		all = append(all, call)
	}
	for _, l := range traceLines(trace) {
		m := innerCall().FindStringSubmatch(l.text)
		if m == nil || cmp.Or(l.callee, m[1]) != contract.String() {
			continue
		}
		call := stxtx.ContractCall{Contract: contract, Function: m[2]}
		for _, part := range split(l.args) {
			v, err := clarity.ParseLiteral(authored(part))
			if err != nil {
				v = clarity.None{}
			}
			call.Args = append(call.Args, v)
		}
		all = append(all, call)
	}
	return all
}

// Traced describes a transaction whose trace is read.
type Traced struct {
	// Source returns the text of a contract, "" for one that is not known.
	Source func(contract string) string
	// Event reports whether the chain has an event of that number that has this text, and returns its contract, ""
	// where it is not known.
	Event func(number int, text string) (contract string, has bool)
	// Kept returns the contract of an event that the chain has, "" where it is not known, and what in the text of
	// the contract caused it, such as print or ft-transfer.
	Kept func(number int) (contract, cause string, has bool)
	// Failed says why the transaction failed at run time, "" if it did not.
	Failed string
	// Aborted reports that its events were rolled back, whatever its result is.
	Aborted bool
}

// ReadTrace fills in the calls of a transaction below its root, from the text that the virtual machine has of
// it. In that text calls are missing, with nothing but their results left: those of other contracts
// without arguments, and those that have such a call among their arguments, however deep; and the machine may print as the result of a call of
// another contract a value from within it, and continue. What is missing is found in the texts of the
// contracts. Every line of the trace is in the tree, even where they are not found.
func ReadTrace(text string, root *Call, of Traced) *Call {
	t := &tracer{lines: traceLines(text), of: of, texts: definitions{source: of.Source, of: map[string]*contractText{}}, frames: map[frame]*frame{}, failed: map[trial]bool{}, put: map[int][]move{}, early: map[int]bool{}}
	_, stack, _ := strings.Cut(of.Failed, "; stack: ")
	for _, name := range strings.Split(stack, ", ") {
		if name, _, _ = strings.Cut(name, ";"); strings.HasPrefix(name, "S") {
			t.stack = append(t.stack, name)
		}
	}
	top := t.frame(frame{contract: root.Contract, function: root.Function})
	fits := t.fits(0, top)
	if !fits {
		clear(t.failed)
		t.corrects, t.tries = true, 0
		fits = t.fits(0, top)
	}
	if !fits {
		clear(t.put)
		clear(t.early)
	}
	t.build(root)
	if of.Aborted || !root.Ended || strings.HasPrefix(root.Result, "(err ") {
		root.rollBack()
	} else {
		t.place(root)
	}
	return root
}

// build makes the calls of the lines below a root.
func (t *tracer) build(root *Call) {
	open := []*Call{root}
	last := func() *Call { return open[len(open)-1] }
	enter := func(c *Call, form bool) {
		if !form {
			last().Calls = append(last().Calls, c)
		}
		open = append(open, c)
	}
	leave := func() {
		done := last()
		if open = open[:len(open)-1]; len(open) > 0 && t.undone(done) {
			done.rollBack()
		}
	}
	for i := range len(t.lines) + 1 {
		for _, m := range t.put[i] {
			if s := m.begins; s != nil {
				enter(&Call{Contract: s.contract, Function: s.function, Expression: s.text, Line: s.line, Column: s.column, Args: []string{}, site: s}, s.form)
			} else {
				leave()
			}
		}
		if i == len(t.lines) {
			break
		}
		switch l := &t.lines[i]; l.kind {
		case 'o':
			contract, function := t.called(l, last().Contract)
			s := t.texts.contract(last().Contract).at[[2]int{l.line, l.column}]
			if slices.ContainsFunc(open, func(c *Call) bool { return t.texts.unmade(c.Contract, l) }) {
				continue
			}
			form := function == asContract
			enter(&Call{Contract: contract, Function: function, Expression: l.text, Line: l.line, Column: l.column, Args: literals(l.args), site: s}, form)
		case 'e':
			_, has := t.of.Event(l.number, l.text)
			last().Events = append(last().Events, TracedEvent{Text: l.text, Number: l.number, After: len(last().Calls), RolledBack: !has})
		case 'c':
			if len(open) == 1 && i+1 < len(t.lines) {
				continue // the lines were not understood
			}
			last().Result, last().Ended = Literal(l.text), true
			if t.early[i] {
				last().Result = "" // it is that of something within
			} else {
				leave()
			}
		}
		if len(open) == 0 {
			break
		}
	}
}

// undone reports whether what a call did is rolled back at its end: that of a read-only function is, and of a
// public one that answers an error, whoever calls it.
func (t *tracer) undone(c *Call) bool {
	failed := strings.HasPrefix(c.Result, "(err ")
	if own := t.texts.find(c.Contract, c.Function); own != nil {
		return own.kind == "define-read-only" || failed && own.kind == "define-public"
	}
	return failed && c.site == nil
}

// rollBack takes the events of a call back, those of its calls too.
func (c *Call) rollBack() {
	c.undone = true
	for i := range c.Events {
		c.Events[i].RolledBack = true
	}
	for _, inner := range c.Calls {
		inner.rollBack()
	}
}
