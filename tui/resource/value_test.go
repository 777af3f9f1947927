package resource

import (
	"math/big"
	"testing"
	"time"
)

func TestAnAmountIsNeverCutToAnotherNumber(t *testing.T) {
	for _, c := range []struct {
		units    string
		decimals int
		width    int
		want     string
	}{
		{"3141592653589", 6, 20, "3,141,592.653589"},
		{"3141592653589", 6, 13, "3,141,592.65…"},
		{"3141592653589", 6, 9, "3,141,592"},
		{"3141592653589", 6, 8, "3.142e06"},
		{"340282366920938463463374607431768211455", 0, 13, "3.4028e38"},
		{"5", 6, 13, "0.000005"},
		{"5", 6, 7, "5.0e-06"},
		{"5", 6, 4, "…"},
		{"", 6, 13, ""},
	} {
		units, _ := new(big.Int).SetString(c.units, 10)
		if got := AmountOf(units, c.decimals).short(Amount, c.width, "…"); got != c.want {
			t.Errorf("%s in %d cells: %q, want %q", c.units, c.width, got, c.want)
		}
	}
}

// What scripts and files get is exact; what people get is readable; what is not known is
// neither zero nor empty text that could be one.
func TestAValueIsWrittenForScriptsAndForPeople(t *testing.T) {
	part := NumberOf(1234567)
	part.AtLeast = true
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		value                       Value
		of                          Type
		plain, people, short, found string
	}{
		"number":           {NumberOf(1234567), Number, "1234567", "1,234,567", "1.2M", "1234567"},
		"part of a number": {part, Number, "1234567", "1,234,567+", "1.2M+", "1234567"},
		"zero":             {NumberOf(0), Number, "0", "0", "0", "0"},
		"unknown number":   {NumberAt(nil), Number, "", "", "", ""},
		"share":            {ShareOf(0.12345), Share, "12.35", "12%", "12%", "12.35"},
		"hash":             {TextOf("0x1234567890abcdef"), Hash, "0x1234567890abcdef", "0x1234567890abcdef", "0x12…ef", "0x1234567890abcdef"},
		"text":             {TextOf("Harbor Dollar"), Text, "Harbor Dollar", "Harbor Dollar", "Harbor…", "Harbor Dollar"},
		"time":             {MomentOf(noon), Moment, "2026-01-01T11:00:00Z", "2026-01-01 11:00:00Z", "2026-0…", "90"},
		"no time":          {SecondsOf(0), Moment, "", "", "", ""},
	} {
		if got := c.value.Plain(c.of); got != c.plain {
			t.Errorf("%s is %q for scripts, want %q", name, got, c.plain)
		}
		if got := c.value.Text(c.of); got != c.people {
			t.Errorf("%s is %q for people, want %q", name, got, c.people)
		}
		if got := c.value.short(c.of, 7, "…"); got != c.short {
			t.Errorf("%s in 7 cells is %q, want %q", name, got, c.short)
		}
		found := c.value.compared(c.of, noon.Add(90*time.Second))
		if found.Text != c.found || found.AtLeast != c.value.AtLeast {
			t.Errorf("filters compare %s as %+v, want %q", name, found, c.found)
		}
	}
}
