// Package contracts holds canned answers of contracts: what a read-only
// function answers and what a call of a public function results in, by contract,
// function and arguments. There is no interpreter of Clarity; values are written
// as literals and compared.
//
// The package does no I/O and must not import anything of HTTP or the chain.
package contracts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
)

// maxAnswers bounds the answers that a Book holds.
const maxAnswers = 10_000

// Book holds canned answers. It never changes; Add returns another one. The zero
// Book is empty.
type Book struct {
	answers map[function][]answer
	count   int
}

// function is a function of a contract, for reading or for calling.
type function struct {
	contract, name string
	call           bool
}

// answer is one rule: with these arguments, this result.
type answer struct {
	args   string // encoded; meaningless if any
	any    bool   // whatever the arguments are
	result clarity.Value
}

// Read returns what a read-only function answers to arguments. It reports false
// if no answer was given for them.
func (b Book) Read(contract clarity.Principal, name string, args []clarity.Value) (clarity.Value, bool) {
	return b.find(function{contract.String(), name, false}, args)
}

// Call returns what a call of a public function with arguments results in, an
// OK or an Err.
func (b Book) Call(contract clarity.Principal, name string, args []clarity.Value) (clarity.Value, bool) {
	return b.find(function{contract.String(), name, true}, args)
}

// Knows reports whether there is any answer for a contract, or for a function of
// it if name is not "".
func (b Book) Knows(contract clarity.Principal, name string) bool {
	id := contract.String()
	for f := range b.answers {
		if f.contract == id && (name == "" || f.name == name) {
			return true
		}
	}
	return false
}

// Len returns the number of answers.
func (b Book) Len() int { return b.count }

// find prefers an answer for exactly these arguments to one for any, and a later
// one to an earlier one.
func (b Book) find(f function, args []clarity.Value) (clarity.Value, bool) {
	answers := b.answers[f]
	if len(answers) == 0 {
		return nil, false
	}
	encoded, err := encodeArgs(args)
	if err != nil {
		return nil, false
	}
	var fallback clarity.Value
	for _, a := range slices.Backward(answers) {
		switch {
		case !a.any && a.args == encoded:
			return a.result, true
		case a.any && fallback == nil:
			fallback = a.result
		}
	}
	return fallback, fallback != nil
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
	if len(e.Reads)+len(e.Calls) == 0 {
		return b, fmt.Errorf(`nothing to answer; give "reads" or "calls", such as %s`, Example)
	}
	next := Book{answers: maps.Clone(b.answers), count: b.count}
	if next.answers == nil {
		next.answers = map[function][]answer{}
	}
	for _, part := range []struct {
		name    string
		answers map[string]Answers
		call    bool
	}{{"reads", e.Reads, false}, {"calls", e.Calls, true}} {
		for _, name := range slices.Sorted(maps.Keys(part.answers)) {
			path := part.name + "/" + name
			if err := clarity.CheckName(name); err != nil {
				return b, fmt.Errorf("%s: %w", path, err)
			}
			if len(part.answers[name]) == 0 {
				return b, fmt.Errorf(`%s: no answer; give one such as {"result":"(ok u5)"}`, path)
			}
			for i, one := range part.answers[name] {
				if len(part.answers[name]) > 1 {
					path = fmt.Sprintf("%s/%s/%d", part.name, name, i)
				}
				parsed, err := one.parse(part.call)
				if err != nil {
					return b, fmt.Errorf("%s%w", path, err)
				}
				next.put(function{e.Contract, name, part.call}, parsed)
			}
		}
	}
	if next.count > maxAnswers {
		return b, fmt.Errorf("the mock keeps at most %d answers; revert to a snapshot or reset it", maxAnswers)
	}
	return next, nil
}

func (b *Book) put(f function, a answer) {
	before := b.answers[f]
	kept := make([]answer, 0, len(before)+1)
	for _, old := range before {
		if old.any != a.any || old.args != a.args {
			kept = append(kept, old)
		}
	}
	b.count += 1 + len(kept) - len(before)
	b.answers[f] = append(kept, a)
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
