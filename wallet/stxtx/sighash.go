package stxtx

import (
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/c32"
)

// SignFunc signs a hash with one private key: recoverable, RFC 6979, low s, as
// the compressed key does.
type SignFunc func(hash [32]byte) Signature

// InitialSighash returns the hash that the chain of signatures begins with: the
// SHA-512/256 of the transaction without nonce, fee and signatures of the
// origin, and with an empty sponsor.
func (t *Transaction) InitialSighash() ([32]byte, error) {
	c := *t
	c.Auth.Origin = t.Auth.Origin.cleared()
	if t.Auth.Sponsor != nil {
		c.Auth.Sponsor = &SpendingCondition{HashMode: HashP2PKH}
	}
	return c.TxID()
}

// presign returns what one signer signs: the hash so far, the flag of its role (4
// origin, 5 sponsor), fee and nonce.
func presign(sighash [32]byte, role AuthType, fee, nonce uint64) [32]byte {
	var b [32 + 1 + 8 + 8]byte
	copy(b[:], sighash[:])
	b[32] = byte(role)
	binary.BigEndian.PutUint64(b[33:], fee)
	binary.BigEndian.PutUint64(b[41:], nonce)
	return sha512.Sum512_256(b[:])
}

// postsign returns the hash that the next signer continues with.
func postsign(presign [32]byte, encoding KeyEncoding, signature Signature) [32]byte {
	var b [32 + 1 + 65]byte
	copy(b[:], presign[:])
	b[32] = byte(encoding)
	copy(b[33:], signature[:])
	return sha512.Sum512_256(b[:])
}

// SignOrigin signs as the origin with one compressed key. A condition of
// several keys gets one more field with the signature after the fields that it
// has, as the reference library adds it: keys take their turns in the order in
// which the signer's hash names them.
func (t *Transaction) SignOrigin(sign SignFunc) error {
	initial, err := t.InitialSighash()
	if err != nil {
		return err
	}
	c := &t.Auth.Origin
	if !c.HashMode.Multisig() {
		c.KeyEncoding, c.Signature = KeyCompressed, sign(presign(initial, AuthStandard, c.Fee, c.Nonce))
		return nil
	}
	if c.Signatures() >= int(c.Required) {
		return fmt.Errorf("transaction: the origin has the %d signatures that it requires", c.Required)
	}
	current, _, err := c.replay(initial, AuthStandard)
	if err != nil {
		return fmt.Errorf("transaction: origin: %w", err)
	}
	c.Fields = append(c.Fields, AuthField{Type: FieldSignatureCompressed, Signature: sign(presign(current, AuthStandard, c.Fee, c.Nonce))})
	return nil
}

// OriginKeys returns the public keys of the fields of an origin with several
// keys, serialized: those that are written out and those that have signed.
func (t *Transaction) OriginKeys() ([][]byte, error) {
	initial, err := t.InitialSighash()
	if err != nil {
		return nil, err
	}
	_, keys, err := t.Auth.Origin.replay(initial, AuthStandard)
	if err != nil {
		return nil, fmt.Errorf("transaction: origin: %w", err)
	}
	return keys, nil
}

// SignSponsor signs as the sponsor with one compressed key. The origin has to
// have signed; Sponsor names the sponsor, its nonce and fee.
func (t *Transaction) SignSponsor(sign SignFunc) error {
	if t.Auth.Sponsor == nil {
		return errors.New("transaction: it takes no sponsor")
	}
	if t.Auth.Sponsor.HashMode.Multisig() {
		return errors.New("transaction: the sponsor has several keys, one of them cannot sign alone")
	}
	after, err := t.verifiedOrigin()
	if err != nil {
		return err
	}
	t.Auth.Sponsor.KeyEncoding = KeyCompressed
	t.Auth.Sponsor.Signature = sign(presign(after, AuthSponsored, t.Auth.Sponsor.Fee, t.Auth.Sponsor.Nonce))
	return nil
}

// VerifyOrigin checks the signatures of the origin.
func (t *Transaction) VerifyOrigin() error {
	_, err := t.verifiedOrigin()
	return err
}

// verifiedOrigin checks the signatures of the origin and returns the hash after them,
// which a sponsor signs, even where they do not hold.
func (t *Transaction) verifiedOrigin() (after [32]byte, err error) {
	initial, err := t.InitialSighash()
	if err != nil {
		return after, err
	}
	after, err = t.Auth.Origin.verify(initial, AuthStandard)
	if err != nil {
		return after, fmt.Errorf("transaction: origin: %w", err)
	}
	return after, nil
}

// Verify checks the signatures of the origin and, if there is one, the sponsor.
func (t *Transaction) Verify() error {
	_, err := t.VerifyExcept(nil)
	return err
}

// VerifyExcept is Verify, but the signatures of an excused address need not hold; nil excuses
// nobody. It returns whose do not: the origin first.
func (t *Transaction) VerifyExcept(excused func(c32.Address) bool) (unsigned []c32.Address, err error) {
	excuse := func(c *SpendingCondition, err error) error {
		address := c.Address(t.Mainnet())
		if err == nil || excused == nil || !excused(address) {
			return err
		}
		unsigned = append(unsigned, address)
		return nil
	}
	after, err := t.verifiedOrigin()
	if err = excuse(&t.Auth.Origin, err); err != nil || t.Auth.Sponsor == nil {
		return unsigned, err
	}
	if _, err = t.Auth.Sponsor.verify(after, AuthSponsored); err != nil {
		err = fmt.Errorf("transaction: sponsor: %w", err)
	}
	return unsigned, excuse(t.Auth.Sponsor, err)
}

// verify recovers the keys from the signatures, compares their hash with the
// signer, and returns the hash that the next signer continues with; of one key even where its
// signature does not hold.
func (c *SpendingCondition) verify(sighash [32]byte, role AuthType) ([32]byte, error) {
	if !c.HashMode.Multisig() {
		hash := presign(sighash, role, c.Fee, c.Nonce)
		after := postsign(hash, c.KeyEncoding, c.Signature)
		key, err := Recover(hash, c.Signature)
		if err != nil {
			return after, err
		}
		if SingleSigner(c.HashMode, serialize(key, c.KeyEncoding)) != c.Signer {
			return after, errors.New("the signature is not that of the signer")
		}
		return after, nil
	}
	if c.Required == 0 || int(c.Required) > len(c.Fields) {
		return sighash, fmt.Errorf("%d signatures are required of %d keys", c.Required, len(c.Fields))
	}
	if len(c.Fields) > 15 {
		return sighash, fmt.Errorf("%d keys, at most 15 are verified", len(c.Fields))
	}
	current, keys, err := c.replay(sighash, role)
	if err != nil {
		return sighash, err
	}
	signatures := c.Signatures()
	enough := signatures == int(c.Required)
	if !c.HashMode.sequential() {
		enough = signatures >= int(c.Required)
	}
	if !enough {
		return sighash, fmt.Errorf("%d signatures, %d are required", signatures, c.Required)
	}
	if multiSigner(c.HashMode, keys, int(c.Required)) != c.Signer {
		return sighash, errors.New("the signatures are not those of the signer")
	}
	return current, nil
}

// replay goes through the fields of several keys in their order: it returns the
// hash that the next signer continues with and the serialized public keys.
func (c *SpendingCondition) replay(sighash [32]byte, role AuthType) ([32]byte, [][]byte, error) {
	keys := make([][]byte, 0, len(c.Fields))
	for i, f := range c.Fields {
		if !f.isSignature() {
			key, err := secp256k1.ParsePubKey(f.Key[:])
			if err != nil {
				return sighash, nil, fmt.Errorf("field %d: %w", i, err)
			}
			keys = append(keys, serialize(key, f.encoding()))
			continue
		}
		hash := presign(sighash, role, c.Fee, c.Nonce)
		key, err := Recover(hash, f.Signature)
		if err != nil {
			return sighash, nil, fmt.Errorf("field %d: %w", i, err)
		}
		keys = append(keys, serialize(key, f.encoding()))
		if c.HashMode.sequential() {
			sighash = postsign(hash, f.encoding(), f.Signature)
		}
	}
	return sighash, keys, nil
}

// Recover finds the public key that made a signature of hash.
func Recover(hash [32]byte, s Signature) (*secp256k1.PublicKey, error) {
	if s.Zero() {
		return nil, errors.New("it is not signed")
	}
	if s[0] > 3 {
		return nil, fmt.Errorf("recovery id %d, it must be 0 to 3", s[0])
	}
	var compact [65]byte
	compact[0] = 27 + 4 + s[0]
	copy(compact[1:], s[1:])
	var low secp256k1.ModNScalar
	if low.SetByteSlice(s[33:]) || low.IsOverHalfOrder() {
		return nil, errors.New("the signature's s is not low")
	}
	key, _, err := ecdsa.RecoverCompact(compact[:], hash[:])
	if err != nil {
		return nil, fmt.Errorf("the signature fits no key: %w", err)
	}
	return key, nil
}

func serialize(key *secp256k1.PublicKey, encoding KeyEncoding) []byte {
	if encoding == KeyUncompressed {
		return key.SerializeUncompressed()
	}
	return key.SerializeCompressed()
}
