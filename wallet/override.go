package wallet

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"chainscope/wallet/provider"
)

// override changes method and params to what a kind of wallet takes
// (enableOverrides).
func override(kind provider.Kind, method string, params any) (string, any, error) {
	switch {
	case kind == provider.Xverse && (method == "getAddresses" || method == "stx_getAddresses"):
		return "wallet_connect", params, nil
	case kind == provider.Xverse && method == "sendTransfer":
		out, err := withAmounts(params, func(amount any) (any, error) { return numberValue(toNumber(amount)), nil })
		if err == nil {
			out.set("network", Undefined{})
		}
		return method, out, err
	case kind == provider.Xverse && method == "signPsbt":
		out, err := xversePSBT(params)
		return method, out, err
	case kind != provider.Xverse && method == "stx_signMessage":
		out := spread(params)
		out.delete("publicKey")
		return method, out, nil
	case kind == provider.Leather && method == "sendTransfer":
		out, err := withAmounts(params, func(amount any) (any, error) {
			switch amount.(type) {
			case nil, Undefined:
				return nil, cannotRead(amount, "toString")
			}
			return show(amount), nil
		})
		return method, out, err
	case kind == provider.Leather && method == "signPsbt":
		out, err := leatherPSBT(params)
		return method, out, err
	}
	return method, params, nil
}

// spread returns {...v}: a copy of an object's members, the items of an array by
// their index, nothing of anything else.
func spread(v any) *object {
	switch v := v.(type) {
	case *object:
		return v.clone()
	case []any:
		o := newObject()
		for i, item := range v {
			o.set(strconv.Itoa(i), item)
		}
		return o
	}
	return newObject()
}

// member reads a property of any value; null and undefined have none.
func member(v any, key string) (any, error) {
	switch v := v.(type) {
	case nil, Undefined:
		return nil, cannotRead(v, key)
	case *object:
		return valueOf(v, key), nil
	}
	return Undefined{}, nil
}

// withAmounts copies params and converts the amount of each recipient.
func withAmounts(params any, convert func(any) (any, error)) (*object, error) {
	recipients, err := member(params, "recipients")
	if err != nil {
		return nil, err
	}
	list, ok := recipients.([]any)
	if !ok {
		switch recipients.(type) {
		case nil, Undefined:
			return nil, cannotRead(recipients, "map")
		}
		return nil, typeError("params.recipients.map is not a function")
	}
	converted := make([]any, len(list))
	for i, recipient := range list {
		amount, err := member(recipient, "amount")
		if err != nil {
			return nil, err
		}
		if amount, err = convert(amount); err != nil {
			return nil, err
		}
		o := spread(recipient)
		o.set("amount", amount)
		converted[i] = o
	}
	out := spread(params)
	out.set("recipients", converted)
	return out, nil
}

// xversePSBT groups signInputs by address. Plain indexes and entries without
// address are lost, network and allowedSighash too.
func xversePSBT(params any) (any, error) {
	signInputs, err := member(params, "signInputs")
	if err != nil {
		return nil, err
	}
	if !truthy(signInputs) {
		return params, nil
	}
	list, ok := signInputs.([]any)
	if !ok {
		return nil, typeError("signInputs is not iterable")
	}
	byAddress := newObject()
	for _, input := range list {
		if _, number := input.(json.Number); number {
			continue
		}
		address, err := member(input, "address")
		if err != nil {
			return nil, err
		}
		if !truthy(address) {
			continue
		}
		index, err := member(input, "index")
		if err != nil {
			return nil, err
		}
		key := show(address)
		indexes, _ := valueOf(byAddress, key).([]any)
		byAddress.set(key, append(indexes, index))
	}
	p := spread(params)
	out := newObject()
	out.set("psbt", valueOf(p, "psbt"))
	out.set("signInputs", byAddress)
	out.set("broadcast", valueOf(p, "broadcast"))
	return out, nil
}

// leatherPSBT hands the PSBT over as hex and the inputs as plain indexes.
func leatherPSBT(params any) (*object, error) {
	signInputs, err := member(params, "signInputs")
	if err != nil {
		return nil, err
	}
	p := spread(params)
	text, ok := valueOf(p, "psbt").(string)
	if !ok {
		return nil, &Exception{Name: "Error", Message: "psbt: must be a base64 string"}
	}
	psbt, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, &Exception{Name: "Error", Message: "psbt: not base64: " + err.Error()}
	}
	out := newObject()
	out.set("hex", hex.EncodeToString(psbt))
	if truthy(signInputs) {
		list, ok := signInputs.([]any)
		if !ok {
			return nil, typeError("signInputs.map is not a function")
		}
		indexes := make([]any, len(list))
		for i, input := range list {
			if _, number := input.(json.Number); number {
				indexes[i] = input
				continue
			}
			if indexes[i], err = member(input, "index"); err != nil {
				return nil, err
			}
		}
		out.set("signAtIndex", indexes)
	}
	for _, key := range []string{"allowedSighash", "broadcast", "network", "descriptor"} {
		out.set(key, valueOf(p, key))
	}
	return out, nil
}

// overrideResult changes a result as enableOverrides does: it is copied, txId is
// also given as txid, and hex also as a base64 psbt.
func overrideResult(result any) (json.RawMessage, error) {
	out := spread(result)
	switch result := result.(type) {
	case nil:
		return write(out)
	case []any:
	case *object:
		if id := valueOf(result, "txId"); truthy(id) {
			if _, there := out.get("txid"); !there {
				out.set("txid", id)
			}
		}
		if text, ok := valueOf(result, "hex").(string); ok && text != "" {
			if _, there := out.get("psbt"); !there {
				psbt, err := hex.DecodeString(text)
				if err != nil {
					return nil, &Exception{Name: "Error", Message: "hex: " + err.Error()}
				}
				out.set("psbt", base64.StdEncoding.EncodeToString(psbt))
			}
		}
	default:
		return nil, cannotSearch("txId", result)
	}
	return write(out)
}
