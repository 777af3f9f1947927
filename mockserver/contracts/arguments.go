package contracts

import (
	"fmt"

	"chainscope/wallet/clarity"
)

// CheckArguments says in the words of a node why a function does not take
// arguments, or "" if it does: a node checks their number and types before it runs
// anything.
func (f *Function) CheckArguments(args []clarity.Value) string {
	if len(f.Args) != len(args) {
		return fmt.Sprintf("Unchecked(IncorrectArgumentCount(%d, %d))", len(f.Args), len(args))
	}
	for i, arg := range args {
		given := TypeOf(arg)
		if f.byExample {
			given = shortest(given)
		}
		if of := f.Args[i].Type; !admits(of, given) {
			return fmt.Sprintf("Unchecked(TypeValueError(%s, %s))", debugType(of), debugValue(arg))
		}
	}
	return ""
}

// admits reports whether a value of the type given can stand where one of the
// type wanted is. What cannot be told, such as the error of an (ok …), fits.
func admits(wanted, given Type) bool {
	if unknown(wanted) || unknown(given) {
		return true
	}
	if wanted == "trait_reference" {
		return given == "principal"
	}
	if name, ok := wanted.(string); ok {
		return given == name
	}
	for _, name := range []string{"buffer", "string-ascii", "string-utf8"} {
		if _, is := inside(wanted, name); is {
			_, same := inside(given, name)
			return same && lengthIn(given, name) <= lengthIn(wanted, name)
		}
	}
	if inner, is := inside(wanted, "optional"); is {
		other, same := inside(given, "optional")
		return same && admits(inner, other)
	}
	if ok, failed, is := sides(wanted); is {
		otherOK, otherFailed, same := sides(given)
		return same && admits(ok, otherOK) && admits(failed, otherFailed)
	}
	if of, is := itemOf(wanted); is {
		other, same := itemOf(given)
		return same && lengthIn(given, "list") <= lengthIn(wanted, "list") && admits(of, other)
	}
	return admitsTuple(wanted, given)
}

func admitsTuple(wanted, given Type) bool {
	fields, is := fieldsOf(wanted)
	others, same := fieldsOf(given)
	if !is {
		return true // a type that this does not know
	}
	if !same || len(fields) != len(others) {
		return false
	}
	of := map[string]Type{}
	for _, f := range others {
		of[f.Name] = f.Type
	}
	for _, f := range fields {
		if other, there := of[f.Name]; !there || !admits(f.Type, other) {
			return false
		}
	}
	return true
}

// shortest returns a type with all lengths 0, for where the lengths wanted are not
// known.
func shortest(t Type) Type {
	for _, name := range []string{"buffer", "string-ascii", "string-utf8"} {
		if _, is := inside(t, name); is {
			return sized(name, 0)
		}
	}
	if inner, is := inside(t, "optional"); is {
		return optional(shortest(inner))
	}
	if ok, failed, is := sides(t); is {
		return response(shortest(ok), shortest(failed))
	}
	if of, is := itemOf(t); is {
		return list(shortest(of), 0)
	}
	fields, is := fieldsOf(t)
	if !is {
		return t
	}
	out := make([]Arg, len(fields))
	for i, f := range fields {
		out[i] = Arg{f.Name, shortest(f.Type)}
	}
	return tuple(out)
}

func unknown(t Type) bool { return t == nil || t == noType }

// lengthIn is the length of a type with one, such as a buffer.
func lengthIn(t Type, name string) int {
	member, _ := inside(t, name)
	object, _ := member.(map[string]any)
	length, _ := object["length"].(int)
	return length
}

// itemOf returns the type of the items of a list.
func itemOf(t Type) (Type, bool) {
	member, is := inside(t, "list")
	object, _ := member.(map[string]any)
	return object["type"], is
}

// fieldsOf returns the fields of a tuple.
func fieldsOf(t Type) ([]Arg, bool) {
	member, _ := inside(t, "tuple")
	fields, is := member.([]Arg)
	return fields, is
}
