package signer

import (
	"cmp"
	"slices"
)

// Kind is the type of a param: how it is read, and how a form types and checks it.
type Kind int

// The kinds of params: JSON strings, where nothing else is said. Clarity values are
// hexadecimal digits or JSON.
const (
	KindText        Kind = iota
	KindMessage          // a text to sign; a Clarity value where messageType is structured
	KindAmount           // an integer from 1, as a decimal string or a JSON integer
	KindInteger          // an integer from 0, likewise
	KindAccount          // the number of an account
	KindIndex            // of an input, a JSON number
	KindAddress          // a Stacks address
	KindPrincipal        // a Stacks address or contract
	KindContract         // ADDRESS.NAME
	KindAsset            // CONTRACT::TOKEN
	KindName             // of a function
	KindNewName          // of a contract to be deployed
	KindBitcoin          // a Bitcoin address
	KindPublicKey        // 33 bytes in hexadecimal digits
	KindInputKey         // 33 bytes, or the 32 of an x-only key
	KindValue            // a Clarity value
	KindTuple            // a Clarity tuple
	KindMemo             // at most 34 bytes
	KindSource           // of a contract
	KindPSBT             // in base64
	KindPSBTHex          // in hexadecimal digits
	KindTransaction      // in hexadecimal digits
	KindChoice           // one of Choices
	KindChain            // a network, by a name of Choices and by much else
	KindMode             // of post-conditions: one of Choices or its number
	KindVersion          // of Clarity: one of Choices, or as a number
	KindPurpose          // a kind of address: one of Choices, or one that the wallet has none of
	KindSighash          // one of Choices or its number
	KindBool             // true or false
	KindJSON             // any value, as it is
	KindList             // any number of items
	KindConditions       // a list of post-conditions
	KindInputs           // a list of inputs, or indexes of inputs by address
	KindIndexes          // an index of an input, or a list of them
)

// kindWords says of a kind what it is in JSON, and what would be right.
type kindWords struct{ json, rule string }

const (
	textRule = "must be a string"
	listRule = "must be an array"
)

// words describes a kind.
func (k Kind) words() kindWords {
	switch k {
	case KindAmount:
		return kindWords{"integer", integerRule(1)}
	case KindInteger, KindAccount:
		return kindWords{"integer", integerRule(0)}
	case KindIndex:
		return kindWords{"integer", "must be the index of an input, a whole number from 0"}
	case KindBitcoin:
		return kindWords{"string", "must be a Bitcoin address"}
	case KindPSBT:
		return kindWords{"string", "must be a PSBT in base64"}
	case KindValue:
		return kindWords{"Clarity value", valueRule}
	case KindTuple:
		return kindWords{"Clarity tuple", valueRule}
	case KindBool:
		return kindWords{"boolean", "must be true or false"}
	case KindList, KindConditions, KindInputs, KindIndexes:
		return kindWords{"array", listRule}
	}
	return kindWords{"string", textRule}
}

// MarshalText writes what the kind is in JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.words().json), nil }

// Clarity reports whether the param is a Clarity value.
func (k Kind) Clarity() bool { return k == KindValue || k == KindTuple }

// Param describes one param of a method, or one member of an item of a list.
type Param struct {
	Name     string `json:"name"` // "" for an item that is one value
	Kind     Kind   `json:"type"`
	Optional bool   `json:"optional"`
	About    string `json:"about"` // what it is and what would be right, in a few words
	// Aliases are the names that other wallets and libraries give it.
	Aliases []string `json:"aliases,omitempty"`
	Unit    string   `json:"unit,omitempty"`    // of an integer: micro-STX, satoshis, units
	Choices []string `json:"choices,omitempty"` // what a form offers
	// Items are the members of an item of a list, and Word what one item is called.
	Items []Param `json:"items,omitempty"`
	Word  string  `json:"-"`
	Most  int     `json:"-"` // how many items there may be, 0 for any number
	// Label holds what a form calls it; "" is the name.
	Label string `json:"-"`
	// When are the types of an item that have this member, nil for all.
	When []string `json:"when,omitempty"`
	// Instead are the params that can be in its place, but not beside it.
	Instead []string `json:"-"`
	// Repeats is the param whose value it has to have; nothing else is read from it.
	Repeats string `json:"-"`
}

// Called returns what a form calls the param.
func (p Param) Called() string { return cmp.Or(p.Label, p.Name) }

// FromFile reports whether a form reads the param from a file too.
func (p Param) FromFile() bool {
	return p.Kind == KindSource || p.Kind == KindPSBT || p.Kind == KindTransaction
}

// ManyLines reports whether a form gives the param several lines.
func (p Param) ManyLines() bool { return p.Kind == KindSource || p.Kind == KindJSON }

// Chosen reports whether a form lets choose and not type.
func (p Param) Chosen() bool { return len(p.Choices) > 0 || p.Kind == KindBool }

// Options returns what can be chosen; "" is not given.
func (p Param) Options() []string {
	options := p.Choices
	if p.Kind == KindBool {
		options = []string{"true", "false"}
	}
	if p.Optional && !slices.Contains(options, "") {
		options = append([]string{""}, options...)
	}
	return options
}

// Lists reports whether the param is a list of Items.
func (p Param) Lists() bool { return len(p.Items) > 0 }

// Single reports whether each item of a list is one value and no object.
func (p Param) Single() bool { return len(p.Items) == 1 && p.Items[0].Name == "" }

// Shows lists the members that an item has.
func (p Param) Shows(item map[string]string) []Param {
	var out []Param
	for _, part := range p.Items {
		if part.When == nil || slices.Contains(part.When, item["type"]) {
			out = append(out, part)
		}
	}
	return out
}

// paramNamed finds a param by one of its names.
func paramNamed(params []Param, name string) (Param, bool) {
	i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name || slices.Contains(p.Aliases, name) })
	if i < 0 {
		return Param{}, false
	}
	return params[i], true
}
