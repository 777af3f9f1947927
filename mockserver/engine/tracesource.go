package engine

import (
	"slices"
	"strings"

	"chainscope/wallet/clarity"
)

var (
	defined  = pattern(`\(\s*define-(?:public|private|read-only)\s+\(\s*([^\s()]+)`)
	noArgs   = pattern(`\(\s*contract-call\?\s+([^\s()]+)\s+([^\s()]+)\s*\)`)
	implicit = pattern(`\(\s*(?:map|fold|filter)\s+([^\s()]+)`)
	address  = pattern(`^S[A-Z0-9]{20,}(\.[a-zA-Z][\w-]*)?$`)
)

// definition is a function in the text of a contract.
type definition struct {
	name   string
	text   string    // from its beginning on, with that of the lines before left out
	line   int       // of its beginning
	first  int       // column there
	folds  []string  // functions that map, fold and filter call there
	leaves []unnamed // calls that the machine leaves out
}

// definitions are the functions of contracts.
type definitions struct {
	source func(contract string) string
	of     map[string][]definition
}

// unnamed is a call of another contract without arguments.
type unnamed struct {
	contract, function, text string
	line, column             int
}

// functions returns the functions of a contract in their order.
func (d *definitions) functions(contract string) []definition {
	if found, known := d.of[contract]; known {
		return found
	}
	text := comments().ReplaceAllStringFunc(d.source(contract), func(s string) string { return strings.Repeat(" ", len(s)) })
	var all []definition
	places := defined().FindAllStringSubmatchIndex(text, -1)
	for i, p := range places {
		end := len(text)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		line, column := placeIn(text, p[0])
		one := definition{name: text[p[2]:p[3]], text: text[p[0]:end], line: line, first: column}
		for _, m := range implicit().FindAllStringSubmatch(one.text, -1) {
			one.folds = append(one.folds, m[1])
		}
		all = append(all, one)
	}
	d.of[contract] = all
	for i := range all {
		all[i].leaves = d.leaves(contract, &all[i])
	}
	return all
}

// placeIn returns the line and the column of an index in a text.
func placeIn(text string, at int) (line, column int) {
	return 1 + strings.Count(text[:at], "\n"), at - strings.LastIndexByte(text[:at], '\n')
}

func (d *definitions) find(contract, function string) (definition, bool) {
	for _, f := range d.functions(contract) {
		if f.name == function {
			return f, true
		}
	}
	return definition{}, false
}

// defines reports whether a frame is of a function of its contract, or of one whose text is not known.
func (d *definitions) defines(f *frame) bool {
	_, found := d.find(f.contract, f.function)
	return found || len(d.functions(f.contract)) == 0
}

// lies reports whether a call can have been made by the function of a frame: it lies in its text, or
// in that of one which map, fold or filter call there.
func (d *definitions) lies(f *frame, l *traceLine) bool {
	if _, name, _ := strings.Cut(f.contract, "."); name != l.at {
		return false
	}
	all, within := d.functions(f.contract), ""
	for _, one := range all {
		if one.line < l.line || one.line == l.line && one.first <= l.column {
			within = one.name
		}
	}
	if len(all) == 0 || within == f.function {
		return true
	}
	return d.folds(f.contract, f.function, within, len(all))
}

// folds reports whether a function calls another one by map, fold or filter, or one that does, no deeper
// than that.
func (d *definitions) folds(contract, function, other string, deep int) bool {
	own, _ := d.find(contract, function)
	return slices.ContainsFunc(own.folds, func(name string) bool {
		return name == other || name != function && deep > 0 && d.folds(contract, name, other, deep-1)
	})
}

// unnamed returns the calls that the machine leaves out of the function of a frame, those of a contract of that
// name, or of any.
func (d *definitions) unnamed(f *frame, name string) (all []unnamed) {
	own, _ := d.find(f.contract, f.function)
	for _, u := range own.leaves {
		if name == "" || strings.HasSuffix(u.contract, "."+name) {
			all = append(all, u)
		}
	}
	return all
}

// leaves returns the calls of other contracts without arguments in a function, and those that have one as an argument.
func (d *definitions) leaves(contract string, own *definition) (all []unnamed) {
	for _, p := range noArgs().FindAllStringSubmatchIndex(own.text, -1) {
		target := strings.TrimPrefix(own.text[p[2]:p[3]], "'")
		if short, ok := strings.CutPrefix(target, "."); ok {
			issuer, _, _ := strings.Cut(contract, ".")
			target = issuer + "." + short
		}
		all = append(all, own.unnamed(target, own.text[p[4]:p[5]], p[0], p[1]))
		if outer, ok := d.around(contract, own, p[0]); ok {
			all = append(all, outer)
		}
	}
	return all
}

func (f *definition) unnamed(contract, function string, from, to int) unnamed {
	line, column := placeIn(f.text, from)
	if line == 1 {
		column += f.first - 1
	}
	return unnamed{contract, function, f.text[from:to], f.line + line - 1, column}
}

// around returns the call that has an index of a function among its arguments, which the machine leaves out
// with it.
func (d *definitions) around(contract string, own *definition, at int) (unnamed, bool) {
	from, depth := at-1, 0
	for ; from >= 0; from-- {
		if own.text[from] == ')' {
			depth++
		} else if own.text[from] == '(' {
			if depth--; depth < 0 {
				break
			}
		}
	}
	to := from + 1
	for depth = 1; from >= 0 && depth > 0 && to < len(own.text); to++ {
		depth += strings.Count(own.text[to:to+1], "(") - strings.Count(own.text[to:to+1], ")")
	}
	if from < 0 {
		return unnamed{}, false
	}
	parts := strings.Fields(own.text[from+1 : to])
	if len(parts) == 0 {
		return unnamed{}, false
	}
	if parts[0] == "contract-call?" && len(parts) > 2 && strings.HasPrefix(parts[1], "'") {
		return own.unnamed(parts[1][1:], parts[2], from, to), true
	}
	_, is := d.find(contract, parts[0])
	return own.unnamed(contract, parts[0], from, to), is
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
