package contracts

import (
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// Source holds what the text of a contract says without running it.
type Source struct {
	abi.Interface

	id     clarity.Principal
	values map[string]clarity.Value // of constants, and of variables at first
	writes map[string]bool          // functions whose bodies change the chain, or do not
	traits []string                 // that it says it implements
}

// ReadSource reads the public face of a contract from its text. version is that
// of Clarity, 0 where none was named: which it is then depends on the epoch.
func ReadSource(id clarity.Principal, text string, version byte) *Source {
	s := &Source{id: id, values: map[string]clarity.Value{}, writes: map[string]bool{}, Interface: newInterface(version)}
	types := &inference{source: s, names: map[string]abi.Type{}, functions: map[string]abi.Type{}, maps: map[string]abi.Type{}}
	all, _ := readSource(text) // a mistake ends what is read
	for i := range all {
		s.define(&all[i], types)
	}
	return s
}

// newInterface returns one of nothing. It leaves out the epoch, and the version of Clarity
// where none was named.
func newInterface(version byte) (of abi.Interface) {
	of = abi.Interface{
		Functions: []abi.Function{}, Variables: []abi.Variable{}, Maps: []abi.Map{}, FungibleTokens: []abi.Token{}, NonFungibleTokens: []abi.Token{},
	}
	if version != 0 {
		of.ClarityVersion = "Clarity" + strconv.Itoa(int(version))
	}
	return of
}

// define takes one expression at the top of a source.
func (s *Source) define(n *expression, types *inference) {
	args := n.args()
	if len(args) == 0 {
		return
	}
	name := args[0].atom
	switch n.head() {
	case "define-public":
		s.function(abi.Public, args, types)
	case "define-private":
		s.function(abi.Private, args, types)
	case "define-read-only":
		s.function(abi.ReadOnly, args, types)
	case "define-fungible-token":
		s.FungibleTokens = append(s.FungibleTokens, abi.Token{Name: name})
	case "impl-trait":
		s.traits = append(s.traits, s.traitID(name))
	}
	if len(args) < 2 {
		return
	}
	switch n.head() {
	case "define-non-fungible-token":
		s.NonFungibleTokens = append(s.NonFungibleTokens, abi.Token{Name: name, Type: typeOfExpression(&args[1])})
	case "define-constant":
		s.variable(name, types.of(&args[1]), abi.Constant, &args[1], types)
	case "define-data-var":
		if len(args) > 2 {
			s.variable(name, typeOfExpression(&args[1]), abi.Mutable, &args[2], types)
		}
	case "define-map":
		s.dataMap(args, types)
	}
}

func (s *Source) variable(name string, of abi.Type, access abi.Access, value *expression, types *inference) {
	s.Variables = append(s.Variables, abi.Variable{Name: name, Type: of, Access: access})
	types.names[name] = of
	if v := s.value(value); v != nil {
		s.values[name] = v
	}
}

// value reads a value that needs no running: a literal, another constant, or one
// of the principals that are known when a contract is deployed.
func (s *Source) value(n *expression) clarity.Value {
	switch n.atom {
	case "tx-sender", "contract-caller":
		return clarity.Principal{Address: s.id.Address}
	}
	if v, ok := s.values[n.atom]; ok && n.isAtom() {
		return v
	}
	text := n.text
	if strings.HasPrefix(n.atom, ".") {
		text = "'" + s.id.Address.String() + n.atom
	}
	v, err := clarity.ParseLiteral(text)
	if err != nil {
		return nil
	}
	return v
}

// dataMap takes both forms of a map: key and value, or lists of typed names.
func (s *Source) dataMap(args []expression, types *inference) {
	if len(args) < 3 {
		return
	}
	side := func(n *expression) abi.Type {
		if n.isList() && len(n.elements) > 0 && n.elements[0].isList() {
			return tuple(typedNames(n.elements))
		}
		return typeOfExpression(n)
	}
	m := abi.Map{Name: args[0].atom, Key: side(&args[1]), Value: side(&args[2])}
	s.Maps = append(s.Maps, m)
	types.maps[m.Name] = m.Value
}

func (s *Source) function(access abi.Access, args []expression, types *inference) {
	if len(args[0].elements) == 0 {
		return
	}
	f := abi.Function{Name: args[0].head(), Access: access, Args: typedNames(args[0].args())}
	of, writes := types.body(f.Args, args[1:])
	if _, _, is := sides(of); access == abi.Public && !is {
		of = response(abi.None, abi.None)
	}
	f.Outputs.Type, s.writes[f.Name] = of, writes
	s.Functions = append(s.Functions, f)
	types.functions[f.Name] = of
}

// traitID writes the identifier of a trait with its address.
func (s *Source) traitID(text string) string {
	text = strings.TrimPrefix(text, "'")
	if strings.HasPrefix(text, ".") {
		return s.id.Address.String() + text
	}
	return text
}

// Value returns the value of a constant, or that of a variable at first. It
// reports false if there is none, or if the contract would have to run to tell.
func (s *Source) Value(name string, access abi.Access) (clarity.Value, bool) {
	for _, v := range s.Variables {
		if v.Name == name && v.Access == access {
			value, known := s.values[name]
			return value, known
		}
	}
	return nil, false
}

// Implements reports whether the contract says that it implements a trait, such
// as SP….sip-010-trait.sip-010-trait.
func (s *Source) Implements(trait string) bool {
	for _, t := range s.traits {
		if t == trait {
			return true
		}
	}
	return false
}

// WithInterface returns the source with the interface that a node reports in place of what the text says;
// whether something in a function changes the chain is still read from the text.
func (s *Source) WithInterface(by abi.Interface) *Source {
	with := *s
	with.Interface = by
	return &with
}

// Writes reports whether something in a function's body changes the chain. Of one that the
// text does not show, only a public one may.
func (s *Source) Writes(name string) bool {
	if writes, known := s.writes[name]; known {
		return writes
	}
	f, there := s.Function(name)
	return there && f.Access == abi.Public
}
