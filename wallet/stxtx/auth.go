package stxtx

import (
	"chainscope/wallet/c32"
)

// AuthType says who pays the fee.
type AuthType byte

// The authorization types.
const (
	AuthStandard  AuthType = 4 // the origin
	AuthSponsored AuthType = 5 // a sponsor, who signs after the origin
)

// String returns the name in words.
func (a AuthType) String() string {
	return name(a, map[AuthType]string{AuthStandard: "standard", AuthSponsored: "sponsored"})
}

// Auth is the authorization of a transaction.
type Auth struct {
	Type    AuthType
	Origin  SpendingCondition
	Sponsor *SpendingCondition // nil for AuthStandard
}

// HashMode describes how the signer's hash160 is made from public keys.
type HashMode byte

// The hash modes. The two non-sequential ones take signatures in any order.
const (
	HashP2PKH              HashMode = 0x00
	HashP2SH               HashMode = 0x01
	HashP2WPKH             HashMode = 0x02
	HashP2WSH              HashMode = 0x03
	HashP2SHNonSequential  HashMode = 0x05
	HashP2WSHNonSequential HashMode = 0x07
)

// String returns the name in words.
func (m HashMode) String() string {
	return name(m, map[HashMode]string{
		HashP2PKH: "p2pkh", HashP2SH: "p2sh", HashP2WPKH: "p2wpkh-p2sh", HashP2WSH: "p2wsh-p2sh",
		HashP2SHNonSequential: "p2sh-non-sequential", HashP2WSHNonSequential: "p2wsh-p2sh-non-sequential",
	})
}

// Multisig reports whether the mode takes several keys.
func (m HashMode) Multisig() bool {
	switch m {
	case HashP2SH, HashP2WSH, HashP2SHNonSequential, HashP2WSHNonSequential:
		return true
	}
	return false
}

func (m HashMode) sequential() bool { return m == HashP2SH || m == HashP2WSH }

func (m HashMode) known() bool { return m == HashP2PKH || m == HashP2WPKH || m.Multisig() }

// KeyEncoding describes how a public key is written when it is hashed.
type KeyEncoding byte

// The key encodings.
const (
	KeyCompressed   KeyEncoding = 0
	KeyUncompressed KeyEncoding = 1
)

// String returns the name in words.
func (k KeyEncoding) String() string {
	return name(k, map[KeyEncoding]string{KeyCompressed: "compressed", KeyUncompressed: "uncompressed"})
}

// Signature is a recoverable signature in VRS order: the recovery id, then r
// and s, 32 bytes each.
type Signature [65]byte

// RSV returns the signature in the order of messages: r, s, recovery id.
func (s Signature) RSV() (rsv [65]byte) {
	copy(rsv[:], s[1:])
	rsv[64] = s[0]
	return rsv
}

// Zero reports whether there is no signature yet.
func (s Signature) Zero() bool { return s == Signature{} }

// SpendingCondition holds what one party of a transaction signs with.
type SpendingCondition struct {
	HashMode HashMode
	Signer   [20]byte // hash160
	Nonce    uint64
	Fee      uint64 // micro-STX

	// One key:
	KeyEncoding KeyEncoding
	Signature   Signature

	// Several keys:
	Fields   []AuthField
	Required uint16 // signatures
}

// AuthFieldType describes what an [AuthField] holds.
type AuthFieldType byte

// The types of fields.
const (
	FieldKeyCompressed         AuthFieldType = 0
	FieldKeyUncompressed       AuthFieldType = 1
	FieldSignatureCompressed   AuthFieldType = 2
	FieldSignatureUncompressed AuthFieldType = 3
)

// AuthField is a public key that has not signed, or a signature of one that
// has.
type AuthField struct {
	Type      AuthFieldType
	Key       [33]byte  // compressed form, for the two key types
	Signature Signature // for the two signature types
}

func (f AuthField) isSignature() bool { return f.Type >= FieldSignatureCompressed }

func (f AuthField) encoding() KeyEncoding { return KeyEncoding(f.Type & 1) }

// Signatures counts the signatures that are there.
func (c *SpendingCondition) Signatures() int {
	if !c.HashMode.Multisig() {
		if c.Signature.Zero() {
			return 0
		}
		return 1
	}
	n := 0
	for _, f := range c.Fields {
		if f.isSignature() {
			n++
		}
	}
	return n
}

// Address returns the signer's address on the main or the test network.
func (c *SpendingCondition) Address(mainnet bool) c32.Address {
	version := c32.MainnetP2PKH
	switch single := c.HashMode == HashP2PKH; {
	case mainnet && !single:
		version = c32.MainnetP2SH
	case !mainnet && single:
		version = c32.TestnetP2PKH
	case !mainnet:
		version = c32.TestnetP2SH
	}
	return c32.Address{Version: version, Hash160: c.Signer}
}

// cleared returns the condition as it enters the initial hash: without nonce, fee
// and signatures.
func (c SpendingCondition) cleared() SpendingCondition {
	c.Nonce, c.Fee, c.Signature, c.Fields = 0, 0, Signature{}, nil
	return c
}

// Unsponsored returns the sponsor's condition before a sponsor is known, as the
// reference library writes it: the signer is the hash of 33 zero bytes.
func Unsponsored() *SpendingCondition {
	return &SpendingCondition{HashMode: HashP2PKH, Signer: unsponsoredSigner}
}

// unsponsoredSigner is the hash160 of 33 zero bytes.
var unsponsoredSigner = [20]byte{
	0x29, 0xcf, 0xc6, 0x37, 0x62, 0x55, 0xa7, 0x84, 0x51, 0xee,
	0xb4, 0xb1, 0x29, 0xed, 0x8e, 0xac, 0xff, 0xa2, 0xfe, 0xef,
}
