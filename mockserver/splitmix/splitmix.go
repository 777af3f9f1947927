// Package splitmix is the mock's randomness: a permutation of 64-bit words that
// can be read at any place and inverted. It is no cipher and keeps no secret;
// the same seed gives the same draws on every machine, because it uses
// integers only.
//
// It must not import anything of chainscope and does no I/O.
package splitmix

import "math/bits"

// The constants of Mix and Unmix, for who writes them in another language.
const (
	Golden = 0x9e3779b97f4a7c15
	Mul1   = 0xbf58476d1ce4e5b9
	Mul2   = 0x94d049bb133111eb
	Inv1   = 0x96de1b173f119089
	Inv2   = 0x319642b2d24d8ec3
)

// Mix permutes the 64-bit words (the finaliser of splitmix64, Steele, Lea and
// Flood 2014, with the increment added first so that zero has no fixed point).
func Mix(x uint64) uint64 {
	x += Golden
	x = (x ^ x>>30) * Mul1
	x = (x ^ x>>27) * Mul2
	return x ^ x>>31
}

// Unmix returns the inverse of Mix.
func Unmix(x uint64) uint64 {
	x ^= x>>31 ^ x>>62
	x *= Inv2
	x ^= x>>27 ^ x>>54
	x *= Inv1
	x ^= x>>30 ^ x>>60
	return x - Golden
}

// Key is the key of one purpose; draws under two keys have nothing to do with
// each other.
type Key uint64

// NewKey derives the key of a purpose from a seed and the purpose's number.
func NewKey(seed, purpose uint64) Key {
	return Key(Mix(Mix(seed) ^ Mix(purpose*Golden+Mul1)))
}

// At returns draw number n: 64 random bits, the same whenever they are requested.
func (k Key) At(n uint64) uint64 { return Mix(uint64(k) + n*Golden) }

// Below maps 64 random bits to 0 ... n-1. n must be above 0.
func Below(x, n uint64) uint64 {
	hi, _ := bits.Mul64(x, n)
	return hi
}
