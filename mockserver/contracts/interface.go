package contracts

import (
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// Interface is what a node tells of a contract's functions and data.
type Interface struct {
	Functions         []Function `json:"functions"`
	Variables         []Variable `json:"variables"`
	Maps              []Map      `json:"maps"`
	FungibleTokens    []Token    `json:"fungible_tokens"`
	NonFungibleTokens []Token    `json:"non_fungible_tokens"`
	Epoch             string     `json:"epoch"`
	ClarityVersion    string     `json:"clarity_version"`
}

// Has reports whether there is a variable or a constant of a name.
func (i *Interface) Has(name string, access Access) bool {
	return slices.ContainsFunc(i.Variables, func(v Variable) bool { return v.Name == name && v.Access == access })
}

// Type is a type of Clarity as a node writes it: a word such as "uint128", or an
// object such as {"optional":"principal"}.
type Type any

// Access is how a function can be reached, or what a variable is.
type Access string

// The values of Access.
const (
	Public   Access = "public"
	Private  Access = "private"
	ReadOnly Access = "read_only"
	Constant Access = "constant"
	Mutable  Access = "variable"
)

// Function is one function of an Interface.
type Function struct {
	Name    string  `json:"name"`
	Access  Access  `json:"access"`
	Args    []Arg   `json:"args"`
	Outputs Outputs `json:"outputs"`

	writes bool // something in its body changes the chain
	// byExample says that Args are those of canned answers, so that their lengths
	// are not the longest.
	byExample bool
}

// Arg is a parameter of a Function.
type Arg struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// Outputs holds what a Function returns.
type Outputs struct {
	Type Type `json:"type"`
}

// Variable is a data variable or a constant.
type Variable struct {
	Name   string `json:"name"`
	Type   Type   `json:"type"`
	Access Access `json:"access"`
}

// Map is a data map.
type Map struct {
	Name  string `json:"name"`
	Key   Type   `json:"key"`
	Value Type   `json:"value"`
}

// Token is a token that the contract defines; Type is that of the identifiers of
// a non-fungible one, else nil.
type Token struct {
	Name string `json:"name"`
	Type Type   `json:"type,omitempty"`
}

// noType is what a node writes where a type cannot be told, such as the error of
// a function that only ever answers (ok …).
const noType = "none"

func sized(name string, length int) Type {
	return map[string]any{name: map[string]any{"length": length}}
}
func optional(of Type) Type { return map[string]any{"optional": of} }

func response(ok, failed Type) Type {
	return map[string]any{"response": map[string]any{"ok": ok, "error": failed}}
}

func list(of Type, length int) Type {
	return map[string]any{"list": map[string]any{"type": of, "length": length}}
}

func tuple(fields []Arg) Type { return map[string]any{"tuple": fields} }

// inside returns a member of a type that is an object with one key.
func inside(t Type, key string) (any, bool) {
	object, ok := t.(map[string]any)
	if !ok {
		return nil, false
	}
	member, ok := object[key]
	return member, ok
}

// sides returns the two types of a response.
func sides(t Type) (ok, failed Type, found bool) {
	member, found := inside(t, "response")
	if !found {
		return nil, nil, false
	}
	both := member.(map[string]any)
	return both["ok"], both["error"], true
}

// simpleTypes are the types of one word.
var simpleTypes = map[string]Type{"uint": "uint128", "int": "int128", "bool": "bool", "principal": "principal"}

// typeOfNode reads a type as a source writes it.
func typeOfNode(n *node) Type {
	if !n.isList() {
		if t, ok := simpleTypes[n.atom]; ok {
			return t
		}
		if strings.HasPrefix(n.atom, "<") {
			return "trait_reference"
		}
		return noType
	}
	args := n.args()
	arg := func(i int) Type {
		if i < len(args) {
			return typeOfNode(&args[i])
		}
		return noType
	}
	switch n.head() {
	case "buff":
		return sized("buffer", lengthOf(args))
	case "string-ascii", "string-utf8":
		return sized(n.head(), lengthOf(args))
	case "optional":
		return optional(arg(0))
	case "response":
		return response(arg(0), arg(1))
	case "list":
		return list(arg(1), lengthOf(args))
	case "{":
		fields := []Arg{}
		for i := 0; i+1 < len(args); i += 2 {
			fields = append(fields, Arg{args[i].atom, typeOfNode(&args[i+1])})
		}
		return tuple(fields)
	case "tuple":
		return tuple(typedNames(args))
	}
	return noType
}

func lengthOf(args []node) int {
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
func typedNames(nodes []node) []Arg {
	out := []Arg{}
	for i := range nodes {
		if pair := nodes[i].list; len(pair) == 2 {
			out = append(out, Arg{pair[0].atom, typeOfNode(&pair[1])})
		}
	}
	return out
}

// TypeOf returns the narrowest type of a value.
func TypeOf(v clarity.Value) Type {
	switch v := v.(type) {
	case clarity.UInt:
		return "uint128"
	case clarity.Int:
		return "int128"
	case clarity.Bool:
		return "bool"
	case clarity.Principal:
		return "principal"
	case clarity.Buffer:
		return sized("buffer", len(v))
	case clarity.ASCII:
		return sized("string-ascii", len(v))
	case clarity.UTF8:
		return sized("string-utf8", len([]rune(string(v))))
	case clarity.None:
		return optional(noType)
	case clarity.Some:
		return optional(TypeOf(v.Value))
	case clarity.OK:
		return response(TypeOf(v.Value), noType)
	case clarity.Err:
		return response(noType, TypeOf(v.Value))
	case clarity.List:
		of := Type(noType)
		for _, item := range v {
			of = merged(of, TypeOf(item))
		}
		return list(of, len(v))
	case clarity.Tuple:
		fields := []Arg{}
		for _, f := range v.Fields {
			fields = append(fields, Arg{f.Name, TypeOf(f.Value)})
		}
		return tuple(fields)
	}
	return noType
}

// merged returns a type for values of either type: what one cannot tell is the
// other's.
func merged(a, b Type) Type {
	if a == noType || a == nil {
		return b
	}
	if b == noType || b == nil {
		return a
	}
	if okA, failedA, is := sides(a); is {
		if okB, failedB, is := sides(b); is {
			return response(merged(okA, okB), merged(failedA, failedB))
		}
	}
	if ofA, is := inside(a, "optional"); is {
		if ofB, is := inside(b, "optional"); is {
			return optional(merged(ofA, ofB))
		}
	}
	for _, name := range []string{"buffer", "string-ascii", "string-utf8"} {
		sizeA, isA := inside(a, name)
		sizeB, isB := inside(b, name)
		if isA && isB {
			return sized(name, max(sizeA.(map[string]any)["length"].(int), sizeB.(map[string]any)["length"].(int)))
		}
	}
	return a
}
