package contracts

import (
	"cmp"
	gomaps "maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// describe adds what the answers of a function, a map, a variable or a constant reveal of it.
func describe(i *abi.Interface, f function, answers []answer) {
	of := abi.None
	for _, a := range answers {
		of = merged(of, TypeOf(a.result))
	}
	args := argsOf(answers)
	switch f.part {
	case reads:
		i.Functions = append(i.Functions, abi.Function{Name: f.name, Access: abi.ReadOnly, Args: args, Outputs: abi.Outputs{Type: of}})
	case calls:
		i.Functions = append(i.Functions, abi.Function{Name: f.name, Access: abi.Public, Args: args, Outputs: abi.Outputs{Type: of}})
	case maps:
		i.Maps = append(i.Maps, abi.Map{Name: f.name, Key: args[0].Type, Value: of})
	case vars:
		i.Variables = append(i.Variables, abi.Variable{Name: f.name, Type: of, Access: abi.Mutable})
	case constants:
		i.Variables = append(i.Variables, abi.Variable{Name: f.name, Type: of, Access: abi.Constant})
	}
}

// argsOf makes parameters of the arguments that are answered to; their names are
// made up.
func argsOf(answers []answer) []abi.Field {
	out := []abi.Field{}
	for _, a := range answers {
		for i, encoded := range strings.Fields(a.args) {
			v, err := clarity.DecodeHex(encoded)
			if err != nil {
				continue // written by encodeArgs, so it is well-formed
			}
			if i >= len(out) {
				out = append(out, abi.Field{Name: "arg" + strconv.Itoa(i), Type: abi.None})
			}
			out[i].Type = merged(out[i].Type, TypeOf(v))
		}
	}
	return out
}

// byName puts everything into the order of names. A function that is read and
// called is listed once, as what can be called.
func byName(i *abi.Interface) {
	functions, maps, variables := i.Functions, i.Maps, i.Variables
	sort.Slice(functions, func(a, b int) bool {
		one, other := functions[a], functions[b]
		return cmp.Or(strings.Compare(one.Name, other.Name), strings.Compare(string(one.Access), string(other.Access))) < 0
	})
	i.Functions = slices.CompactFunc(i.Functions, func(a, b abi.Function) bool { return a.Name == b.Name })
	sort.Slice(maps, func(a, b int) bool { return maps[a].Name < maps[b].Name })
	sort.Slice(variables, func(a, b int) bool { return variables[a].Name < variables[b].Name })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(gomaps.Keys(m)) }

// cloned copies a map; that of a nil map is empty.
func cloned[K comparable, V any](m map[K]V) map[K]V {
	out := make(map[K]V, len(m)+1)
	gomaps.Copy(out, m)
	return out
}
