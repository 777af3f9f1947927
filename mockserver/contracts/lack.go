package contracts

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"go.yaml.in/yaml/v3"

	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/stxtx"
)

// Lack is something that was requested of a contract and that is not described, or a route that
// the service has and the mock does not serve.
type Lack struct {
	N        int64  `json:"n"`        // counts what was requested and is not described; of the last time
	Contract string `json:"contract"` // "" for a route
	// Kind is the member of an Entry that would describe it: reads, calls, maps, vars or
	// constants; source where the text or the interface of the contract was requested, route for
	// a route.
	Kind string `json:"kind"`
	Name string `json:"name"` // "" for a source; method and pattern of a route
	// Args are those of the last time, of a map the key; cut like those of a Canned.
	Args []string `json:"args"`
	// key is the whole key of a map.
	key string
}

// What a Lack can be of beside the members of an Entry.
const (
	sourceKind = "source"
	routeKind  = "route"
)

// LackingRoute returns a route that the mock does not serve; target is what was requested of it last.
func LackingRoute(name, target string) Lack {
	return Lack{Kind: routeKind, Name: name, Args: []string{plainASCII(target)}}
}

// LackingRead returns a read-only call that is not described.
func LackingRead(id clarity.Principal, name string, args []clarity.Value) Lack {
	return lack(id, reads, name, args)
}

// LackingCall returns a call of a public function that is not described.
func LackingCall(call stxtx.ContractCall) Lack {
	return lack(call.Contract, calls, call.Function, call.Args)
}

// LackingEntry returns an entry of a map that is not described.
func LackingEntry(id clarity.Principal, name string, key clarity.Value) Lack {
	return lack(id, maps, name, []clarity.Value{key})
}

// LackingValue returns a variable or a constant that is not described.
func LackingValue(id clarity.Principal, name string, access abi.Access) Lack {
	if access == abi.Constant {
		return lack(id, constants, name, nil)
	}
	return lack(id, vars, name, nil)
}

// LackingSource returns the text or the interface of a contract that is not described.
func LackingSource(id clarity.Principal) Lack {
	return Lack{Contract: id.String(), Kind: sourceKind, Args: []string{}}
}

// maxKey is the longest key of a map that a Template has, in bytes.
const maxKey = 4 << 10

func lack(id clarity.Principal, p part, name string, args []clarity.Value) Lack {
	l := Lack{Contract: id.String(), Kind: partNames[p], Name: name, Args: []string{}}
	for _, v := range args {
		l.Args = append(l.Args, shown(v))
	}
	if p == maps {
		if text := plainASCII(clarity.Repr(args[0])); len(text) <= maxKey {
			l.key = text
		}
	}
	return l
}

// Template writes what is lacking as a file for --contracts, with an answer of each kind to
// be replaced.
func Template(all []Lack) string {
	all = slices.DeleteFunc(slices.Clone(all), func(l Lack) bool { return l.Kind == routeKind })
	if len(all) == 0 {
		return ""
	}
	of := map[string][]Lack{}
	var order []string
	for _, l := range all {
		if of[l.Contract] == nil {
			order = append(order, l.Contract)
		}
		of[l.Contract] = append(of[l.Contract], l)
	}
	var w strings.Builder
	w.WriteString("# What was requested and is not described. Write what it answers, and give this file to --contracts.\n")
	for _, contract := range order {
		writeContract(&w, contract, of[contract])
	}
	return w.String()
}

func writeContract(w *strings.Builder, contract string, all []Lack) {
	if slices.ContainsFunc(all, func(l Lack) bool { return l.Kind == sourceKind }) {
		fmt.Fprintf(w, "# Its source or interface was requested: give \"source\" where that matters.\n")
	}
	if !slices.ContainsFunc(all, func(l Lack) bool { return l.Kind != sourceKind }) {
		fmt.Fprintf(w, "# - contract: %s\n", scalar(contract))
		return
	}
	fmt.Fprintf(w, "- contract: %s\n", scalar(contract))
	for p := reads; p <= constants; p++ {
		begun, inMap := false, ""
		for _, l := range inOrder(all, partNames[p]) {
			if !begun {
				fmt.Fprintf(w, "  %s:\n", l.Kind)
				begun = true
			}
			switch p {
			case maps:
				if inMap != l.Name {
					fmt.Fprintf(w, "    %s:\n", scalar(l.Name))
					inMap = l.Name
				}
				fmt.Fprintf(w, "      - key: %s\n        value: u0%s\n", scalar(l.key), l.comment())
			case vars, constants:
				fmt.Fprintf(w, "    %s: u0%s\n", scalar(l.Name), l.comment())
			case reads:
				fmt.Fprintf(w, "    %s: {result: none}%s\n", scalar(l.Name), l.comment())
			default:
				fmt.Fprintf(w, "    %s: {result: (ok true)}%s\n", scalar(l.Name), l.comment())
			}
		}
	}
}

// inOrder returns what is lacking of a kind by name. What cannot be written as a file is
// left out: a map entry whose key is too long, or no literal.
func inOrder(all []Lack, kind string) []Lack {
	var out []Lack
	for _, l := range all {
		if l.Kind != kind {
			continue
		}
		if kind == partNames[maps] {
			if _, err := clarity.ParseLiteral(l.key); err != nil {
				continue
			}
		}
		out = append(out, l)
	}
	slices.SortStableFunc(out, func(a, b Lack) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// comment describes the request.
func (l Lack) comment() string {
	if len(l.Args) == 0 || l.Kind == partNames[maps] {
		return ""
	}
	with := plainASCII(strings.Join(l.Args, " "))
	if len(with) > maxShown {
		with = with[:maxShown] + "..."
	}
	return " # asked with " + with
}

// plainASCII escapes what does not print in ASCII. Beyond ASCII a literal has only texts,
// where it means the same.
func plainASCII(text string) string {
	var w strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < ' ' || unit > '~' {
			fmt.Fprintf(&w, `\u%04x`, unit)
		} else {
			w.WriteByte(byte(unit))
		}
	}
	return w.String()
}

// scalar quotes a text for YAML where it needs it.
func scalar(text string) string {
	node := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if strings.ContainsAny(text, ",[]{}#&*!|>'\"%@`:?") {
		node.Style = yaml.SingleQuotedStyle
	}
	out, err := yaml.Marshal(&node)
	if err != nil {
		return "''" // a text can always be written
	}
	return strings.TrimSpace(string(out))
}
