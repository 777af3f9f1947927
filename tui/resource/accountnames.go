package resource

import (
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
)

// The assets that are names: in BNS v1 the value is the name, in BNS v2 it is a number.
const (
	namesOfV1 = ".bns::names"
	namesOfV2 = ".BNS-V2::BNS-V2"
)

// NameFunction is the read-only function of the BNS v2 registry that returns the name for a number.
const NameFunction = "get-bns-from-id"

// NameNumber is a name by its number in a registry: the value of the token, in hex.
type NameNumber struct{ Contract, ID string }

// NumberedNames returns the names of BNS v2 that the account owns.
func (a Account) NumberedNames() []NameNumber {
	var all []NameNumber
	for _, h := range a.NonFungible {
		if n, ok := numberedName(h); ok {
			all = append(all, n)
		}
	}
	return all
}

func numberedName(h apiclient.Holding) (NameNumber, bool) {
	if h.Value == nil || !strings.HasSuffix(h.AssetID, namesOfV2) {
		return NameNumber{}, false
	}
	contract, _, _ := strings.Cut(h.AssetID, "::")
	return NameNumber{contract, h.Value.Hex}, apiclient.CheckPrincipal(contract) == nil
}

// names returns the fields of the names among its non-fungible tokens, and the other tokens.
func (a Account) names() (fields []Field, others []apiclient.Holding) {
	n := 0
	for _, h := range a.NonFungible {
		f, isName := a.name(h)
		if !isName {
			others = append(others, h)
			continue
		}
		if n++; n == 1 {
			fields = []Field{{Section: "Names"}}
		}
		if n <= maxListed {
			fields = append(fields, f)
		}
	}
	if n > maxListed {
		fields = append(fields, Field{Label: "and more", Value: TextOf(text.Plural(n-maxListed, "other name"))})
	}
	return fields, others
}

// name returns the field of a name, false for another token.
func (a Account) name(h apiclient.Holding) (Field, bool) {
	f := Field{Label: "name"}
	if number, ok := numberedName(h); ok {
		f.Note, f.Exact = "BNS v2", h.Value.Hex
		if name := a.Names[number]; name != "" {
			f.Value, f.Exact = TextOf(BothForms(name)), name
			f.To = nav.Name(name).Link()
			return f, true
		}
		f.Value, f.To = TextOf("number "+brief(strings.TrimPrefix(h.Value.Repr, "u"))), nav.Function(number.Contract, NameFunction).Link()
		return f, true
	}
	if h.Value == nil || !strings.HasSuffix(h.AssetID, namesOfV1) {
		return f, false
	}
	name := NameIn(h.Value.Hex)
	f.Value, f.Note, f.Exact, f.To = TextOf(BothForms(name)), "BNS v1", name, nav.Name(name).Link()
	return f, name != ""
}

// BothForms returns a name as it is registered, and as it was meant where that is another one.
func BothForms(name string) string {
	if meant := nav.Pictured(name); meant != "" {
		name += "  " + meant
	}
	return brief(name)
}

// NameIn reads a name as both registries write it, {name: (buff 48), namespace: (buff 20)},
// also in an optional or a response; "" for what is none.
func NameIn(hex string) string {
	v, err := clarity.DecodeHex(hex)
	_, inner := wrapped(v)
	tuple, is := inner.(clarity.Tuple)
	if err != nil || !is {
		return ""
	}
	parts := map[string]string{}
	for _, f := range tuple.Fields {
		if of, is := f.Value.(clarity.Buffer); is {
			parts[f.Name] = string(of)
		}
	}
	if parts["name"] == "" || parts["namespace"] == "" {
		return ""
	}
	return parts["name"] + "." + parts["namespace"]
}
