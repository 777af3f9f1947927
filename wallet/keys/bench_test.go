package keys

import "testing"

func BenchmarkSign(b *testing.B) {
	key, err := NewTestRing().Stacks(0)
	if err != nil {
		b.Fatal(err)
	}
	hash := [32]byte{1, 2, 3}
	b.ReportAllocs()
	for b.Loop() {
		key.Sign(hash)
	}
}
