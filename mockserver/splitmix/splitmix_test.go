package splitmix

import (
	"testing"

	"pgregory.net/rapid"
)

func TestUnmixInvertsMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Uint64().Draw(t, "x")
		if got := Unmix(Mix(x)); got != x {
			t.Fatalf("Unmix(Mix(%#x)) = %#x", x, got)
		}
		if got := Mix(Unmix(x)); got != x {
			t.Fatalf("Mix(Unmix(%#x)) = %#x", x, got)
		}
	})
}

func TestDrawsAreSpreadOverTheirRange(t *testing.T) {
	k := NewKey(1, 2)
	var seen [16]int
	for n := range uint64(16_000) {
		seen[Below(k.At(n), 16)]++
	}
	for v, count := range seen {
		if count < 800 || count > 1200 {
			t.Errorf("value %d drawn %d times of 16000", v, count)
		}
	}
}

func TestKeysOfTwoPurposesOrSeedsDiffer(t *testing.T) {
	if NewKey(1, 1) == NewKey(1, 2) || NewKey(1, 1) == NewKey(2, 1) {
		t.Error("two purposes or seeds share a key")
	}
}
