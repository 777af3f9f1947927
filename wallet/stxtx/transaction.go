// Package stxtx reads, writes, hashes, signs and verifies Stacks transactions
// (SIP-005 with the payloads and modes added since), and post-conditions.
//
// Reading is strict: no missing and no trailing bytes, nothing allocated that
// the input does not hold; what is read is written back byte for byte.
//
// The package is pure: it holds no keys (a caller hands in a function that
// signs a hash), does no I/O, and imports wallet/c32, wallet/clarity and the
// secp256k1 library.
package stxtx

import (
	"crypto/sha512"
	"encoding/hex"
	"fmt"
)

// Versions and chain ids.
const (
	VersionMainnet byte   = 0x00
	VersionTestnet byte   = 0x80
	ChainIDMainnet uint32 = 1
	ChainIDTestnet uint32 = 0x80000000
)

// MaxBytes bounds the size of a transaction: a node's block limit, 2 MiB.
const MaxBytes = 2 << 20

// AnchorMode says which kind of block may carry a transaction. Since the
// Nakamoto upgrade it has no effect; the reference library writes AnchorAny.
type AnchorMode byte

// The anchor modes.
const (
	AnchorOnChain  AnchorMode = 1
	AnchorOffChain AnchorMode = 2
	AnchorAny      AnchorMode = 3
)

// String returns the name in words.
func (m AnchorMode) String() string {
	return name(m, map[AnchorMode]string{AnchorOnChain: "on_chain_only", AnchorOffChain: "off_chain_only", AnchorAny: "any"})
}

// PostConditionMode describes what happens to transfers that no post-condition
// covers.
type PostConditionMode byte

// The post-condition modes.
const (
	ModeAllow      PostConditionMode = 1 // they are allowed
	ModeDeny       PostConditionMode = 2 // they abort the transaction
	ModeOriginator PostConditionMode = 3 // those of the originator abort it, others are allowed
)

// String returns the name that params use.
func (m PostConditionMode) String() string {
	return name(m, map[PostConditionMode]string{ModeAllow: "allow", ModeDeny: "deny", ModeOriginator: "originator"})
}

// name looks up the name of a code, or writes its number.
func name[T ~byte](code T, names map[T]string) string {
	if text, ok := names[code]; ok {
		return text
	}
	return fmt.Sprintf("0x%02x", byte(code))
}

// Transaction is a Stacks transaction.
type Transaction struct {
	Version           byte
	ChainID           uint32
	Auth              Auth
	AnchorMode        AnchorMode
	PostConditionMode PostConditionMode
	PostConditions    []PostCondition
	Payload           Payload
}

// Mainnet reports whether the version byte is that of the main network.
func (t *Transaction) Mainnet() bool { return t.Version&0x80 == 0 }

// CheckNetwork refuses a version byte and a chain id that are not both of the
// main network or both of the test network.
func (t *Transaction) CheckNetwork() error {
	switch {
	case t.Version == VersionMainnet && t.ChainID == ChainIDMainnet, t.Version == VersionTestnet && t.ChainID == ChainIDTestnet:
		return nil
	}
	return fmt.Errorf("version 0x%02x with chain id 0x%08x: it must be 0x00 with 0x00000001 (mainnet) or 0x80 with 0x80000000 (testnet)", t.Version, t.ChainID)
}

// Encode writes the bytes of the transaction.
func (t *Transaction) Encode() ([]byte, error) {
	w := writer{out: make([]byte, 0, 256)}
	w.transaction(t)
	if w.err != nil {
		return nil, fmt.Errorf("transaction: %w", w.err)
	}
	if len(w.out) > MaxBytes {
		return nil, fmt.Errorf("transaction: it has %d bytes, at most %d are taken", len(w.out), MaxBytes)
	}
	return w.out, nil
}

// EncodePayload writes the bytes of the payload alone.
func (t *Transaction) EncodePayload() ([]byte, error) {
	w := writer{}
	w.payload(t.Payload)
	if w.err != nil {
		return nil, fmt.Errorf("payload: %w", w.err)
	}
	return w.out, nil
}

// Hex writes the bytes as lower-case hexadecimal digits, without 0x.
func (t *Transaction) Hex() (string, error) {
	b, err := t.Encode()
	return hex.EncodeToString(b), err
}

// TxID returns the SHA-512/256 of the bytes: the transaction id as it is, which
// is the final one only when the transaction is signed by all.
func (t *Transaction) TxID() ([32]byte, error) {
	b, err := t.Encode()
	return sha512.Sum512_256(b), err
}

// Clone copies the transaction so that signing the copy leaves t as it is.
// Payload and post-conditions are shared; nothing changes them.
func (t *Transaction) Clone() *Transaction {
	c := *t
	c.Auth.Origin.Fields = append([]AuthField(nil), t.Auth.Origin.Fields...)
	if t.Auth.Sponsor != nil {
		sponsor := *t.Auth.Sponsor
		sponsor.Fields = append([]AuthField(nil), sponsor.Fields...)
		c.Auth.Sponsor = &sponsor
	}
	return &c
}

// ID returns the transaction id of the bytes of a transaction, as 64 lower-case
// hexadecimal digits.
func ID(b []byte) string {
	id := sha512.Sum512_256(b)
	return hex.EncodeToString(id[:])
}
