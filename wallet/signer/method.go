package signer

import (
	"slices"
	"strings"
)

// Param describes one param of a method.
type Param struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Optional bool   `json:"optional"`
	About    string `json:"about"`
}

// Method describes a method of the wallet.
type Method struct {
	Name   string  `json:"name"`
	Params []Param `json:"params"`

	parse func(object, Env) (Call, error)
}

// Methods lists every method in alphabetical order.
func Methods() []Method {
	all := slices.Concat(addressMethods(), transactionMethods(), messageMethods(), bitcoinMethods())
	slices.SortFunc(all, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return all
}

var methodsByName = func() map[string]Method {
	table := map[string]Method{}
	for _, m := range Methods() {
		table[m.Name] = m
	}
	return table
}()

func lookup(name string) (Method, bool) {
	m, known := methodsByName[name]
	return m, known
}

func required(name, kind, about string) Param { return Param{name, kind, false, about} }
func optional(name, kind, about string) Param { return Param{name, kind, true, about} }

// networkParam is the one that every method takes.
var networkParam = optional("network", "string", "mainnet (the default), testnet, devnet, mocknet or regtest")

// commonParams are those of every method that makes a Stacks transaction.
func commonParams(own ...Param) []Param {
	return append(own, networkParam,
		optional("address", "string", "an address of the wallet that has to sign"),
		optional("fee", "integer", "micro-STX; asked of the chain when absent"),
		optional("nonce", "integer", "asked of the chain when absent"),
		optional("sponsored", "boolean", "leave the fee to a sponsor"),
	)
}

var postConditionParams = []Param{
	optional("postConditions", "array", "post-conditions in hexadecimal digits or JSON"),
	optional("postConditionMode", "string", "deny (the default), allow or originator"),
}
