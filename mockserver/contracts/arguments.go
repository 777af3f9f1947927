package contracts

import (
	"fmt"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// CheckArguments says in the words of a node why a function does not take
// arguments, or "" if it does: a node checks their number and types before it runs
// anything.
func CheckArguments(f *abi.Function, args []clarity.Value) string {
	return check(f.Args, args, TypeOf)
}

// check compares arguments, whose types are made by of, with those that are wanted.
func check(wanted []abi.Field, args []clarity.Value, of func(clarity.Value) abi.Type) string {
	if len(wanted) != len(args) {
		return fmt.Sprintf("Unchecked(IncorrectArgumentCount(%d, %d))", len(wanted), len(args))
	}
	for i, arg := range args {
		if want := wanted[i].Type; !admits(want, of(arg)) {
			return fmt.Sprintf("Unchecked(TypeValueError(%s, %s))", debugType(want), debugValue(arg))
		}
	}
	return ""
}

// admits reports whether a value of type given fits where wanted is expected. A type that is not
// known, such as the error of an (ok …), fits.
func admits(wanted, given abi.Type) bool {
	switch {
	case unknown(wanted), unknown(given):
		return true
	case wanted.Kind == abi.Trait:
		return given.Kind == abi.Principal
	case wanted.Kind != given.Kind, given.Length > wanted.Length, len(wanted.Fields) != len(given.Fields):
		return false
	}
	for i, part := range wanted.Of {
		if !admits(part, given.Of[i]) {
			return false
		}
	}
	of := map[string]abi.Type{}
	for _, f := range given.Fields {
		of[f.Name] = f.Type
	}
	for _, f := range wanted.Fields {
		if other, there := of[f.Name]; !there || !admits(f.Type, other) {
			return false
		}
	}
	return true
}

// shortest returns a type with all lengths 0, for comparing where the expected lengths are not
// known.
func shortest(t abi.Type) abi.Type {
	t.Length = 0
	t.Of, t.Fields = slices.Clone(t.Of), slices.Clone(t.Fields)
	for i := range t.Of {
		t.Of[i] = shortest(t.Of[i])
	}
	for i := range t.Fields {
		t.Fields[i].Type = shortest(t.Fields[i].Type)
	}
	return t
}
