// Package contracts holds canned answers of contracts: what a read-only
// function answers and what a call of a public function results in, by contract,
// function and arguments. There is no interpreter of Clarity; values are written
// as literals and compared.
//
// The package does no I/O and must not import anything of HTTP or the chain.
package contracts

import (
	"fmt"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// maxAnswers bounds the answers that a Book holds.
const maxAnswers = 10_000

// maxSource bounds the text of a contract, in bytes.
const maxSource = 1 << 20

// Book holds canned answers. It never changes; Add returns another one. The zero
// Book is empty.
type Book struct {
	answers map[function][]answer
	sources map[string]string // by contract
	count   int
}

// part is the kind of thing that an answer describes.
type part byte

const (
	reads part = iota
	calls
	maps
	vars
	constants
)

// partNames are the members of an Entry.
var partNames = map[part]string{reads: "reads", calls: "calls", maps: "maps", vars: "vars", constants: "constants"}

// function is a function of a contract, for reading or for calling, or a map, a
// variable or a constant.
type function struct {
	contract, name string
	part           part
}

// answer is one rule: with these arguments, this result.
type answer struct {
	args          string // encoded; meaningless if any
	any           bool   // whatever the arguments are
	result        clarity.Value
	writtenEffect *writtenEffect // of a call
}

// Read returns what a read-only function answers to arguments. It reports false
// if no answer was given for them.
func (b Book) Read(contract clarity.Principal, name string, args []clarity.Value) (clarity.Value, bool) {
	return b.result(function{contract.String(), name, reads}, args)
}

// MapEntry returns what a map holds under a key.
func (b Book) MapEntry(contract clarity.Principal, name string, key clarity.Value) (clarity.Value, bool) {
	return b.result(function{contract.String(), name, maps}, []clarity.Value{key})
}

// Value returns the value of a variable or a constant.
func (b Book) Value(contract clarity.Principal, name string, access abi.Access) (clarity.Value, bool) {
	p := vars
	if access == abi.Constant {
		p = constants
	}
	return b.result(function{contract.String(), name, p}, nil)
}

// Source returns the text that was given for a contract.
func (b Book) Source(contract clarity.Principal) (string, bool) {
	text, ok := b.sources[contract.String()]
	return text, ok
}

// Interface returns what the answers of a contract reveal of its functions and data.
func (b Book) Interface(contract clarity.Principal) abi.Interface {
	out := newInterface(0)
	id := contract.String()
	for f, answers := range b.answers {
		if f.contract == id {
			describe(&out, f, answers)
		}
	}
	byName(&out)
	return out
}

// CheckArguments is [CheckArguments] of a read-only function as far as its canned answers reveal
// its parameters. They reveal nothing if one of them holds for any arguments, or if they differ
// in number; the lengths that they reveal are not the longest.
func (b Book) CheckArguments(contract clarity.Principal, name string, args []clarity.Value) string {
	answers := b.answers[function{contract.String(), name, reads}]
	for _, a := range answers {
		if a.any || len(strings.Fields(a.args)) != len(strings.Fields(answers[0].args)) {
			return ""
		}
	}
	if len(answers) == 0 {
		return ""
	}
	return check(argsOf(answers), args, func(v clarity.Value) abi.Type { return shortest(TypeOf(v)) })
}

// Has reports whether there is any answer for a contract, or for a function of
// it if name is not "".
func (b Book) Has(contract clarity.Principal, name string) bool {
	id := contract.String()
	if _, ok := b.sources[id]; ok && name == "" {
		return true
	}
	for f := range b.answers {
		if f.contract == id && (name == "" || f.name == name && (f.part == reads || f.part == calls)) {
			return true
		}
	}
	return false
}

// Calls reports whether there is an answer for calls of a function of a contract.
func (b Book) Calls(contract clarity.Principal, name string) bool {
	return len(b.answers[function{contract.String(), name, calls}]) > 0
}

// Maps reports whether there is an entry of a map of a contract.
func (b Book) Maps(contract clarity.Principal, name string) bool {
	return len(b.answers[function{contract.String(), name, maps}]) > 0
}

// Len returns the number of answers.
func (b Book) Len() int { return b.count }

func (b Book) result(f function, args []clarity.Value) (clarity.Value, bool) {
	a, found := b.find(f, args)
	return a.result, found
}

// find prefers an answer for exactly these arguments to one for any, and a later
// one to an earlier one.
func (b Book) find(f function, args []clarity.Value) (found answer, ok bool) {
	answers := b.answers[f]
	if len(answers) == 0 {
		return answer{}, false
	}
	encoded, err := encodeArgs(args)
	if err != nil {
		return answer{}, false
	}
	for _, a := range slices.Backward(answers) {
		switch {
		case !a.any && a.args == encoded:
			return a, true
		case a.any && !ok:
			found, ok = a, true
		}
	}
	return found, ok
}

// encodeArgs returns text that is the same for the same values only.
func encodeArgs(args []clarity.Value) (string, error) {
	var all strings.Builder
	for _, arg := range args {
		encoded, err := clarity.EncodeHex(arg)
		if err != nil {
			return "", err
		}
		all.WriteString(encoded)
		all.WriteByte(' ')
	}
	return all.String(), nil
}

// Add returns a book with the answers of an entry too. An answer for the same
// arguments takes the place of the earlier one.
func (b Book) Add(e Entry) (Book, error) {
	if _, err := principal(e.Contract); err != nil {
		return b, err
	}
	if e.empty() {
		return b, fmt.Errorf(`nothing to answer; give "reads" or "calls", such as %s`, Example)
	}
	next := Book{answers: cloned(b.answers), sources: b.sources, count: b.count}
	parts := e.parts()
	for p := reads; p <= constants; p++ {
		for _, name := range sortedKeys(parts[p]) {
			if err := next.addAll(function{e.Contract, name, p}, parts[p][name]); err != nil {
				return b, err
			}
		}
	}
	if e.Source != "" {
		if len(e.Source) > maxSource {
			return b, fmt.Errorf("source: it has %d bytes, more than the %d of a transaction", len(e.Source), maxSource)
		}
		next.sources = cloned(b.sources)
		next.sources[e.Contract] = e.Source
	}
	if next.count > maxAnswers {
		return b, fmt.Errorf("the mock keeps at most %d answers; revert to a snapshot or reset it", maxAnswers)
	}
	return next, nil
}

// addAll adds the answers of a function. The error begins with the path of the
// bad one.
func (b *Book) addAll(f function, answers Answers) error {
	path := partNames[f.part] + "/" + f.name
	if err := clarity.CheckName(f.name); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(answers) == 0 {
		return fmt.Errorf(`%s: no answer; give one such as {"result":"(ok u5)"}`, path)
	}
	all := slices.Clone(b.answers[f])
	for i, one := range answers {
		at := path
		if len(answers) > 1 {
			at = fmt.Sprintf("%s/%d", path, i)
		}
		parsed, err := one.parse(f.part)
		if err != nil {
			return fmt.Errorf("%s%w", at, err)
		}
		all = slices.DeleteFunc(all, func(old answer) bool { return old.any == parsed.any && old.args == parsed.args })
		all = append(all, parsed)
	}
	b.count += len(all) - len(b.answers[f])
	b.answers[f] = all
	return nil
}

// principal reads the identifier of a contract.
func principal(text string) (clarity.Principal, error) {
	p, err := clarity.ParsePrincipal(text)
	if err == nil && p.Contract == "" {
		err = fmt.Errorf("it has no contract name")
	}
	if err != nil {
		return p, fmt.Errorf("contract %q: %w; give ADDRESS.NAME, such as SP000000000000000000002Q6VF78.pox", text, err)
	}
	return p, nil
}
