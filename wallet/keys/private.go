package keys

import (
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/stxtx"
)

// PrivateKey is one secp256k1 key. It prints as "[secret]".
type PrivateKey struct {
	hidden
	key    *secp256k1.PrivateKey
	public [33]byte
	hash   [20]byte // hash160 of public
}

func newPrivateKey(key *secp256k1.PrivateKey) *PrivateKey {
	public := [33]byte(key.PubKey().SerializeCompressed())
	return &PrivateKey{hidden{}, key, public, stxtx.Hash160(public[:])}
}

// PublicKey returns the compressed public key.
func (k *PrivateKey) PublicKey() [33]byte { return k.public }

// Hash160 returns the hash of the compressed public key, as in a Stacks address.
func (k *PrivateKey) Hash160() [20]byte { return k.hash }

// compactHeader is the first byte of the library's compact signature of a
// compressed key, before the recovery id is added to it.
const compactHeader = 27 + 4

// Sign signs a hash: recoverable, with the nonce of RFC 6979 and a low s. It is
// a [stxtx.SignFunc]: the result is in VRS order, [stxtx.Signature.RSV] returns
// the order that messages use.
func (k *PrivateKey) Sign(hash [32]byte) stxtx.Signature {
	signature := stxtx.Signature(ecdsa.SignCompact(k.key, hash[:], true))
	signature[0] -= compactHeader
	return signature
}

// Secp256k1 returns the key for signing with other libraries (btcec's type is
// the same). It must not be printed.
func (k *PrivateKey) Secp256k1() *secp256k1.PrivateKey { return k.key }
