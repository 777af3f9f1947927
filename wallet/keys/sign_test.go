package keys

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"pgregory.net/rapid"

	"chainscope/wallet/stxtx"
)

// library is the signature as the library makes it.
func library(key *secp256k1.PrivateKey, hash [32]byte) stxtx.Signature {
	s := stxtx.Signature(ecdsa.SignCompact(key, hash[:], true))
	s[0] = (s[0] - 27) & 3
	return s
}

func TestEverySignatureIsThatOfTheLibrary(t *testing.T) {
	fixed := func(text string) (b [32]byte) {
		raw, err := hex.DecodeString(text)
		if err != nil || copy(b[:], raw) != 32 {
			t.Fatal(text)
		}
		return b
	}
	edges := [][32]byte{
		fixed(strings.Repeat("00", 31) + "01"),
		fixed(strings.Repeat("00", 31) + "02"),
		fixed("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"), // half the order
		fixed("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"), // the order less one
	}
	hashes := append([][32]byte{
		{},
		fixed(strings.Repeat("ff", 32)),
		fixed("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"), // the order
		fixed("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"), // the prime of the field
	}, edges...)
	for _, secret := range edges {
		key := secp256k1.PrivKeyFromBytes(secret[:])
		for _, hash := range hashes {
			if got, want := newPrivateKey(key).Sign(hash), library(key, hash); got != want {
				t.Errorf("key %x, hash %x: %x, want %x", secret, hash, got, want)
			}
		}
	}
	recovery := map[byte]int{}
	rapid.Check(t, func(t *rapid.T) {
		secret := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		hash := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
		key := secp256k1.PrivKeyFromBytes(secret[:])
		if key.Key.IsZero() {
			key.Key.SetInt(1) // zero is no key
		}
		got, want := newPrivateKey(key).Sign(hash), library(key, hash)
		if got != want {
			t.Fatalf("%x, want %x", got, want)
		}
		recovery[got[0]]++
	})
	if recovery[0] == 0 || recovery[1] == 0 {
		t.Errorf("recovery ids %v, want 0 and 1", recovery)
	}
}

// Such points cannot be found by signing: every coordinate is drawn.
func TestAffineBringsAPointToItsCoordinates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *secp256k1.FieldVal {
			var v secp256k1.FieldVal
			v.SetByteSlice(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			return v.Normalize()
		}
		point := secp256k1.JacobianPoint{X: *draw("x"), Y: *draw("y"), Z: *draw("z")}
		if point.Z.IsZero() {
			point.Z.SetInt(1) // zero is the point at infinity
		}
		blind := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "blind"))
		blind[31] |= 1
		x, odd := affine(&point, blind)
		point.ToAffine()
		if x != *point.X.Bytes() || uint32(odd) != point.Y.IsOddBit() {
			t.Fatalf("x %x, odd %d, want %x, %d", x, odd, *point.X.Bytes(), point.Y.IsOddBit())
		}
	})
}

func TestWhatIsMadeOnceIsKept(t *testing.T) {
	type name struct{ account int }
	ring, made := NewTestRing(), 0
	for range 3 {
		for account := range 2 {
			got, err := Once(ring, name{account}, func() (int, error) {
				made++
				return account * 10, nil
			})
			if err != nil || got != account*10 {
				t.Errorf("account %d: %d, %v", account, got, err)
			}
		}
	}
	if made != 2 {
		t.Errorf("made %d times, want 2", made)
	}
	for range 2 {
		if _, err := Once(ring, name{9}, func() (int, error) { made++; return 0, ErrPassphrase }); err == nil {
			t.Error("no error")
		}
	}
	if made != 4 {
		t.Errorf("an error was kept: made %d times, want 4", made)
	}
}

func BenchmarkSign(b *testing.B) {
	key, err := NewTestRing().Stacks(0)
	if err != nil {
		b.Fatal(err)
	}
	hash := [32]byte{1, 2, 3}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			key.Sign(hash)
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			library(key.Secp256k1(), hash)
		}
	})
}
