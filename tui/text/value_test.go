package text

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return n
}

func TestAmounts(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"micro-STX are shifted by six", Amount(number("1500000"), 6), "1.5"},
		{"a whole amount has no point", Amount(number("2000000"), 6), "2"},
		{"the smallest amount keeps its zeros", Amount(number("1"), 6), "0.000001"},
		{"nothing is 0", Amount(number("0"), 6), "0"},
		{"digits are grouped", Amount(number("1234567891234"), 6), "1,234,567.891234"},
		{"amounts can be negative", Amount(number("-1500000"), 6), "-1.5"},
		{"no decimals leave an integer", Amount(number("12345"), 0), "12,345"},
		{"too many decimals are not believed", Amount(number("12345"), 78), "12,345"},
		{"negative decimals are not believed", Amount(number("12345"), -1), "12,345"},
		{"77 decimals are shifted", Amount(number("1"), 77), "0." + strings.Repeat("0", 76) + "1"},
		{"the greatest supply of 128 bits", Amount(number("340282366920938463463374607431768211455"), 18), "340,282,366,920,938,463,463.374607431768211455"},
		{"an amount that was not given", Amount(nil, 6), "unknown"},
		{"fixed amounts keep every decimal", AmountFixed(number("1500000"), 6), "1.500000"},
		{"fixed amounts of nothing", AmountFixed(number("0"), 2), "0.00"},
		{"counts are grouped", Count(184203), "184,203"},
		{"short counts are not", Count(999), "999"},
		{"negative counts are grouped after the sign", Count(-184203), "-184,203"},
		{"the greatest count", Count(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"},
		{"the least count", Count(int64(math.MinInt64)), "-9,223,372,036,854,775,808"},
		{"one block", Plural(1, "block"), "1 block"},
		{"many blocks", Plural(1200, "block"), "1,200 blocks"},
		{"small counts are exact", Compact(999), "999"},
		{"thousands", Compact(1234), "1.2k"},
		{"many thousands", Compact(123456), "123k"},
		{"rounding reaches the next unit", Compact(999960), "1.0M"},
		{"the greatest compact count", Compact(math.MaxUint64), "18.4E"},
		{"bytes", Bytes(512), "512 B"},
		{"kilobytes", Bytes(18200), "18.2 kB"},
		{"negative sizes", Bytes(math.MinInt64), "-9.2 EB"},
		{"shares round", Percent(0.414), "41%"},
		{"little is not nothing", Percent(0.001), "<1%"},
		{"nearly all is not all", Percent(0.999), "99%"},
		{"all", Percent(1), "100%"},
		{"more than all", Percent(1.5), "150%"},
		{"no share", Percent(math.NaN()), "0%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	now := time.Date(2024, 5, 1, 10, 0, 8, 0, time.UTC)
	zone := time.FixedZone("", 2*3600)
	tests := []struct{ name, got, want string }{
		{"seconds", Age(now, now.Add(-4*time.Second)), "4s ago"},
		{"minutes", Age(now, now.Add(-13*time.Minute)), "13m ago"},
		{"an hour less a second is minutes", Age(now, now.Add(-time.Hour+time.Second)), "59m ago"},
		{"hours", Age(now, now.Add(-2*time.Hour)), "2h ago"},
		{"days", Age(now, now.Add(-5*24*time.Hour)), "5d ago"},
		{"years", Age(now, now.Add(-3*366*24*time.Hour)), "3y ago"},
		{"a moment ago", Age(now, now.Add(-time.Millisecond)), "now"},
		{"the future", Age(now, now.Add(4*time.Second)), "now"},
		{"no time", Age(now, time.Time{}), "unknown"},
		{"short", AgeShort(now, now.Add(-4*time.Second)), "4s"},
		{"short future", AgeShort(now, now.Add(90*time.Second)), "now"},
		{"short without a time", AgeShort(now, time.Time{}), "?"},
		{"short and now", AgeShort(now, now.Add(time.Millisecond)), "0s"},
		{"UTC", UTC(now), "2024-05-01 10:00:08Z"},
		{"local", Local(now, zone), "2024-05-01 12:00:08 +02:00"},
		{"UTC of no time", UTC(time.Time{}), "unknown"},
		{"parts of a millisecond", Duration(412 * time.Microsecond), "0.4ms"},
		{"milliseconds", Duration(84 * time.Millisecond), "84ms"},
		{"nearly a second", Duration(999700 * time.Microsecond), "1.0s"},
		{"seconds with a tenth", Duration(1234 * time.Millisecond), "1.2s"},
		{"nearly ten seconds", Duration(9960 * time.Millisecond), "10s"},
		{"many seconds", Duration(42 * time.Second), "42s"},
		{"minutes and seconds", Duration(123 * time.Second), "2m03s"},
		{"hours and minutes", Duration(185 * time.Minute), "3h05m"},
		{"days and hours", Duration(52 * time.Hour), "2d04h"},
		{"negative", Duration(-84 * time.Millisecond), "-84ms"},
		{"none", Duration(0), "0ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}
