package stxtx

import (
	"crypto/sha256"

	//lint:ignore SA1019 addresses are defined with this hash
	"golang.org/x/crypto/ripemd160" //nolint:staticcheck // addresses are defined with this hash
)

// Hash160 returns the RIPEMD-160 of the SHA-256, the hash in addresses.
func Hash160(b []byte) [20]byte {
	first := sha256.Sum256(b)
	h := ripemd160.New()
	h.Write(first[:])
	return [20]byte(h.Sum(nil))
}

// SingleSigner returns the signer's hash of one public key, serialized: of the
// key itself, or of the script of [HashP2WPKH].
func SingleSigner(mode HashMode, publicKey []byte) [20]byte {
	hash := Hash160(publicKey)
	if mode == HashP2WPKH {
		return Hash160(append([]byte{0x00, 0x14}, hash[:]...))
	}
	return hash
}

// multiSigner returns the signer's hash of a script that requests required
// signatures of the keys (at most 15).
func multiSigner(mode HashMode, keys [][]byte, required int) [20]byte {
	const opReserved, opCheckMultisig = 0x50, 0xae
	script := []byte{opReserved + byte(required)}
	for _, key := range keys {
		script = append(append(script, byte(len(key))), key...)
	}
	script = append(script, opReserved+byte(len(keys)), opCheckMultisig)
	if mode == HashP2WSH || mode == HashP2WSHNonSequential {
		hash := sha256.Sum256(script)
		script = append([]byte{0x00, 0x20}, hash[:]...)
	}
	return Hash160(script)
}
