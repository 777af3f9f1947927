package engine

import (
	"cmp"
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
	Result     string // "" where it was not reached
	Line       int    // of the call in the contract that calls, 0 for none
	Column     int
	Events     []TracedEvent
	Calls      []*Call
	// Ended reports that the call has its result; one that failed at run time has none.
	Ended bool

	form bool // as-contract and its kind, which are no functions
}

// TracedEvent is an event of a trace: what the machine prints of it, its number among all of the
// transaction, and how many of the calls came before it.
type TracedEvent struct {
	Text   string
	Number int
	After  int
}

// traceLine is a line of a trace: a call with its arguments, an event or a result.
type traceLine struct {
	kind         rune // o, e or c
	text         string
	callee, args string
	at           string // the name of the contract
	line, column int
}

var (
	callLine  = pattern(`^(.*?)\s\s(\S+):(\d+):(\d+)$`)
	innerCall = pattern(`^\( contract-call\? (\S+) (\S+)(?: .*)?\)$`)
)

// traceLines reads the text of a trace. What its lines begin with is not read: the machine loses
// count of the depth after a call without arguments.
func traceLines(text string) (lines []traceLine) {
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
			lines = append(lines, traceLine{kind: 'e', text: rest})
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

// mostUnnamed bounds the search for calls that the machine leaves out.
const mostUnnamed = 12

// frame is a function that runs, and what called it.
type frame struct {
	contract, function string
	up                 *frame
}

// tracer finds out which calls the lines of a trace belong to.
type tracer struct {
	lines  []traceLine
	texts  definitions
	failed bool
	tries  int
	put    map[int]*unnamed // calls that are put in before a line
}

// ReadTrace returns the calls of a transaction that called a function, from the text that the
// virtual machine has of it. The machine prints no line for a call of another contract that has
// no arguments, but its result; where the lines do not fit the texts of the contracts otherwise,
// such calls are put in. failed says that the transaction failed at run time.
func ReadTrace(text string, root *Call, source func(contract string) string, failed bool) *Call {
	t := &tracer{lines: traceLines(text), texts: definitions{source: source, of: map[string][]definition{}}, failed: failed, put: map[int]*unnamed{}}
	for left := range mostUnnamed {
		t.tries = 0
		if t.fits(0, &frame{contract: root.Contract, function: root.Function}, left) {
			break
		}
		clear(t.put)
	}
	t.build(root)
	return root
}

// fits reports whether the lines from one on can be what frames do, with some calls put in.
func (t *tracer) fits(at int, top *frame, left int) bool {
	if t.tries++; t.tries > 2_000+4*len(t.lines) {
		return false
	}
	if at == len(t.lines) {
		return (top == nil) != t.failed
	}
	if top == nil {
		return false
	}
	switch l := &t.lines[at]; l.kind {
	case 'o':
		if t.texts.lies(top, l) && t.fits(at+1, t.called(l, top), left) {
			return true
		}
		if left == 0 {
			return false
		}
		for _, u := range t.texts.unnamed(top, l.at) {
			within := &frame{u.contract, u.function, top}
			if t.texts.lies(within, l) && t.fits(at+1, t.called(l, within), left-1) {
				t.put[at] = &u
				return true
			}
		}
		return false
	case 'c':
		if t.fits(at+1, top.up, left) {
			return true
		}
		if left == 0 {
			return false
		}
		for _, u := range t.texts.unnamed(top, "") {
			if t.fits(at+1, top, left-1) {
				t.put[at] = &u
				return true
			}
		}
		return false
	}
	return t.fits(at+1, top, left)
}

// called returns the frame of a call.
func (t *tracer) called(l *traceLine, top *frame) *frame {
	f := &frame{contract: top.contract, up: top}
	if m := innerCall().FindStringSubmatch(l.text); m != nil {
		f.contract, f.function = m[1], m[2]
		if l.callee != "" {
			f.contract = l.callee
		}
		return f
	}
	f.function, _, _ = strings.Cut(strings.TrimPrefix(l.text, "( "), " ")
	return f
}

// build makes the calls of the lines below a root.
func (t *tracer) build(root *Call) {
	open, events := []*Call{root}, 0
	top := &frame{contract: root.Contract, function: root.Function}
	enter := func(c *Call) {
		if last := open[len(open)-1]; !c.form {
			last.Calls = append(last.Calls, c)
		}
		open = append(open, c)
	}
	for i := range t.lines {
		l := &t.lines[i]
		if u := t.put[i]; u != nil {
			top = &frame{u.contract, u.function, top}
			enter(&Call{Contract: u.contract, Function: u.function, Expression: u.text, Line: u.line, Column: u.column, Args: []string{}})
		}
		last := open[len(open)-1]
		switch l.kind {
		case 'o':
			top = t.called(l, top)
			enter(&Call{Contract: top.contract, Function: top.function, Expression: l.text, Line: l.line, Column: l.column, Args: literals(l.args), form: !t.texts.defines(top)})
		case 'e':
			last.Events = append(last.Events, TracedEvent{Text: l.text, Number: events, After: len(last.Calls)})
			events++
		case 'c':
			last.Result, last.Ended = Literal(l.text), true
			if top, open = top.up, open[:len(open)-1]; len(open) == 0 {
				return
			}
		}
	}
}
