package contracts

import (
	"cmp"
	gomaps "maps"
	"slices"
	"sort"
	"strings"

	"chainscope/wallet/clarity"
)

// maxShown limits how much of a literal a Canned shows, in bytes.
const maxShown = 256

// Canned is one answer of a Book, for a reader. Literals of more than 256 bytes
// are cut and end in "…".
type Canned struct {
	Contract string `json:"contract"`
	// Kind is the member of an Entry that gives such an answer: reads, calls,
	// maps, vars or constants.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Args hold what is answered to, nil for any arguments; of a map, the key.
	Args   []string `json:"args"`
	Result string   `json:"result"`
}

// List returns a part of the answers in the order of contract, kind and name.
func (b Book) List(offset, limit int) []Canned {
	functions := slices.Collect(gomaps.Keys(b.answers))
	sort.Slice(functions, func(i, j int) bool {
		x, y := functions[i], functions[j]
		return cmp.Or(strings.Compare(x.contract, y.contract), cmp.Compare(x.part, y.part), strings.Compare(x.name, y.name)) < 0
	})
	out := []Canned{}
	for _, f := range functions {
		for _, a := range b.answers[f] {
			if offset > 0 {
				offset--
				continue
			}
			if len(out) == limit {
				return out
			}
			out = append(out, f.canned(a))
		}
	}
	return out
}

// written returns the result of a call as it was written, "" where it is not that of a call or
// too long.
func (a answer) written() string {
	if a.writtenEffect == nil || len(a.writtenEffect.result) > maxShown {
		return ""
	}
	return a.writtenEffect.result
}

func (f function) canned(a answer) Canned {
	c := Canned{Contract: f.contract, Kind: partNames[f.part], Name: f.name}
	if c.Result = a.written(); c.Result == "" {
		c.Result = shown(a.result)
	}
	if a.any {
		return c
	}
	c.Args = []string{}
	for encoded := range strings.FieldsSeq(a.args) {
		if v, err := clarity.DecodeHex(encoded); err == nil { // written by encodeArgs, so it is well-formed
			c.Args = append(c.Args, shown(v))
		}
	}
	return c
}

// shown returns the literal of a value, cut.
func shown(v clarity.Value) string { return clarity.Brief(clarity.Repr(v), maxShown) }
