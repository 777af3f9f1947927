package contracts

import (
	"cmp"
	gomaps "maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// describe adds what the answers of a function, a map, a variable or a constant
// tell of it.
func (i *Interface) describe(f function, answers []answer) {
	of := Type(noType)
	for _, a := range answers {
		of = merged(of, TypeOf(a.result))
	}
	args := argsOf(answers)
	switch f.part {
	case reads:
		i.Functions = append(i.Functions, Function{Name: f.name, Access: ReadOnly, Args: args, Outputs: Outputs{of}})
	case calls:
		i.Functions = append(i.Functions, Function{Name: f.name, Access: Public, Args: args, Outputs: Outputs{of}, writes: true})
	case maps:
		i.Maps = append(i.Maps, Map{f.name, args[0].Type, of})
	case vars:
		i.Variables = append(i.Variables, Variable{f.name, of, Mutable})
	case constants:
		i.Variables = append(i.Variables, Variable{f.name, of, Constant})
	}
}

// argsOf makes parameters of the arguments that are answered to; their names are
// made up.
func argsOf(answers []answer) []Arg {
	out := []Arg{}
	for _, a := range answers {
		for i, encoded := range strings.Fields(a.args) {
			v, err := clarity.DecodeHex(encoded)
			if err != nil {
				continue // written by encodeArgs, so it is well-formed
			}
			if i >= len(out) {
				out = append(out, Arg{"arg" + strconv.Itoa(i), noType})
			}
			out[i].Type = merged(out[i].Type, TypeOf(v))
		}
	}
	return out
}

// sort puts everything into the order of names. A function that is read and
// called is listed once, as what can be called.
func (i *Interface) sort() {
	functions, maps, variables := i.Functions, i.Maps, i.Variables
	sort.Slice(functions, func(a, b int) bool {
		one, other := functions[a], functions[b]
		return cmp.Or(strings.Compare(one.Name, other.Name), strings.Compare(string(one.Access), string(other.Access))) < 0
	})
	i.Functions = slices.CompactFunc(i.Functions, func(a, b Function) bool { return a.Name == b.Name })
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
