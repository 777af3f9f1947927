// Package clarity holds Clarity values and their four forms: consensus bytes
// (SIP-005), the JSON of the wallet interface (SIP-030), the literal a contract
// author writes, and the name of the type.
//
// Every reader is strict and bounded: no missing and no trailing bytes, at most
// [MaxDepth] levels, at most [MaxBytes] bytes.
//
// The package is pure: no keys, no I/O; it imports wallet/c32, the standard library and
// the JSON library that will be part of it.
package clarity

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"unicode/utf8"

	"chainscope/wallet/c32"
)

const (
	// MaxDepth bounds how deep a value may nest; a plain value has depth 1.
	// It is the limit that Stacks nodes set.
	MaxDepth = 32
	// MaxBytes bounds the consensus bytes of a value (1 MiB), as nodes do.
	MaxBytes = 1 << 20
	// MaxContractName is the greatest length of a contract name, in bytes.
	MaxContractName = 40
	// MaxName is the greatest length of the name of a function, an asset or a
	// tuple key, in bytes.
	MaxName = 128
)

// Value is one of the types of this package: [Int], [UInt], [Bool], [Buffer],
// [ASCII], [UTF8], [Principal], [None], [Some], [OK], [Err], [List], [Tuple].
type Value interface{ clarity() }

// Int is a signed integer of 128 bits.
type Int struct{ N *big.Int }

// UInt is an unsigned integer of 128 bits.
type UInt struct{ N *big.Int }

// Bool is true or false.
type Bool bool

// Buffer is a sequence of bytes.
type Buffer []byte

// ASCII is a string-ascii: every byte is below 0x80.
type ASCII string

// UTF8 is a string-utf8: well-formed UTF-8.
type UTF8 string

// Principal is an address or, with Contract not empty, a contract.
type Principal struct {
	Address  c32.Address
	Contract string
}

// None is the empty optional.
type None struct{}

// Some is an optional with a value.
type Some struct{ Value Value }

// OK is a response that succeeded.
type OK struct{ Value Value }

// Err is a response that failed.
type Err struct{ Value Value }

// List is a sequence of values.
type List []Value

// Tuple is a set of named values, in the order of the text or the bytes it was
// read from.
type Tuple struct {
	Fields []Field
	// Ordered says that the consensus bytes keep the order of Fields. It is
	// set for what was read from bytes: nodes and libraries order keys in
	// different ways, and what is signed or hashed has to stay as it was.
	// Otherwise the keys are ordered as the reference library orders them.
	Ordered bool
}

// Field is one entry of a [Tuple].
type Field struct {
	Name  string
	Value Value
}

func (Int) clarity()       {}
func (UInt) clarity()      {}
func (Bool) clarity()      {}
func (Buffer) clarity()    {}
func (ASCII) clarity()     {}
func (UTF8) clarity()      {}
func (Principal) clarity() {}
func (None) clarity()      {}
func (Some) clarity()      {}
func (OK) clarity()        {}
func (Err) clarity()       {}
func (List) clarity()      {}
func (Tuple) clarity()     {}

// NewUInt returns the unsigned integer n.
func NewUInt(n uint64) UInt { return UInt{new(big.Int).SetUint64(n)} }

var (
	maxUInt = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	maxInt  = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1))
	minInt  = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 127))
	two128  = new(big.Int).Lsh(big.NewInt(1), 128)
)

func (v Int) check() error {
	if v.N == nil || v.N.Cmp(minInt) < 0 || v.N.Cmp(maxInt) > 0 {
		return errors.New("an int must be from -2^127 to 2^127-1")
	}
	return nil
}

func (v UInt) check() error {
	if v.N == nil || v.N.Sign() < 0 || v.N.Cmp(maxUInt) > 0 {
		return errors.New("a uint must be from 0 to 2^128-1")
	}
	return nil
}

func (v ASCII) check() error {
	for i := range len(v) {
		if v[i] >= 0x80 {
			return fmt.Errorf("byte 0x%02x at %d of a string-ascii, it must be below 0x80", v[i], i)
		}
	}
	return nil
}

func (v UTF8) check() error {
	if !utf8.ValidString(string(v)) {
		return errors.New("a string-utf8 must be well-formed UTF-8")
	}
	return nil
}

func (v Principal) check() error {
	if v.Address.Version > 31 {
		return fmt.Errorf("address version %d, it must be 0 to 31", v.Address.Version)
	}
	if v.Contract != "" {
		return CheckContractName(v.Contract)
	}
	return nil
}

// tupleKeys are the keys of a tuple so far.
type tupleKeys map[string]bool

// add refuses what is no name, and a key that is there already.
func (k tupleKeys) add(name string) error {
	if err := CheckName(name); err != nil {
		return fmt.Errorf("tuple key: %w", err)
	}
	if k[name] {
		return fmt.Errorf("tuple key %q is there twice", name)
	}
	k[name] = true
	return nil
}

// wire returns the fields in the order of the consensus bytes.
func (v Tuple) wire() ([]Field, error) {
	keys := make(tupleKeys, len(v.Fields))
	for _, field := range v.Fields {
		if err := keys.add(field.Name); err != nil {
			return nil, err
		}
	}
	byKey := func(a, b Field) int { return compareKeys(a.Name, b.Name) }
	if v.Ordered || slices.IsSortedFunc(v.Fields, byKey) {
		return v.Fields, nil
	}
	return slices.SortedFunc(slices.Values(v.Fields), byKey), nil
}

// Get returns the value of the field with that name.
func (v Tuple) Get(name string) (Value, bool) {
	for _, field := range v.Fields {
		if field.Name == name {
			return field.Value, true
		}
	}
	return nil, false
}
