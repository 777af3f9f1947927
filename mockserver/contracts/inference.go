package contracts

import (
	"slices"
	"strings"
	"sync"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// inference finds the types of expressions as far as the text reveals them. It is no type
// checker: a type that it cannot find is abi.None.
type inference struct {
	source    *Source
	names     map[string]abi.Type // constants, variables, parameters and what let binds
	functions map[string]abi.Type // what they return
	maps      map[string]abi.Type // the types of the values

	early  abi.Type // of what leaves a function early: asserts!, unwrap!, try!
	writes bool
}

// body returns the type of a function and whether it writes.
func (t *inference) body(params []abi.Field, exprs []expression) (abi.Type, bool) {
	t.early, t.writes = abi.None, false
	hidden := make([]binding, 0, len(params))
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

// binding is the earlier type of a name, nil for none.
type binding struct {
	name string
	was  *abi.Type
}

// bind gives a name a type and returns what the name was.
func (t *inference) bind(name abi.Field) binding {
	hidden := binding{name: name.Name}
	if was, bound := t.names[name.Name]; bound {
		hidden.was = &was
	}
	t.names[name.Name] = name.Type
	return hidden
}

// unbind restores the earlier types of names, the last one first.
func (t *inference) unbind(hidden []binding) {
	for _, name := range slices.Backward(hidden) {
		if name.was == nil {
			delete(t.names, name.name)
			continue
		}
		t.names[name.name] = *name.was
	}
}

// last finds the type of the last of some expressions, and looks at all.
func (t *inference) last(exprs []expression) abi.Type {
	of := abi.None
	for i := range exprs {
		of = t.of(&exprs[i])
	}
	return of
}

// fixedTypes are those of the keywords and of functions that always answer the
// same type.
var fixedTypes = sync.OnceValue(func() map[string]abi.Type {
	moved := response(boolType, uintType)
	types := map[string]abi.Type{
		"tx-sender": principalType, "contract-caller": principalType, "tx-sponsor?": optional(principalType),
		"block-height": uintType, "burn-block-height": uintType, "stacks-block-height": uintType, "tenure-height": uintType,
		"stx-liquid-supply": uintType, "chain-id": uintType, "is-in-mainnet": boolType, "is-in-regtest": boolType,
		"nft-get-owner?": optional(principalType), "stx-account": abi.None,
	}
	for _, name := range strings.Fields("ft-get-balance ft-get-supply stx-get-balance len to-uint buff-to-uint-be buff-to-uint-le sqrti log2") {
		types[name] = uintType
	}
	for _, name := range strings.Fields("to-int buff-to-int-be buff-to-int-le") {
		types[name] = intType
	}
	for _, name := range strings.Fields("is-eq is-none is-some is-ok is-err and or not < > <= >= is-standard map-set map-insert map-delete var-set asserts! print-ok") {
		types[name] = boolType
	}
	for _, name := range strings.Fields("ft-mint? ft-burn? ft-transfer? nft-mint? nft-burn? nft-transfer? stx-transfer? stx-transfer-memo? stx-burn?") {
		types[name] = moved
	}
	for _, name := range strings.Fields("sha256 keccak256 sha512/256") {
		types[name] = sized(abi.Buffer, 32)
	}
	types["hash160"] = sized(abi.Buffer, 20)
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
func (t *inference) of(n *expression) abi.Type {
	if n.isAtom() {
		return t.atom(n)
	}
	of := t.ofList(n)
	if left := maxTypeParts; !fits(of, &left) {
		return abi.None
	}
	return of
}

// fits reports whether a type has no more parts than are left.
func fits(t abi.Type, left *int) bool {
	*left--
	for _, part := range t.Of {
		if *left < 0 || !fits(part, left) {
			return false
		}
	}
	for _, f := range t.Fields {
		if *left < 0 || !fits(f.Type, left) {
			return false
		}
	}
	return *left >= 0
}

func (t *inference) ofList(n *expression) abi.Type {
	name, args := n.head(), n.args()
	switch name {
	case "let":
		return t.let(args)
	case "{":
		fields := []abi.Field{}
		for i := 0; i+1 < len(args); i += 2 {
			fields = append(fields, named(args[i].atom, t.of(&args[i+1])))
		}
		return tuple(fields)
	case "tuple":
		fields := []abi.Field{}
		for i := range args {
			if pair := args[i].elements; len(pair) == 2 {
				fields = append(fields, named(pair[0].atom, t.of(&pair[1])))
			}
		}
		return tuple(fields)
	}
	types := make([]abi.Type, max(3, len(args)))
	for i := range types {
		types[i] = abi.None
		if i < len(args) {
			types[i] = t.of(&args[i])
		}
	}
	t.effects(name, types)
	if of, ok := fixedTypes()[name]; ok {
		return of
	}
	if of, ok := t.functions[name]; ok {
		return of
	}
	return t.applied(name, args, types)
}

// effects notes what an application does beside its value.
func (t *inference) effects(name string, types []abi.Type) {
	switch name {
	case "asserts!", "unwrap!", "unwrap-err!":
		t.early = merged(t.early, types[1])
	case "try!":
		if _, failed, is := sides(types[0]); is {
			t.early = merged(t.early, response(abi.None, failed))
		}
	}
	t.writes = t.writes || writers()[name] || t.source.writes[name]
}

func (t *inference) atom(n *expression) abi.Type {
	if of, ok := t.names[n.atom]; ok {
		return of
	}
	if of, ok := fixedTypes()[n.atom]; ok {
		return of
	}
	if strings.HasPrefix(n.atom, ".") {
		return principalType
	}
	if v, err := clarity.ParseLiteral(n.text); err == nil {
		return TypeOf(v)
	}
	return abi.None
}

// let binds names one after the other.
func (t *inference) let(args []expression) abi.Type {
	if len(args) == 0 {
		return abi.None
	}
	var hidden []binding
	for i := range args[0].elements {
		if pair := args[0].elements[i].elements; len(pair) == 2 {
			hidden = append(hidden, t.bind(named(pair[0].atom, t.of(&pair[1]))))
		}
	}
	of := t.last(args[1:])
	t.unbind(hidden)
	return of
}

// applied finds the type of an application whose type follows from its arguments.
func (t *inference) applied(name string, args []expression, types []abi.Type) abi.Type {
	switch name {
	case "ok":
		return response(types[0], abi.None)
	case "err":
		return response(abi.None, types[0])
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
		if types[1].Kind == abi.Optional {
			return merged(types[0], types[1].Of[0])
		}
		return types[0]
	case "unwrap!", "unwrap-panic", "try!":
		if types[0].Kind == abi.Optional {
			return types[0].Of[0]
		}
		ok, _, _ := sides(types[0])
		return ok
	case "get":
		if len(args) == 2 {
			return field(types[1], args[0].atom)
		}
	case "list":
		of := abi.None
		for _, one := range types {
			of = merged(of, one)
		}
		return list(of, len(args))
	}
	return abi.None
}

// field finds the type of a field of a tuple, or of an optional tuple.
func field(t abi.Type, name string) abi.Type {
	if t.Kind == abi.Optional {
		return optional(field(t.Of[0], name))
	}
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return abi.None
}
