// Package jsnumber converts text to numbers and back as JavaScript does, for the wallets and the
// API, which are written in it.
//
// The package must import nothing of chainscope.
package jsnumber

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Parse returns what Number(s) is (StringToNumber, ECMA-262, 7.1.4.1.1): a double, so integers
// above 2^53 lose their last digits. It is NaN where the text is no number.
func Parse(s string) float64 {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		if base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[s[1]]; base != 0 {
			n, ok := new(big.Int).SetString(s[2:], base)
			if !ok || s[2] == '-' || s[2] == '+' || strings.Contains(s, "_") {
				return math.NaN()
			}
			f, _ := new(big.Float).SetInt(n).Float64()
			return f
		}
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	// Go's parser also takes inf, nan, hexadecimal floats and underscores.
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// Format writes a double as JavaScript does: digits up to 1e21, the shortest form that reads back
// as the same double.
func Format(f float64) string {
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
