package contracts

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	gomaps "maps"

	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// writtenEffect is the effect of a call as it was written: its literals may name arguments.
type writtenEffect struct {
	result string
	moves  []Move
	prints []string
	sets   Sets
}

// Call holds what a canned call does.
type Call struct {
	Result clarity.Value // an OK or an Err
	Moves  []outcome.Move
	Prints []clarity.Value
	Sets   []Set
}

// Set is a variable or, with a key, a map entry that a call leaves.
type Set struct {
	Name  string
	Key   clarity.Value // nil for a variable
	Value clarity.Value
}

// Caller is a call with who makes it.
type Caller struct {
	stxtx.ContractCall
	Sender clarity.Principal
}

// Call returns what a call does. It reports false if no answer was given for its
// arguments. The error is of an answer that does not fit the arguments.
func (b Book) Call(by Caller) (Call, bool, error) {
	a, known := b.find(function{by.Contract.String(), by.Function, calls}, by.Args)
	if !known {
		return Call{}, false, nil
	}
	call, err := a.writtenEffect.fill(by)
	return call, true, err
}

// parseCall reads what a call answers and does. Each literal must be one with some value in
// the place of each argument.
func (a Answer) parseCall(parsed answer) (answer, error) {
	parsed.writtenEffect = &writtenEffect{result: *a.Result, moves: a.Moves, prints: a.Prints}
	if a.Sets != nil {
		parsed.writtenEffect.sets = *a.Sets
	}
	for i, m := range a.Moves {
		if err := m.check(); err != nil {
			return parsed, fmt.Errorf("/moves/%d%w", i, err)
		}
	}
	example := Caller{ContractCall: stxtx.ContractCall{Args: slices.Repeat([]clarity.Value{clarity.NewUInt(1)}, maxArgs)}}
	texts := map[string]string{"/result": *a.Result}
	for i, text := range a.Prints {
		texts[fmt.Sprintf("/prints/%d", i)] = text
	}
	for name, text := range parsed.writtenEffect.sets.Vars {
		texts["/sets/vars/"+name] = text
	}
	for i, e := range parsed.writtenEffect.sets.Maps {
		texts[fmt.Sprintf("/sets/maps/%d/key", i)], texts[fmt.Sprintf("/sets/maps/%d/value", i)] = e.Key, e.Value
	}
	for _, path := range slices.Sorted(gomaps.Keys(texts)) {
		v, err := example.literal(texts[path])
		if err != nil {
			return parsed, fmt.Errorf("%s: %q is no Clarity literal: %w", path, texts[path], err)
		}
		if path != "/result" {
			continue
		}
		switch v.(type) {
		case clarity.OK, clarity.Err:
			parsed.result = v
		default:
			return parsed, fmt.Errorf("/result: %q is no response; a call results in (ok …) or (err …)", *a.Result)
		}
	}
	return parsed, nil
}

// maxArgs is the greatest number of an argument that a literal can name.
const maxArgs = 99

// literal reads a literal in which arguments are named.
func (c Caller) literal(text string) (clarity.Value, error) {
	if !strings.Contains(text, "$") {
		return clarity.ParseLiteral(text)
	}
	pairs := []string{"$sender", clarity.Repr(c.Sender), "$contract", clarity.Repr(c.Contract)}
	for n := len(c.Args); n > 0; n-- { // $12 before $1
		if name := "$" + strconv.Itoa(n); strings.Contains(text, name) {
			pairs = append(pairs, name, clarity.Repr(c.Args[n-1]))
		}
	}
	filled := strings.NewReplacer(pairs...).Replace(text)
	v, err := clarity.ParseLiteral(filled)
	if err != nil && strings.Contains(filled, "$") {
		return nil, fmt.Errorf("%d arguments were given: %w", len(c.Args), err)
	}
	return v, err
}

// principal reads who sends or receives.
func (c Caller) principal(text string) (*clarity.Principal, error) {
	switch text {
	case "sender":
		return &c.Sender, nil
	case "contract":
		return &c.Contract, nil
	}
	if !strings.HasPrefix(text, "$") {
		p, err := clarity.ParsePrincipal(strings.TrimPrefix(text, "'"))
		return &p, err
	}
	v, err := c.literal(text)
	if err != nil {
		return nil, err
	}
	p, ok := v.(clarity.Principal)
	if !ok {
		return nil, fmt.Errorf("%s is %s, which is no principal", text, clarity.Repr(v))
	}
	return &p, nil
}

// check returns what is wrong with a move for any arguments. The error begins with its path.
func (m Move) check() error {
	if m.Asset != "STX" {
		if _, err := stxtx.ParseAsset(m.Asset); err != nil {
			return fmt.Errorf("/asset: %q is neither STX nor an asset such as ADDRESS.contract::name: %w", m.Asset, err)
		}
	}
	switch {
	case m.From == nil && m.To == nil:
		return errors.New(`: neither "from" nor "to"; without "from" the asset is minted, without "to" burned`)
	case (m.Amount == nil) == (m.ID == nil):
		return errors.New(`: give "amount" for STX and fungible tokens, or "id" for a non-fungible one`)
	case m.Asset == "STX" && m.ID != nil:
		return errors.New(`/id: STX have none; give "amount"`)
	}
	for path, who := range map[string]*string{"/from": m.From, "/to": m.To} {
		if who == nil || strings.HasPrefix(*who, "$") {
			continue
		}
		if _, err := (Caller{}).principal(*who); err != nil {
			return fmt.Errorf(`%s: %q is neither "sender", "contract", an argument such as "$1" nor a principal: %w`, path, *who, err)
		}
	}
	for path, text := range map[string]*string{"/amount": m.Amount, "/id": m.ID} {
		if text == nil || strings.Contains(*text, "$") {
			continue
		}
		if v, err := clarity.ParseLiteral(*text); err != nil {
			return fmt.Errorf("%s: %q is no Clarity literal: %w", path, *text, err)
		} else if _, ok := v.(clarity.UInt); path == "/amount" && !ok {
			return fmt.Errorf("/amount: %q is no uint such as u5", *text)
		}
	}
	return nil
}

// fill puts the arguments of a call into its effect.
func (d *writtenEffect) fill(by Caller) (call Call, err error) {
	if call.Result, err = by.literal(d.result); err != nil {
		return call, fmt.Errorf("result: %w", err)
	}
	for i, m := range d.moves {
		move, err := m.fill(by)
		if err != nil {
			return call, fmt.Errorf("moves/%d: %w", i, err)
		}
		call.Moves = append(call.Moves, move)
	}
	for i, text := range d.prints {
		v, err := by.literal(text)
		if err != nil {
			return call, fmt.Errorf("prints/%d: %w", i, err)
		}
		call.Prints = append(call.Prints, v)
	}
	call.Sets, err = d.fillSets(by)
	return call, err
}

func (d *writtenEffect) fillSets(by Caller) ([]Set, error) {
	var all []Set
	for _, name := range slices.Sorted(gomaps.Keys(d.sets.Vars)) {
		v, err := by.literal(d.sets.Vars[name])
		if err != nil {
			return nil, fmt.Errorf("sets/vars/%s: %w", name, err)
		}
		all = append(all, Set{Name: name, Value: v})
	}
	for i, e := range d.sets.Maps {
		key, err := by.literal(e.Key)
		value, other := by.literal(e.Value)
		if err = errors.Join(err, other); err != nil {
			return nil, fmt.Errorf("sets/maps/%d: %w", i, err)
		}
		all = append(all, Set{Name: e.Name, Key: key, Value: value})
	}
	return all, nil
}

// fill puts the arguments of a call into the move.
func (m Move) fill(by Caller) (move outcome.Move, err error) {
	if m.Asset != "STX" {
		if move.Asset, err = stxtx.ParseAsset(m.Asset); err != nil {
			return move, err
		}
	}
	if m.From != nil {
		if move.From, err = by.principal(*m.From); err != nil {
			return move, fmt.Errorf("from: %w", err)
		}
	}
	if m.To != nil {
		if move.To, err = by.principal(*m.To); err != nil {
			return move, fmt.Errorf("to: %w", err)
		}
	}
	if m.ID != nil {
		if move.Token, err = by.literal(*m.ID); err != nil {
			err = fmt.Errorf("id: %w", err)
		}
		return move, err
	}
	v, err := by.literal(*m.Amount)
	if err != nil {
		return move, fmt.Errorf("amount: %w", err)
	}
	n, ok := v.(clarity.UInt)
	if !ok {
		return move, fmt.Errorf("amount: %s is no uint", clarity.Repr(v))
	}
	move.Amount = new(big.Int).Set(n.N)
	return move, nil
}
