package wallet

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// toNumber is JavaScript's Number(): a double, so integers above 2^53 lose
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
		return parseNumber(v.String())
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f
	case string:
		return parseNumber(v)
	case []any:
		return parseNumber(show(v))
	}
	return math.NaN()
}

func parseNumber(s string) float64 {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		if base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[s[1]]; base != 0 {
			n, ok := new(big.Int).SetString(s[2:], base)
			if !ok || s[2] == '-' || s[2] == '+' || strings.Contains(s, "_") {
				return math.NaN()
			}
			return toNumber(n)
		}
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// formatNumber writes a double as JavaScript does: digits up to 1e21, the
// shortest form that reads back as the same double.
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	return jsontext.Float(f).String()
}

// numberValue is the JSON value of a double: null when it is not finite.
func numberValue(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return json.Number(formatNumber(f))
}
