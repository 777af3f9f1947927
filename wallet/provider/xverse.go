package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"chainscope/wallet/jsonrpc"
)

// xverseMethods are the methods that Xverse has.
var xverseMethods = map[string]bool{
	"wallet_connect": true, "wallet_disconnect": true, "getAddresses": true, "stx_getAddresses": true, "stx_getAccounts": true,
	"sendTransfer": true, "signPsbt": true,
	"stx_transferStx": true, "stx_callContract": true, "stx_deployContract": true, "stx_signTransaction": true,
	"stx_signMessage": true, "stx_signStructuredMessage": true,
}

// xverse answers as Xverse does: addresses by purpose, amounts as numbers,
// inputs to sign by address, Stacks accounts only after wallet_connect.
func (m *Mock) xverse(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !xverseMethods[method] {
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, "Method not found: %q", method)
	}
	p, err := members(params)
	if err != nil {
		return nil, err
	}
	switch method {
	case "wallet_connect":
		return m.xverseConnect(ctx, p)
	case "wallet_disconnect":
		m.grant(false)
		return json.RawMessage("null"), nil
	case "getAddresses":
		return m.xverseAddresses(ctx, p)
	case "stx_getAddresses", "stx_getAccounts":
		if !m.isGranted() {
			return nil, jsonrpc.NewError(jsonrpc.MethodAccessDenied, "Access denied: call wallet_connect first")
		}
		if method == "stx_getAccounts" {
			return m.engine.Call(ctx, method, params)
		}
		_, addresses, err := m.purposes(ctx, p, "stacks")
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"addresses": addresses})
	case "sendTransfer":
		return m.xverseTransfer(ctx, p)
	case "signPsbt":
		return m.xversePSBT(ctx, p)
	case "stx_deployContract":
		if v := p["clarityVersion"]; first(v) == '"' {
			return nil, jsonrpc.InvalidParam("clarityVersion", "must be a number")
		}
	}
	return m.engine.Call(ctx, method, params)
}

// purposeAddress is an address as Xverse writes it.
type purposeAddress struct {
	Address     string `json:"address"`
	PublicKey   string `json:"publicKey"`
	Purpose     string `json:"purpose"` // payment, ordinals or stacks
	AddressType string `json:"addressType"`
	WalletType  string `json:"walletType"`
}

// purposes asks the engine for the addresses and gives those for the purposes,
// all when none is named: ordinals, payment, stacks.
func (m *Mock) purposes(ctx context.Context, p map[string]json.RawMessage, wanted ...string) (network string, out []purposeAddress, err error) {
	ours := map[string]json.RawMessage{}
	network = "mainnet"
	if !absent(p["network"]) {
		ours["network"] = p["network"]
		if json.Unmarshal(p["network"], &network) != nil {
			return "", nil, jsonrpc.InvalidParam("network", "must be a string")
		}
	}
	params, err := object(ours)
	if err != nil {
		return "", nil, err
	}
	result, err := m.engine.Call(ctx, "getAddresses", params)
	if err != nil {
		return "", nil, err
	}
	var list struct {
		Addresses []struct{ Symbol, Type, Address, PublicKey, TweakedPublicKey string }
	}
	if json.Unmarshal(result, &list) != nil {
		return "", nil, jsonrpc.NewError(jsonrpc.InternalError, "the addresses cannot be read")
	}
	rank := map[string]int{"ordinals": 0, "payment": 1, "stacks": 2}
	out = []purposeAddress{}
	for _, a := range list.Addresses {
		e := purposeAddress{Address: a.Address, PublicKey: a.PublicKey, AddressType: a.Type, WalletType: "software"}
		switch a.Type {
		case "p2wpkh":
			e.Purpose = "payment"
		case "p2tr":
			e.Purpose = "ordinals"
			if a.TweakedPublicKey != "" {
				e.PublicKey = a.TweakedPublicKey
			}
		default:
			e.Purpose, e.AddressType = "stacks", "stacks"
		}
		if len(wanted) == 0 || slices.Contains(wanted, e.Purpose) {
			out = append(out, e)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return rank[out[i].Purpose] < rank[out[j].Purpose] })
	return network, out, nil
}

func (m *Mock) xverseConnect(ctx context.Context, p map[string]json.RawMessage) (json.RawMessage, error) {
	var wanted []string
	if !absent(p["addresses"]) && json.Unmarshal(p["addresses"], &wanted) != nil {
		return nil, jsonrpc.InvalidParam("addresses", "must be an array of purposes")
	}
	network, addresses, err := m.purposes(ctx, p, wanted...)
	if err != nil {
		return nil, err
	}
	m.grant(true)
	name := map[string]string{"mainnet": "Mainnet", "testnet": "Testnet", "regtest": "Regtest"}[network]
	if name == "" {
		name = "Testnet"
	}
	return json.Marshal(map[string]any{
		"id": "chainscope-account", "walletType": "software", "addresses": addresses,
		"network": map[string]any{"bitcoin": map[string]string{"name": name}, "stacks": map[string]string{"name": name}},
	})
}

func (m *Mock) xverseAddresses(ctx context.Context, p map[string]json.RawMessage) (json.RawMessage, error) {
	var wanted []string
	if absent(p["purposes"]) || json.Unmarshal(p["purposes"], &wanted) != nil || len(wanted) == 0 {
		return nil, jsonrpc.InvalidParam("purposes", "must be an array of payment, ordinals and stacks")
	}
	for i, purpose := range wanted {
		if purpose != "payment" && purpose != "ordinals" && purpose != "stacks" {
			return nil, jsonrpc.InvalidParam(fmt.Sprintf("purposes[%d]", i), "must be payment, ordinals or stacks")
		}
	}
	_, addresses, err := m.purposes(ctx, p, wanted...)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"addresses": addresses})
}

// xverseTransfer takes amounts as numbers and knows no network.
func (m *Mock) xverseTransfer(ctx context.Context, p map[string]json.RawMessage) (json.RawMessage, error) {
	var list []map[string]json.RawMessage
	if absent(p["recipients"]) || json.Unmarshal(p["recipients"], &list) != nil {
		return nil, jsonrpc.InvalidParam("recipients", "must be an array of objects with address and amount")
	}
	for i, r := range list {
		if c := first(r["amount"]); c != '-' && (c < '0' || c > '9') {
			return nil, jsonrpc.InvalidParam(fmt.Sprintf("recipients[%d].amount", i), "must be a number")
		}
	}
	params, err := object(map[string]json.RawMessage{"recipients": p["recipients"]})
	if err != nil {
		return nil, err
	}
	return m.engine.Call(ctx, "sendTransfer", params)
}

// xversePSBT takes signInputs as indexes by address.
func (m *Mock) xversePSBT(ctx context.Context, p map[string]json.RawMessage) (json.RawMessage, error) {
	ours := map[string]json.RawMessage{}
	for _, key := range []string{"psbt", "broadcast"} {
		if !absent(p[key]) {
			ours[key] = p[key]
		}
	}
	if !absent(p["signInputs"]) {
		var byAddress map[string][]json.Number
		if json.Unmarshal(p["signInputs"], &byAddress) != nil {
			return nil, jsonrpc.InvalidParam("signInputs", "must be an object of arrays of indexes by address")
		}
		type input struct {
			Index   int    `json:"index"`
			Address string `json:"address"`
		}
		inputs := []input{}
		for address, indexes := range byAddress {
			for i, n := range indexes {
				index, err := strconv.Atoi(n.String())
				if err != nil {
					return nil, jsonrpc.InvalidParam(fmt.Sprintf("signInputs[%q][%d]", address, i), "must be a whole number")
				}
				inputs = append(inputs, input{index, address})
			}
		}
		sort.Slice(inputs, func(i, j int) bool { return inputs[i].Index < inputs[j].Index })
		ours["signInputs"], _ = json.Marshal(inputs)
	}
	params, err := object(ours)
	if err != nil {
		return nil, err
	}
	return m.engine.Call(ctx, "signPsbt", params)
}
