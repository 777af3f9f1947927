package signer

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"chainscope/wallet/jsonrpc"
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

	// Also are the names that other wallets and libraries use for params, which
	// are read too.
	Also []string `json:"-"`
	// Silent methods are answered without asking for approval.
	Silent bool `json:"-"`
	// Array methods take an array of objects with these params.
	Array bool `json:"-"`

	parse      func(object, Env) (Call, error)
	parseArray func([]object, Env) (Call, error)
}

// Takes reports whether a param is read.
func (m Method) Takes(name string) bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return p.Name == name }) || slices.Contains(m.Also, name)
}

// passedOver are params that say nothing about what is to be done; they may be
// there and are not read.
var passedOver = []string{"version", "parameterFormatVersion"}

// unknown refuses a param that the method does not read, so that nothing is
// signed that leaves out a part of what was asked.
func (m Method) unknown(prefix string, o object) error {
	names := make([]string, 0, len(o))
	for name := range o {
		if !m.Takes(name) && !slices.Contains(passedOver, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	var known []string
	for _, p := range m.Params {
		known = append(known, p.Name)
	}
	right := "it takes no params"
	if len(known) > 0 {
		right = "it takes " + strings.Join(known, ", ")
	}
	return jsonrpc.InvalidParam(prefix+brief(names[0]), "is not a param of %s; %s", m.Name, right)
}

// brief cuts a name that a page made up to a length that can be printed.
func brief(name string) string {
	if len(name) > 40 {
		return strings.ToValidUTF8(name[:40], "") + "…"
	}
	return name
}

// Needs reports whether there is a param that must be given.
func (m Method) Needs() bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return !p.Optional })
}

// Methods lists every method in alphabetical order.
func Methods() []Method {
	all := slices.Concat(addressMethods(), connectMethods(), transactionMethods(), messageMethods(), bitcoinMethods())
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

var methodsByName = sync.OnceValue(func() map[string]Method {
	table := map[string]Method{}
	for _, m := range Methods() {
		table[m.Name] = m
	}
	return table
})

// Lookup finds a method by its name.
func Lookup(name string) (Method, bool) {
	m, known := methodsByName()[name]
	return m, known
}

func required(name, kind, about string) Param { return Param{name, kind, false, about} }
func optional(name, kind, about string) Param { return Param{name, kind, true, about} }

// networkParam is the one that every method takes.
var networkParam = optional("network", "string", "mainnet (the default), testnet, devnet, mocknet or regtest; a chain, a URL or a network object of stacks.js too")

// signerNames are other names of the account that has to sign.
var signerNames = []string{"stxAddress", "publicKey", "pubkey", "account", "accountIndex"}

// transactionNames are what methods that make a transaction read beside their
// listed params.
var transactionNames = append([]string{"broadcast"}, signerNames...)

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
