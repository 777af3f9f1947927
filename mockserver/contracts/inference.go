package contracts

import (
	"slices"
	"strings"
	"sync"

	"chainscope/wallet/clarity"
)

// inference finds the types of expressions, as far as their text tells. It is no
// type checker: what it cannot tell is noType.
type inference struct {
	source    *Source
	names     map[string]Type // constants, variables, parameters and what let binds
	functions map[string]*Function
	maps      map[string]Type // the types of the values

	early  Type // of what leaves a function early: asserts!, unwrap!, try!
	writes bool
}

// body returns the type of a function and whether it writes.
func (t *inference) body(params []Arg, exprs []node) (Type, bool) {
	t.early, t.writes = nil, false
	hidden := make([]Arg, 0, len(params))
	for _, p := range params {
		hidden = append(hidden, t.bind(p))
	}
	of := t.last(exprs)
	t.unbind(hidden)
	if ok, failed, is := sides(of); is {
		if _, early, is := sides(t.early); is {
			of = response(ok, merged(failed, early))
		}
	}
	return of, t.writes
}

// bind gives a name a type and returns what the name was.
func (t *inference) bind(name Arg) Arg {
	hidden := Arg{name.Name, t.names[name.Name]}
	t.names[name.Name] = name.Type
	return hidden
}

// unbind gives names back what they were, the last one first.
func (t *inference) unbind(hidden []Arg) {
	for _, name := range slices.Backward(hidden) {
		if name.Type == nil {
			delete(t.names, name.Name)
			continue
		}
		t.names[name.Name] = name.Type
	}
}

// last finds the type of the last of some expressions, and looks at all.
func (t *inference) last(exprs []node) Type {
	of := Type(noType)
	for i := range exprs {
		of = t.of(&exprs[i])
	}
	return of
}

// fixedTypes are those of the keywords and of functions that always answer the
// same type.
var fixedTypes = sync.OnceValue(func() map[string]Type {
	moved := response("bool", "uint128")
	types := map[string]Type{
		"tx-sender": "principal", "contract-caller": "principal", "tx-sponsor?": optional("principal"),
		"block-height": "uint128", "burn-block-height": "uint128", "stacks-block-height": "uint128", "tenure-height": "uint128",
		"stx-liquid-supply": "uint128", "chain-id": "uint128", "is-in-mainnet": "bool", "is-in-regtest": "bool",
		"nft-get-owner?": optional("principal"), "stx-account": noType,
	}
	for _, name := range strings.Fields("ft-get-balance ft-get-supply stx-get-balance len to-uint buff-to-uint-be buff-to-uint-le sqrti log2") {
		types[name] = "uint128"
	}
	for _, name := range strings.Fields("to-int buff-to-int-be buff-to-int-le") {
		types[name] = "int128"
	}
	for _, name := range strings.Fields("is-eq is-none is-some is-ok is-err and or not < > <= >= is-standard map-set map-insert map-delete var-set asserts! print-ok") {
		types[name] = "bool"
	}
	for _, name := range strings.Fields("ft-mint? ft-burn? ft-transfer? nft-mint? nft-burn? nft-transfer? stx-transfer? stx-transfer-memo? stx-burn?") {
		types[name] = moved
	}
	for _, name := range strings.Fields("sha256 keccak256 sha512/256") {
		types[name] = sized("buffer", 32)
	}
	types["hash160"] = sized("buffer", 20)
	return types
})

// writers are the functions that change the chain.
var writers = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields("var-set map-set map-insert map-delete ft-mint? ft-burn? ft-transfer? nft-mint? nft-burn? nft-transfer? " +
		"stx-transfer? stx-transfer-memo? stx-burn?") {
		out[name] = true
	}
	return out
})

// maxTypeParts bounds a type: names that stand for others could make one that
// doubles with every line of a source.
const maxTypeParts = 1_000

// of finds the type of an expression.
func (t *inference) of(n *node) Type {
	if !n.isList() {
		return t.atom(n)
	}
	of := t.ofList(n)
	if left := maxTypeParts; !fits(of, &left) {
		return noType
	}
	return of
}

// fits reports whether a type has no more parts than are left.
func fits(t Type, left *int) bool {
	*left--
	switch t := t.(type) {
	case map[string]any:
		for _, member := range t {
			if *left < 0 || !fits(member, left) {
				return false
			}
		}
	case []Arg:
		for _, one := range t {
			if *left < 0 || !fits(one.Type, left) {
				return false
			}
		}
	}
	return *left >= 0
}

func (t *inference) ofList(n *node) Type {
	name, args := n.head(), n.args()
	switch name {
	case "let":
		return t.let(args)
	case "{":
		fields := []Arg{}
		for i := 0; i+1 < len(args); i += 2 {
			fields = append(fields, Arg{args[i].atom, t.of(&args[i+1])})
		}
		return tuple(fields)
	case "tuple":
		fields := []Arg{}
		for i := range args {
			if pair := args[i].list; len(pair) == 2 {
				fields = append(fields, Arg{pair[0].atom, t.of(&pair[1])})
			}
		}
		return tuple(fields)
	}
	types := make([]Type, max(3, len(args)))
	for i := range types {
		types[i] = noType
		if i < len(args) {
			types[i] = t.of(&args[i])
		}
	}
	t.effects(name, types)
	if of, ok := fixedTypes()[name]; ok {
		return of
	}
	if f, ok := t.functions[name]; ok {
		return f.Outputs.Type
	}
	return t.applied(name, args, types)
}

// effects notes what an application does beside its value.
func (t *inference) effects(name string, types []Type) {
	switch name {
	case "asserts!", "unwrap!", "unwrap-err!":
		t.early = merged(t.early, types[1])
	case "try!":
		if _, failed, is := sides(types[0]); is {
			t.early = merged(t.early, response(noType, failed))
		}
	}
	f := t.functions[name]
	t.writes = t.writes || writers()[name] || f != nil && f.writes
}

func (t *inference) atom(n *node) Type {
	if of, ok := t.names[n.atom]; ok {
		return of
	}
	if of, ok := fixedTypes()[n.atom]; ok {
		return of
	}
	if strings.HasPrefix(n.atom, ".") {
		return "principal"
	}
	if v, err := clarity.ParseLiteral(n.text); err == nil {
		return TypeOf(v)
	}
	return noType
}

// let binds names one after the other.
func (t *inference) let(args []node) Type {
	if len(args) == 0 {
		return noType
	}
	var hidden []Arg
	for i := range args[0].list {
		if pair := args[0].list[i].list; len(pair) == 2 {
			hidden = append(hidden, t.bind(Arg{pair[0].atom, t.of(&pair[1])}))
		}
	}
	of := t.last(args[1:])
	t.unbind(hidden)
	return of
}

// applied finds the type of an application whose type follows from its arguments.
func (t *inference) applied(name string, args []node, types []Type) Type {
	switch name {
	case "ok":
		return response(types[0], noType)
	case "err":
		return response(noType, types[0])
	case "some":
		return optional(types[0])
	case "begin":
		return types[max(0, len(args)-1)]
	case "if":
		return merged(types[1], types[2])
	case "var-get", "+", "-", "*", "/", "mod", "pow", "bit-and", "bit-or", "bit-xor", "bit-not", "print":
		return types[0]
	case "map-get?":
		if len(args) > 0 {
			if of, ok := t.maps[args[0].atom]; ok {
				return optional(of)
			}
		}
	case "default-to":
		if of, is := inside(types[1], "optional"); is {
			return merged(types[0], of)
		}
		return types[0]
	case "unwrap!", "unwrap-panic", "try!":
		if of, is := inside(types[0], "optional"); is {
			return of
		}
		ok, _, _ := sides(types[0])
		return merged(noType, ok)
	case "get":
		if len(args) == 2 {
			return field(types[1], args[0].atom)
		}
	case "list":
		of := Type(noType)
		for _, one := range types {
			of = merged(of, one)
		}
		return list(of, len(args))
	}
	return noType
}

// field finds the type of a field of a tuple, or of an optional tuple.
func field(t Type, name string) Type {
	if of, is := inside(t, "optional"); is {
		return optional(field(of, name))
	}
	fields, _ := inside(t, "tuple")
	for _, f := range asArgs(fields) {
		if f.Name == name {
			return f.Type
		}
	}
	return noType
}

func asArgs(v any) []Arg {
	args, _ := v.([]Arg)
	return args
}
