package api

import (
	"slices"
	"testing"
)

// The orders are those in which the service sorts its lists.
func TestListsAreInTheOrderOfTheService(t *testing.T) {
	for _, c := range []struct {
		name  string
		order listOrder
		want  []string
	}{
		{"transactions", placeOrder, []string{"10:2147483647:2", "10:2147483647:1", "10:0:7", "9:2147483647:30", "9:2147483647:4"}},
		{"what waits", receiptOrder, []string{"100:0x01", "99:0xbb", "99:0xaa", "9:0xff"}},
		{"events", eventOrder, []string{"0", "2", "10", "011"}},
		{"balances", balanceOrder, []string{"340282366920938463463374607431768211455:a", "1000:a", "1000:b::c", "99:a"}},
		{"tokens", tokenOrder, []string{"0x02:SP1.a::x", "0x01:SP1.b::x", "0x02:SP1.b::x"}},
		{"changes of one", changeOrder, []string{"1:stx", "2:SP1.a::x", "2:SP1.b::x", "3:SP0.a::x"}},
		{"changes", changesOrder, []string{"10:0:3:1:stx", "10:0:3:2:SP1.a::x", "10:0:2:1:stx", "9:0:9:1:stx"}},
	} {
		got := slices.Clone(c.want)
		slices.Reverse(got)
		if inOrder(got, c.order, asIs); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
