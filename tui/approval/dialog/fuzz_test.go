package dialog

import (
	"fmt"
	"math/big"
	"testing"

	"chainscope/tui/text"
)

func FuzzAFeeIsReadAsItIsShown(f *testing.F) {
	for _, s := range []string{"3000", "0.003 STX", "1,000 ustx", "18446744073709551615", ".5stx", "stx", "1e3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		fee, err := parseFee(typed)
		if err != nil {
			return
		}
		for _, shown := range []string{fmt.Sprint(fee), text.Amount(new(big.Int).SetUint64(fee), stxDecimals) + " STX"} {
			if again, err := parseFee(shown); err != nil || again != fee {
				t.Errorf("%q is %d, shown as %q it is %d: %v", typed, fee, shown, again, err)
			}
		}
	})
}
