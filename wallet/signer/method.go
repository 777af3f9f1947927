package signer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
)

// Method describes a method of the wallet. Parsing, forms, help and examples are made
// from it.
type Method struct {
	Name   string  `json:"name"`
	Params []Param `json:"params"`
	Title  string  `json:"title"` // what it does, in a few words

	// Also are params that are read and not offered: what other wallets and libraries
	// send to the same effect.
	Also []Param `json:"also,omitempty"`
	// Example are params that the wallet takes: see [Method.ExampleFor].
	Example string `json:"-"`
	// Entry holds what one entry is called where the params are an array of objects, "" where
	// they are one object.
	Entry string `json:"-"`

	silent   bool // it is answered without requesting approval
	keyless  bool // it needs no key
	bitcoin  bool // it needs Bitcoin addresses
	unsigned bool // a mock may take what it makes without a signature
	callback bool // functions with callbacks call it: see callbackOptions

	parse func(*request) (Call, error)
	// parseEntries is there instead of parse where the params are an array.
	parseEntries func(*request, []*request) (Call, error)
}

// ignoredParams say nothing about what is to be done; they may be there and are not read.
var ignoredParams = []string{"version", "parameterFormatVersion"}

// callbackOptions hold what the functions with callbacks of @stacks/connect 8
// (showContractCall and those like it) leave among the params of the methods
// that they call: they pass on every option of the page. They say nothing about
// what is signed, and a description names them as ignored.
var callbackOptions = []string{"appDetails", "userSession", "authOrigin", "anchorMode", "attachment"}

// all returns every param that is read.
func (m Method) all() []Param { return slices.Concat(m.Params, m.Also) }

// Accepts reports whether the method reads the param.
func (m Method) Accepts(name string) bool {
	_, known := paramNamed(m.all(), name)
	return known
}

// Needs reports whether there is a param that must be given.
func (m Method) Needs() bool {
	return slices.ContainsFunc(m.Params, func(p Param) bool { return !p.Optional })
}

// Methods lists every method in the order in which they are offered.
func Methods() []Method { return slices.Clone(methods) }

// Lookup finds a method by its name.
func Lookup(name string) (Method, bool) {
	i := slices.IndexFunc(methods, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return Method{}, false
	}
	return methods[i], true
}

// withoutOptions takes what functions with callbacks pass on out of the params. It returns
// the names of those that are not read.
func (m Method) withoutOptions(o object) []string {
	var ignored []string
	for _, name := range callbackOptions {
		if m.callback && o.has(name) && !m.Accepts(name) {
			delete(o, name)
			ignored = append(ignored, name)
		}
	}
	return ignored
}

// unknown refuses a member that nothing reads, so that nothing is signed that leaves out a
// part of what was requested. Path is that of the object, "" for the params of a method.
func unknown(o object, path, of string, params []Param) error {
	var names, right []string
	for name := range o {
		if _, known := paramNamed(params, name); !known && !slices.Contains(ignoredParams, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	for _, p := range params {
		right = append(right, p.Name)
	}
	rule := "it takes no params"
	if len(right) > 0 {
		rule = "it takes " + strings.Join(right, ", ")
	}
	return jsonrpc.InvalidParam(path+clarity.Brief(slices.Min(names), 40), "is not a param of %s; %s", of, rule)
}

// read parses the params of a method.
func (m Method) read(params json.RawMessage, env Env) (Call, error) {
	if m.Entry != "" {
		return m.readEntries(params, env)
	}
	o, err := parseObject(params)
	if err != nil {
		return nil, err
	}
	if string(params) == "null" && m.Needs() {
		return nil, jsonrpc.InvalidParam("params", "must be an object, here null")
	}
	ignored := m.withoutOptions(o)
	r, err := m.request(o, "", env)
	if err != nil {
		return nil, err
	}
	r.ignored = slices.Sorted(slices.Values(append(ignored, env.Ignored...)))
	return m.parse(r)
}

// readEntries parses the params of a method that takes an array of objects.
func (m Method) readEntries(params json.RawMessage, env Env) (Call, error) {
	objects, err := parseObjects(params)
	if err != nil {
		return nil, err
	}
	entries := make([]*request, len(objects))
	for i, o := range objects {
		if entries[i], err = m.request(o, fmt.Sprintf("[%d].", i), env); err != nil {
			return nil, err
		}
	}
	return m.parseEntries(&request{Method: m, env: env, ignored: slices.Sorted(slices.Values(env.Ignored))}, entries)
}
