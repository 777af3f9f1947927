package signer

import (
	"encoding/json"

	"chainscope/wallet/jsonrpc"
)

// callbackOptions are what the functions with callbacks of @stacks/connect 8
// (showContractCall and those like it) leave among the params of the methods
// that they call: they hand on every option of the page. They say nothing about
// what is signed, and a description names them as ignored.
var callbackOptions = []string{"appDetails", "userSession", "authOrigin", "anchorMode", "attachment"}

// callbackMethods are the methods that those functions call with all options,
// with a function that checks the options that say a param once more.
var callbackMethods = map[string]func(object) error{
	"stx_transferStx":     func(object) error { return nil },
	"stx_signMessage":     func(object) error { return nil },
	"stx_signTransaction": func(object) error { return nil }, // txHex is read
	"stx_callContract":    sameContract,
	"stx_deployContract": func(o object) error {
		if _, err := o.oneOf("name", "contractName"); err != nil {
			return err
		}
		_, err := o.oneOf("clarityCode", "codeBody")
		return err
	},
}

// twiceSaid are the options that those checks read.
var twiceSaid = map[string][]string{
	"stx_callContract":   {"contractAddress", "contractName"},
	"stx_deployContract": {"contractName", "codeBody"},
}

// sameContract refuses a contract that is said in two ways, which differ.
func sameContract(o object) error {
	if !o.has("contract") || !o.has("contractAddress") && !o.has("contractName") {
		return nil
	}
	address, err := o.text("contractAddress")
	if err != nil {
		return err
	}
	name, err := o.text("contractName")
	if err != nil {
		return err
	}
	contract, err := json.Marshal(address + "." + name)
	if err != nil {
		return err
	}
	if !sameJSON(contract, o["contract"]) {
		return jsonrpc.InvalidParam("contract", "must be contractAddress and contractName with a point between them, which the request has too")
	}
	return nil
}

// withoutOptions takes the options of functions with callbacks out of the
// params. It returns the names of those that are not read.
func (m Method) withoutOptions(o object) ([]string, error) {
	check, called := callbackMethods[m.Name]
	if !called {
		return nil, nil
	}
	if err := check(o); err != nil {
		return nil, err
	}
	var ignored []string
	for _, name := range callbackOptions {
		if o.has(name) && !m.Takes(name) {
			delete(o, name)
			ignored = append(ignored, name)
		}
	}
	for _, name := range twiceSaid[m.Name] {
		delete(o, name)
	}
	return ignored, nil
}
