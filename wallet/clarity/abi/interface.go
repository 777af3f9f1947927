package abi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Interface holds what a contract offers.
type Interface struct {
	Functions         []Function `json:"functions"`
	Variables         []Variable `json:"variables"`
	Maps              []Map      `json:"maps"`
	FungibleTokens    []Token    `json:"fungible_tokens"`
	NonFungibleTokens []Token    `json:"non_fungible_tokens"`
	// Epoch and ClarityVersion are words such as Epoch30 and Clarity3, "" where they are
	// not given.
	Epoch          string `json:"epoch"`
	ClarityVersion string `json:"clarity_version"`
}

// Access describes how a function can be reached, or what a variable is.
type Access string

// The values of Access.
const (
	Public   Access = "public"
	Private  Access = "private"
	ReadOnly Access = "read_only"
	Constant Access = "constant"
	Mutable  Access = "variable"
)

// Function is a function.
type Function struct {
	Name    string  `json:"name"`
	Access  Access  `json:"access"`
	Args    []Field `json:"args"`
	Outputs Outputs `json:"outputs"`
}

// Outputs holds what a function returns.
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

// Token is a token that the contract defines. Type is that of the identifiers of a
// non-fungible one.
type Token struct {
	Name string `json:"name"`
	Type Type   `json:"type,omitzero"`
}

// Parse reads an interface. Lists and fields that are not there are empty.
func Parse(raw []byte) (Interface, error) {
	var all struct {
		Functions         []json.RawMessage `json:"functions"`
		Variables         []json.RawMessage `json:"variables"`
		Maps              []json.RawMessage `json:"maps"`
		FungibleTokens    []json.RawMessage `json:"fungible_tokens"`
		NonFungibleTokens []json.RawMessage `json:"non_fungible_tokens"`
		Epoch             any               `json:"epoch"`
		ClarityVersion    any               `json:"clarity_version"`
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is && wrong.Field == "" {
			return Interface{}, errors.New("the interface of the contract is no JSON object")
		}
		return Interface{}, fmt.Errorf("the interface of the contract cannot be read: %w", err)
	}
	of := Interface{
		Functions: eachOf[Function](all.Functions), Variables: eachOf[Variable](all.Variables), Maps: eachOf[Map](all.Maps),
		FungibleTokens: eachOf[Token](all.FungibleTokens), NonFungibleTokens: eachOf[Token](all.NonFungibleTokens),
	}
	of.Epoch, _ = all.Epoch.(string)
	of.ClarityVersion, _ = all.ClarityVersion.(string)
	return of, nil
}

// eachOf reads the entries of a list that can be read, and leaves the others out: one bad
// entry does not hide the rest.
func eachOf[T any](list []json.RawMessage) []T {
	all := make([]T, 0, len(list))
	for _, raw := range list {
		var one T
		if json.Unmarshal(raw, &one) == nil {
			all = append(all, one)
		}
	}
	return all
}

// Function returns the function of a name.
func (i *Interface) Function(name string) (*Function, bool) {
	return find(i.Functions, func(f *Function) bool { return f.Name == name })
}

// Variable returns the data variable or constant of a name.
func (i *Interface) Variable(name string) (*Variable, bool) {
	return find(i.Variables, func(v *Variable) bool { return v.Name == name })
}

// Map returns the map of a name.
func (i *Interface) Map(name string) (*Map, bool) {
	return find(i.Maps, func(m *Map) bool { return m.Name == name })
}

func find[T any](list []T, is func(*T) bool) (*T, bool) {
	for i := range list {
		if is(&list[i]) {
			return &list[i], true
		}
	}
	return nil, false
}

// Callable returns the functions that can be reached from outside, in the order of the
// interface.
func (i *Interface) Callable(access ...Access) []Function {
	var all []Function
	for _, f := range i.Functions {
		if slices.Contains(access, f.Access) {
			all = append(all, f)
		}
	}
	return all
}
