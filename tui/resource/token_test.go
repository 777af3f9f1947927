package resource

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// The column of supplies has one unit, whole tokens: what cannot be said in it stays empty.
func TestASupplyWhoseUnitIsUnknownIsEmpty(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	columns := Tokens(false).Columns
	supply := columns[slices.IndexFunc(columns, func(c Column[Token]) bool { return c.Name == "supply" })]
	of := func(n int) *int { return &n }
	most, _ := new(big.Int).SetString("340282366920938463463374607431768211455", 10)
	for _, c := range []struct {
		units    *big.Int
		decimals *int
		want     string
	}{
		{big.NewInt(1_500_000), of(6), "1.5"},
		{big.NewInt(0), of(6), "0"},
		{big.NewInt(7), of(0), "7"},
		{big.NewInt(1_500_000), nil, ""},
		{big.NewInt(1_500_000), of(-1), ""},
		{big.NewInt(1_500_000), of(1000), ""},
		{nil, of(6), ""},
		{nil, nil, ""},
		{most, of(0), "3.4028e38"},
		{most, of(18), "3.4028e20"},
		{most, of(38), "3.4028236692093…"},
	} {
		got := strings.TrimSpace(ansi.Strip(supply.Words(Token{Principal: "SP000000000000000000002Q6VF78.a", Units: c.units, Decimals: c.decimals}, 16, th)))
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.units, got, c.want)
		}
	}
}
