package wallet

import (
	"encoding/json"
	"math"
	"math/big"

	"chainscope/wallet/jsnumber"
)

// toNumber returns JavaScript's Number(): a double, so integers above 2^53 lose
// their last digits. What is no number is NaN.
func toNumber(v any) float64 {
	switch v := v.(type) {
	case nil:
		return 0
	case bool:
		if v {
			return 1
		}
		return 0
	case json.Number:
		return jsnumber.Parse(v.String())
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case string:
		return jsnumber.Parse(v)
	case []any:
		return jsnumber.Parse(show(v))
	}
	return math.NaN()
}

// numberValue returns the JSON value of a double: null when it is not finite.
func numberValue(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return json.Number(jsnumber.Format(f))
}
