package bridge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"chainscope/wallet/clarity"
)

// maxMismatches bounds how many differences between a rule and a call are listed.
const maxMismatches = 8

// mismatches lists where a value of a call differs from what a rule wants, each
// with its path; nothing when it fits. Objects match by the keys that the rule
// names, arrays by position and length, an integer equals its decimal string,
// and a Clarity literal equals the hex that it encodes to.
func mismatches(path string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{differs(path, want, got)}
		}
		var list []string
		for _, key := range slices.Sorted(maps.Keys(want)) {
			inner, there := object[key]
			at := strings.TrimPrefix(path+"."+key, ".")
			if !there {
				list = append(list, fmt.Sprintf("%s: want %s, it is missing", at, brief(want[key])))
			} else {
				list = append(list, mismatches(at, want[key], inner)...)
			}
		}
		return list[:min(len(list), maxMismatches)]
	case []any:
		array, ok := got.([]any)
		if !ok {
			return []string{differs(path, want, got)}
		}
		if len(array) != len(want) {
			return []string{fmt.Sprintf("%s: want %d items, got %d", path, len(want), len(array))}
		}
		var list []string
		for i := range want {
			list = append(list, mismatches(fmt.Sprintf("%s[%d]", path, i), want[i], array[i])...)
		}
		return list[:min(len(list), maxMismatches)]
	case nil:
		if got == nil {
			return nil
		}
	case bool:
		if got == want {
			return nil
		}
	default:
		if sameScalar(want, got) {
			return nil
		}
	}
	return []string{differs(path, want, got)}
}

func differs(path string, want, got any) string {
	if path == "" {
		path = "params"
	}
	return fmt.Sprintf("%s: want %s, got %s", path, brief(want), brief(got))
}

// brief writes a value as JSON of a length that can be printed.
func brief(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return shorten(text)
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

// rational refuses exponents, which could request a number of any size.
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

// sameClarity reports whether a literal such as u1 encodes to the hex of a call.
func sameClarity(literal, hex string) bool {
	value, err := clarity.ParseLiteral(literal)
	if err != nil {
		return false
	}
	encoded, err := clarity.EncodeHex(value)
	return err == nil && encoded == strings.ToLower(strings.TrimPrefix(hex, "0x"))
}
