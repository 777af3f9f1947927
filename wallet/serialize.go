package wallet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// postConditionTypes are the values of type that are not Clarity types.
var postConditionTypes = map[string]bool{
	"stx-postcondition":     true,
	"ft-postcondition":      true,
	"nft-postcondition":     true,
	"staking-postcondition": true,
	"pox-postcondition":     true,
}

// serialize turns what wallets cannot take into what they can, among the
// top-level params and the items of arrays there: bigints to decimal strings,
// objects with a type to hex. It returns nil for params that are not given.
// Params that are no object are left as they are, for the wallet to refuse.
//
// A Clarity value or post-condition that has no hex is a [*jsonrpc.Error] with
// code -32602 that names its path.
func serialize(params any) (json.RawMessage, error) {
	if _, absent := params.(Undefined); absent {
		return nil, nil
	}
	given, ok := params.(*object)
	if !ok {
		return write(params)
	}
	o := given.clone()
	for _, key := range o.keys {
		v := o.values[key]
		list, ok := v.([]any)
		if !ok {
			converted, err := convert(key, v)
			if err != nil {
				return nil, err
			}
			o.values[key] = converted
			continue
		}
		items := make([]any, len(list))
		for i, item := range list {
			converted, err := convert(fmt.Sprintf("%s[%d]", key, i), item)
			if err != nil {
				return nil, err
			}
			items[i] = converted
		}
		o.values[key] = items
	}
	return write(o)
}

func convert(path string, v any) (any, error) {
	switch v := v.(type) {
	case *big.Int:
		return v.String(), nil
	case *object:
		kind, typed := v.get("type")
		if !typed {
			return v, nil
		}
		text, err := write(stringified(v))
		if err != nil {
			return nil, err
		}
		name, _ := kind.(string)
		hex, err := hexOf(text, postConditionTypes[name])
		var at *clarity.PathError
		switch {
		case errors.As(err, &at): // its path is inside that of the param
			return nil, jsonrpc.InvalidParam(path+at.Path, "%v", at.Err)
		case err != nil:
			return nil, jsonrpc.InvalidParam(path, "%v", err)
		}
		return hex, nil
	}
	return v, nil
}

// hexOf returns, in hexadecimal digits without 0x, the consensus bytes (SIP-005) of a Clarity
// value in its JSON form (SIP-030), or of a post-condition as it is in a transaction.
func hexOf(text json.RawMessage, condition bool) (string, error) {
	if condition {
		p, err := stxtx.ParsePostConditionJSON(text)
		if err != nil {
			return "", err
		}
		return stxtx.PostConditionHex(p)
	}
	v, err := clarity.ParseJSON(text)
	if err != nil {
		return "", err
	}
	return clarity.EncodeHex(v)
}

// stringified copies a tree with its bigints as decimal strings, as the JSON
// form of values has them.
func stringified(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return v.String()
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = stringified(item)
		}
		return list
	case *object:
		o := newObject()
		for _, key := range v.keys {
			o.set(key, stringified(v.values[key]))
		}
		return o
	}
	return v
}
