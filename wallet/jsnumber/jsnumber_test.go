package jsnumber

import (
	"math"
	"testing"
)

// The numbers are those that node prints for Number(text).
func TestTextIsReadAsByJavaScript(t *testing.T) {
	for text, want := range map[string]float64{
		"": 0, " \ufeff7\n": 7, "1e3": 1000, ".5": 0.5, "5.": 5, "+4": 4, "-4": -4, "0x1F": 31, "0b101": 5, "0o17": 15,
		"Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "1e999": math.Inf(1), "9007199254740993": 9007199254740992,
	} {
		if got := Parse(text); got != want {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"x", "1_000", "0x", "0x-1", "0xg", "-0x1", "inf", "nan", "0x1p4", "1,5", "1 2", "1e", "--1"} {
		if got := Parse(text); !math.IsNaN(got) {
			t.Errorf("%q is read as %v, want NaN", text, got)
		}
	}
}

// The texts are those that node prints for String(number).
func TestNumbersAreWrittenAsByJavaScript(t *testing.T) {
	for want, f := range map[string]float64{
		"0": math.Copysign(0, -1), "1e+21": 1e21, "100000000000000000000": 1e20, "0.000001": 1e-6, "1e-7": 1e-7,
		"0.1": 0.1, "NaN": math.NaN(), "-Infinity": math.Inf(-1),
	} {
		if got := Format(f); got != want {
			t.Errorf("%v is written %s, want %s", f, got, want)
		}
	}
}
