package bridge

import (
	"encoding/json"
	"math/big"
	"strings"

	"chainscope/wallet/clarity"
)

// matches tells whether a value of a call holds what a rule wants: objects by
// the keys that the rule names, arrays by position and length, an integer
// equals its decimal string, and a Clarity literal equals the hex that it
// encodes to.
func matches(want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range want {
			inner, ok := object[key]
			if !ok || !matches(value, inner) {
				return false
			}
		}
		return true
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return false
		}
		for i := range want {
			if !matches(want[i], array[i]) {
				return false
			}
		}
		return true
	case nil:
		return got == nil
	case bool:
		return got == want
	}
	return sameScalar(want, got)
}

func sameScalar(want, got any) bool {
	if a, ok := number(want); ok {
		if b, ok := number(got); ok {
			return a.Cmp(b) == 0
		}
	}
	a, isText := want.(string)
	b, gotText := got.(string)
	if !isText || !gotText {
		return false
	}
	return a == b || sameClarity(a, b)
}

// number reads numbers, and strings that are whole decimal numbers.
func number(value any) (*big.Rat, bool) {
	switch v := value.(type) {
	case json.Number:
		if len(v) > 400 {
			return nil, false
		}
		return rational(string(v))
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case int:
		return new(big.Rat).SetInt64(int64(v)), true
	case string:
		if i, ok := whole(v); ok {
			return new(big.Rat).SetInt(i), true
		}
	}
	return nil, false
}

// rational refuses exponents, which could ask for a number of any size.
func rational(text string) (*big.Rat, bool) {
	if strings.ContainsAny(text, "eE") {
		var f float64
		if json.Unmarshal([]byte(text), &f) != nil {
			return nil, false
		}
		return new(big.Rat).SetFloat64(f), true
	}
	return new(big.Rat).SetString(text)
}

// whole reads a decimal number as people and JSON write it.
func whole(text string) (*big.Int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 400 || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}

// sameClarity tells whether a literal such as u1 encodes to the hex of a call.
func sameClarity(literal, hex string) bool {
	value, err := clarity.ParseLiteral(literal)
	if err != nil {
		return false
	}
	encoded, err := clarity.EncodeHex(value)
	return err == nil && encoded == strings.ToLower(strings.TrimPrefix(hex, "0x"))
}
