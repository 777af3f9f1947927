package text

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// MaxDecimals is the greatest number of decimals an amount is shifted by. What
// a token claims beyond is not believed.
const MaxDecimals = 77

// Amount writes an amount in whole tokens: the integer v shifted by decimals,
// its digits grouped, zeros at the end of the fraction left out: 1500000 with
// 6 decimals is "1.5". With decimals below 0 or above [MaxDecimals] v is
// written as it is. A nil v is [Unknown].
func Amount(v *big.Int, decimals int) string {
	whole, fraction := parts(v, decimals)
	return point(whole, strings.TrimRight(fraction, "0"))
}

// AmountFixed is [Amount] with all decimals written: 1500000 with 6 decimals
// is "1.500000".
func AmountFixed(v *big.Int, decimals int) string { return point(parts(v, decimals)) }

// parts returns the grouped whole part and the fraction of an amount.
func parts(v *big.Int, decimals int) (whole, fraction string) {
	if v == nil {
		return Unknown, ""
	}
	if decimals <= 0 || decimals > MaxDecimals {
		return Integer(v), ""
	}
	digits := new(big.Int).Abs(v).String()
	if n := decimals + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	sign := ""
	if v.Sign() < 0 {
		sign = "-"
	}
	at := len(digits) - decimals
	return sign + group(digits[:at]), digits[at:]
}

func point(whole, fraction string) string {
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Integer writes a big integer with its digits grouped, [Unknown] for nil.
func Integer(v *big.Int) string {
	if v == nil {
		return Unknown
	}
	return group(v.String())
}

// Count writes an integer with its digits grouped in threes: "184,203".
func Count[T ~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64](n T) string {
	if n < 0 {
		return group(strconv.FormatInt(int64(n), 10))
	}
	return group(strconv.FormatUint(uint64(n), 10))
}

// group puts a comma before every third digit from the end.
func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= 3 {
		return sign + digits
	}
	var b strings.Builder
	b.Grow(len(sign) + len(digits) + len(digits)/3)
	b.WriteString(sign)
	first := len(digits) % 3
	b.WriteString(digits[:first])
	for i := first; i < len(digits); i += 3 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(digits[i : i+3])
	}
	return b.String()
}

// Compact writes a count in at most five cells for charts and narrow columns:
// "999", "1.2k", "34.0k", "210M", up to "18.4E".
func Compact(n uint64) string {
	if n < 1000 {
		return strconv.FormatUint(n, 10)
	}
	return scale(float64(n), 1000, "kMGTPE")
}

// Bytes writes a size in bytes: "512 B", "18.2 kB", "3.4 MB" (units of 1000).
func Bytes(n int64) string {
	sign := ""
	size := uint64(n)
	if n < 0 {
		sign, size = "-", -size
	}
	if size < 1000 {
		return sign + strconv.FormatUint(size, 10) + " B"
	}
	s := scale(float64(size), 1000, "kMGTPE")
	return sign + s[:len(s)-1] + " " + s[len(s)-1:] + "B"
}

// scale divides by the base until at most three digits are left, and names the
// power by a letter of units.
func scale(f, base float64, units string) string {
	i := -1
	// Rounded, so that 999,960 is "1.0M" and not "1000k".
	for i < 0 || math.Round(f) >= base && i < len(units)-1 {
		f /= base
		i++
	}
	prec := 0
	if f < 99.95 {
		prec = 1
	}
	return strconv.FormatFloat(f, 'f', prec, 64) + units[i:i+1]
}

// Percent writes a share from 0 to 1 as "41%"; a share above nothing is at
// least "<1%", one below everything at most "99%".
func Percent(share float64) string {
	switch {
	case math.IsNaN(share) || share <= 0:
		return "0%"
	case share < 0.01:
		return "<1%"
	case share < 1:
		return strconv.Itoa(min(99, int(math.Round(share*100)))) + "%"
	}
	return strconv.FormatFloat(math.Min(math.Round(share*100), 99999), 'f', 0, 64) + "%"
}

// Plural gives "1 block", "20 blocks": the grouped count and the word, with an
// s but for one.
func Plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return Count(n) + " " + word
}
