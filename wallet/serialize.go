package wallet

import (
	"encoding/json"
	"math/big"
)

// Encoder turns the JSON form (SIP-030) of values to the hex that wallets take,
// without 0x.
type Encoder interface {
	ClarityHex(value json.RawMessage) (string, error)
	PostConditionHex(condition json.RawMessage) (string, error)
}

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
func (l *Library) serialize(params any) (json.RawMessage, error) {
	var o *object
	switch params := params.(type) {
	case Undefined:
		return nil, nil
	case *object, []any:
		o = spread(params)
	default:
		return write(params)
	}
	for _, key := range o.keys {
		v := o.values[key]
		if list, ok := v.([]any); ok {
			items := make([]any, len(list))
			for i, item := range list {
				converted, err := l.convert(item)
				if err != nil {
					return nil, err
				}
				items[i] = converted
			}
			o.values[key] = items
			continue
		}
		converted, err := l.convert(v)
		if err != nil {
			return nil, err
		}
		o.values[key] = converted
	}
	return write(o)
}

func (l *Library) convert(v any) (any, error) {
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
		encode := l.encoder.ClarityHex
		if name, _ := kind.(string); postConditionTypes[name] {
			encode = l.encoder.PostConditionHex
		}
		hex, err := encode(text)
		if err != nil {
			return nil, &Exception{Name: "Error", Message: err.Error()}
		}
		return hex, nil
	}
	return v, nil
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
