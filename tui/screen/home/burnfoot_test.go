package home

import "testing"

func TestTheFootOfABurnBlockCounts(t *testing.T) {
	for txs, want := range map[float64]string{0: "1 block, 0 txs", 1: "1 block, 1 tx", 2: "1 block, 2 txs"} {
		of := spot{group: group{blocks: []block{{txs: txs}}, count: 1, whole: true}, columns: 1, width: 40}
		if got := new(Screen).burnFoot(of); got != want {
			t.Errorf("%v transactions: %q, want %q", txs, got, want)
		}
	}
}
