package contracts

import (
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// The types that are words.
var (
	uintType      = abi.Type{Kind: abi.UInt}
	intType       = abi.Type{Kind: abi.Int}
	boolType      = abi.Type{Kind: abi.Bool}
	principalType = abi.Type{Kind: abi.Principal}
	traitType     = abi.Type{Kind: abi.Trait}
)

func sized(kind abi.Kind, length int) abi.Type { return abi.Type{Kind: kind, Length: length} }

func optional(of abi.Type) abi.Type { return abi.Type{Kind: abi.Optional, Of: []abi.Type{of}} }

func response(ok, failed abi.Type) abi.Type {
	return abi.Type{Kind: abi.Response, Of: []abi.Type{ok, failed}}
}

func list(of abi.Type, length int) abi.Type {
	return abi.Type{Kind: abi.List, Length: length, Of: []abi.Type{of}}
}

func tuple(fields []abi.Field) abi.Type { return abi.Type{Kind: abi.Tuple, Fields: fields} }

func named(name string, of abi.Type) abi.Field { return abi.Field{Name: name, Type: of} }

// unknown reports whether a type is unknown.
func unknown(t abi.Type) bool { return t.Kind == abi.Unknown }

// sides returns the two types of a response.
func sides(t abi.Type) (ok, failed abi.Type, found bool) {
	if t.Kind != abi.Response {
		return abi.None, abi.None, false
	}
	return t.Of[0], t.Of[1], true
}

// simpleTypes are the types of one word, as a source writes them.
var simpleTypes = map[string]abi.Type{"uint": uintType, "int": intType, "bool": boolType, "principal": principalType}

// sizedTypes are those that have a length, as a source writes them.
var sizedTypes = map[string]abi.Kind{"buff": abi.Buffer, "string-ascii": abi.ASCII, "string-utf8": abi.UTF8}

// typeOfExpression reads a type as a source writes it.
func typeOfExpression(n *expression) abi.Type {
	if n.isAtom() {
		if t, ok := simpleTypes[n.atom]; ok {
			return t
		}
		if strings.HasPrefix(n.atom, "<") {
			return traitType
		}
		return abi.None
	}
	args := n.args()
	arg := func(i int) abi.Type {
		if i < len(args) {
			return typeOfExpression(&args[i])
		}
		return abi.None
	}
	switch n.head() {
	case "buff", "string-ascii", "string-utf8":
		return sized(sizedTypes[n.head()], lengthOf(args))
	case "optional":
		return optional(arg(0))
	case "response":
		return response(arg(0), arg(1))
	case "list":
		return list(arg(1), lengthOf(args))
	case "{":
		fields := []abi.Field{}
		for i := 0; i+1 < len(args); i += 2 {
			fields = append(fields, named(args[i].atom, typeOfExpression(&args[i+1])))
		}
		return tuple(fields)
	case "tuple":
		return tuple(typedNames(args))
	}
	return abi.None
}

func lengthOf(args []expression) int {
	if len(args) == 0 {
		return 0
	}
	n, err := strconv.Atoi(args[0].atom)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// typedNames reads pairs such as (amount uint).
func typedNames(all []expression) []abi.Field {
	out := []abi.Field{}
	for i := range all {
		if pair := all[i].elements; len(pair) == 2 {
			out = append(out, named(pair[0].atom, typeOfExpression(&pair[1])))
		}
	}
	return out
}

// TypeOf returns the narrowest type of a value.
func TypeOf(v clarity.Value) abi.Type {
	switch v := v.(type) {
	case clarity.UInt:
		return uintType
	case clarity.Int:
		return intType
	case clarity.Bool:
		return boolType
	case clarity.Principal:
		return principalType
	case clarity.Buffer:
		return sized(abi.Buffer, len(v))
	case clarity.ASCII:
		return sized(abi.ASCII, len(v))
	case clarity.UTF8:
		return sized(abi.UTF8, len([]rune(string(v))))
	case clarity.None:
		return optional(abi.None)
	case clarity.Some:
		return optional(TypeOf(v.Value))
	case clarity.OK:
		return response(TypeOf(v.Value), abi.None)
	case clarity.Err:
		return response(abi.None, TypeOf(v.Value))
	case clarity.List:
		of := abi.None
		for _, item := range v {
			of = merged(of, TypeOf(item))
		}
		return list(of, len(v))
	case clarity.Tuple:
		fields := []abi.Field{}
		for _, f := range v.Fields {
			fields = append(fields, named(f.Name, TypeOf(f.Value)))
		}
		return tuple(fields)
	}
	return abi.None
}

// merged returns a type for values of either type: what one cannot tell is the
// other's.
func merged(a, b abi.Type) abi.Type {
	switch {
	case unknown(a):
		return b
	case unknown(b), a.Kind != b.Kind:
		return a
	}
	switch a.Kind {
	case abi.Response:
		return response(merged(a.Of[0], b.Of[0]), merged(a.Of[1], b.Of[1]))
	case abi.Optional:
		return optional(merged(a.Of[0], b.Of[0]))
	case abi.Buffer, abi.ASCII, abi.UTF8:
		return sized(a.Kind, max(a.Length, b.Length))
	}
	return a
}
