package engine

import (
	"slices"
	"strings"

	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
)

var address = pattern(`^S[A-Z0-9]{20,}(\.[a-zA-Z][\w-]*)?$`)

// site is a place in the text of a function where something is called.
type site struct {
	of                 *definition
	contract, function string // that is called; the name of a trait's argument where only the machine knows the contract
	text               string
	words              []string
	start, end         int // in the text of the contract
	line, column       int
	// left reports that the machine leaves it out of a trace: a call of another contract without arguments.
	left bool
	form bool // as-contract, which is no function
	// perhaps reports that it runs under a condition alone.
	perhaps bool
}

// around reports whether a call has another one among its arguments.
func (s *site) around(inner *site) bool {
	return inner != nil && inner.of == s.of && s.start < inner.start && inner.end < s.end
}

// causes reports whether a place in a text causes an event, such as print or ft-transfer, by itself or by map or fold.
func (s *site) causes(event string) bool {
	return slices.ContainsFunc(s.words[:min(2, len(s.words))], func(w string) bool { return strings.HasPrefix(w, event) })
}

// unmade reports whether a line is of a call in a contract that was not made: its last argument failed.
func (d *definitions) unmade(contract string, l *traceLine) bool {
	s := d.contract(contract).at[[2]int{l.line, l.column}]
	if _, name, _ := strings.Cut(contract, "."); s == nil || name != l.at {
		return false
	}
	before := 1
	if s.words[0] == "contract-call?" {
		before = 3
	}
	return len(split(l.args)) < len(s.words)-before
}

// definition is a function in the text of a contract.
type definition struct {
	name, kind string   // kind is define-public, define-private or define-read-only
	all, sites []*site  // its expressions, and those that a trace has, as they run: arguments come before what they are for
	folds      []string // functions that map, fold and filter call there
}

// contractText is the text of a contract, read. Its maps are empty where it is not known.
type contractText struct {
	functions map[string]*definition
	at        map[[2]int]*site // by line and column
}

// definitions are the functions of contracts.
type definitions struct {
	source func(contract string) string
	of     map[string]*contractText
}

// contract returns the text of a contract.
func (d *definitions) contract(id string) *contractText {
	if found, known := d.of[id]; known {
		return found
	}
	c := &contractText{map[string]*definition{}, map[[2]int]*site{}}
	d.of[id] = c
	if id == "" {
		return c
	}
	for _, one := range readFunctions(comments().ReplaceAllStringFunc(d.source(id), func(s string) string { return strings.Repeat(" ", len(s)) })) {
		c.functions[one.name] = one
	}
	issuer, _, _ := strings.Cut(id, ".")
	for _, one := range c.functions {
		for _, s := range one.all {
			if s.calls(id, issuer, c.functions) {
				one.sites, c.at[[2]int{s.line, s.column}] = append(one.sites, s), s
			}
		}
	}
	return c
}

// calls fills in what an expression calls, and reports whether it calls anything that a trace has.
func (s *site) calls(contract, issuer string, functions map[string]*definition) bool {
	words := s.words
	switch {
	case len(words) > 2 && words[0] == "contract-call?":
		target := strings.TrimPrefix(words[1], "'")
		if strings.HasPrefix(target, ".") {
			target = issuer + target
		}
		s.contract, s.function, s.left = target, words[2], len(words) == 3
	case words[0] == asContract:
		s.contract, s.function, s.form = contract, asContract, true
	case functions[words[0]] != nil:
		s.contract, s.function = contract, words[0]
	default:
		return false
	}
	return true
}

// find returns a function of a contract, nil for one that is not known.
func (d *definitions) find(contract, function string) *definition {
	return d.contract(contract).functions[function]
}

// makes reports whether a frame can make a call now: it comes after the last one in its text, or lies in that
// of a function which map, fold or filter call there.
func (d *definitions) makes(f *frame, s *site) bool {
	own := d.find(f.contract, f.function)
	if own == s.of {
		return s.end > f.done
	}
	return own != nil && slices.Contains(d.folded(own), s.of)
}

// folded returns the functions that a function has called by map, fold and filter, and those that these have called so.
func (d *definitions) folded(of *definition) (all []*definition) {
	if len(of.folds) == 0 {
		return nil
	}
	for _, c := range d.of {
		if c.functions[of.name] != of {
			continue
		}
		for _, name := range of.folds {
			if inner := c.functions[name]; inner != nil && inner != of {
				all = append(append(all, inner), d.folded(inner)...)
			}
		}
	}
	return all
}

// conditional are the functions of the language of whose arguments the first alone is always evaluated.
var conditional = map[string]bool{"if": true, "match": true, "and": true, "or": true, "asserts!": true, "unwrap!": true, "unwrap-err!": true}

// readFunctions returns the functions of a text.
func readFunctions(text string) (all []*definition) {
	own := &definition{} // that is being read
	contracts.Lists(text, func(l *contracts.List) {
		if len(l.Words) == 0 {
			return
		}
		head := l.Words[0]
		switch {
		case l.Around == nil:
			if own.name != "" {
				own.kind = head
				all = append(all, own)
			}
			own = &definition{}
		case l.Around.Around == nil && l.Index == 1 && definesFunction(l.Around.Words[0]):
			own.name, own.all = head, nil // without the types of its parameters
		default:
			before := text[:l.At]
			own.all = append(own.all, &site{
				of: own, words: l.Words, text: l.Text, start: l.At, end: l.At + len(l.Text) - 1,
				line: 1 + strings.Count(before, "\n"), column: len(before) - strings.LastIndexByte(before, '\n'), perhaps: perhaps(l),
			})
			if len(l.Words) > 1 && (head == "map" || head == "fold" || head == "filter") {
				own.folds = append(own.folds, l.Words[1])
			}
		}
	})
	return all
}

func definesFunction(head string) bool {
	return head == "define-public" || head == "define-private" || head == "define-read-only"
}

// perhaps reports whether an expression runs under a condition alone.
func perhaps(l *contracts.List) bool {
	for ; l.Around != nil; l = l.Around {
		if l.Index > 1 && conditional[l.Around.Words[0]] {
			return true
		}
	}
	return false
}

// split cuts values apart, as the virtual machine prints them one after the other.
func split(text string) (parts []string) {
	depth, start, quoted := 0, -1, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if start < 0 && c != ' ' {
			start = i
		}
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0 && start >= 0:
			parts = append(parts, text[start:i])
			start = -1
		}
	}
	if start >= 0 {
		parts = append(parts, text[start:])
	}
	return parts
}

func literals(text string) []string {
	out := []string{}
	for _, part := range split(text) {
		out = append(out, Literal(part))
	}
	return out
}

// Literal writes a value that the virtual machine printed as contract authors do; as it is, if it
// cannot be read.
func Literal(text string) string {
	v, err := clarity.ParseLiteral(authored(text))
	if err != nil {
		return text
	}
	return clarity.Repr(v)
}

// authored puts in what the machine leaves out: the word of a list, and the quote of a principal.
func authored(text string) string {
	if address().MatchString(text) {
		return "'" + text
	}
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	parts := split(text[1 : len(text)-1])
	head := ""
	if len(parts) > 0 {
		head = parts[0]
	}
	switch {
	case len(parts) == 3 && parts[1] == "as" && address().MatchString(head):
		return "'" + head // a contract as a trait
	case head == "tuple":
		for i, field := range parts[1:] {
			name, value, _ := strings.Cut(strings.Trim(field, " "), " ")
			parts[i+1] = name + " " + authored(strings.TrimSuffix(value, ")")) + ")"
		}
		return "(" + strings.Join(parts, " ") + ")"
	}
	kept := 0
	if head == "some" || head == "ok" || head == "err" {
		kept = 1
	}
	for i := kept; i < len(parts); i++ {
		parts[i] = authored(parts[i])
	}
	if kept == 0 {
		parts = append([]string{"list"}, parts...)
	}
	return "(" + strings.Join(parts, " ") + ")"
}
