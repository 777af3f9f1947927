package stxtx

import (
	"encoding/hex"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"chainscope/wallet/internal/vectors"
)

// multisigVector is a transaction that stacks.js made and signed key by key.
type multisigVector struct {
	Name, HashMode, Network, Address, SignerHash, Unsigned, Signed, TxID, Seed string
	AccountIndex                                                               int
	Required                                                                   uint16
	PublicKeys                                                                 []string
	Steps                                                                      []struct {
		Signs                          bool
		Seed, PublicKey, Before, After string
		AccountIndex                   int
	}
}

// multisigVectors returns the vectors of several keys and those of one key in
// the witness mode.
func multisigVectors(t testing.TB) (several, single []multisigVector) {
	t.Helper()
	file := vectors.Load[struct{ Cases, Single []multisigVector }](t, "multisig.json")
	return file.Cases, file.Single
}

func decodeHex(t testing.TB, text string) *Transaction {
	t.Helper()
	tx, err := DecodeHex(text)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestEveryMultisigAddressIsThatOfTheReferenceLibrary(t *testing.T) {
	modes := map[string]int{}
	several, _ := multisigVectors(t)
	for _, c := range several {
		modes[c.HashMode]++
		tx := decodeHex(t, c.Signed)
		origin := &tx.Auth.Origin
		if origin.HashMode.String() != c.HashMode || origin.Required != c.Required {
			t.Errorf("%s: mode %s, %d required", c.Name, origin.HashMode, origin.Required)
		}
		if got := origin.Address(c.Network == "mainnet").String(); got != c.Address {
			t.Errorf("%s: address %s, want %s", c.Name, got, c.Address)
		}
		keys, err := tx.OriginKeys()
		if err != nil || len(keys) != len(c.PublicKeys) {
			t.Fatalf("%s: %d keys, %v, want %d", c.Name, len(keys), err, len(c.PublicKeys))
		}
		for i, key := range keys {
			if hex.EncodeToString(key) != c.PublicKeys[i] {
				t.Errorf("%s: key %d is %x, want %s", c.Name, i, key, c.PublicKeys[i])
			}
		}
		if got := multiSigner(origin.HashMode, keys, int(c.Required)); hex.EncodeToString(got[:]) != c.SignerHash {
			t.Errorf("%s: signer %x, want %s", c.Name, got, c.SignerHash)
		}
	}
	if len(modes) != 4 || len(several) != 16 {
		t.Errorf("%d vectors of the modes %v, want 16 of 4", len(several), modes)
	}
}

func TestEveryKeyOfAMultisigSignsAsTheReferenceLibrary(t *testing.T) {
	keys := accountKeys(t)
	several, _ := multisigVectors(t)
	for _, c := range several {
		t.Run(c.Name, func(t *testing.T) {
			for i, step := range c.Steps {
				if !step.Signs {
					continue
				}
				tx := decodeHex(t, step.Before)
				if err := tx.VerifyOrigin(); err == nil {
					t.Errorf("step %d: it verifies too early", i)
				}
				if err := tx.SignOrigin(signWith(keys[step.Seed+strconv.Itoa(step.AccountIndex)])); err != nil {
					t.Fatal(err)
				}
				if got, err := tx.Hex(); err != nil || got != step.After {
					t.Errorf("step %d: %s, %v, want %s", i, got, err, step.After)
				}
			}
			tx := decodeHex(t, c.Signed)
			if err := tx.VerifyOrigin(); err != nil {
				t.Error(err)
			}
			if id, err := tx.TxID(); err != nil || hex.EncodeToString(id[:]) != c.TxID {
				t.Errorf("id %x, %v, want %s", id, err, c.TxID)
			}
			if err := tx.SignOrigin(signWith(testKeys()[0])); err == nil || !strings.Contains(err.Error(), "signatures that it requires") {
				t.Errorf("one signature more: %v", err)
			}
			copied := tx.Clone()
			for i := range copied.Auth.Origin.Fields {
				copied.Auth.Origin.Fields[i].Signature[40] ^= 1
				copied.Auth.Origin.Fields[i].Key[1] ^= 1
			}
			if got, err := tx.Hex(); err != nil || got != c.Signed {
				t.Errorf("a change of the copy changed the transaction, %v", err)
			}
			if err := copied.VerifyOrigin(); err == nil {
				t.Error("it verifies with wrong signatures")
			}
		})
	}
}

func TestACopyDoesNotShareTheSponsor(t *testing.T) {
	several, _ := multisigVectors(t)
	for _, c := range several {
		tx, same := decodeHex(t, c.Signed), decodeHex(t, c.Signed)
		tx.Auth.Sponsor = &same.Auth.Origin
		copied := tx.Clone()
		copied.Auth.Sponsor.Fee++
		for i := range copied.Auth.Sponsor.Fields {
			copied.Auth.Sponsor.Fields[i].Signature[40] ^= 1
		}
		if want := decodeHex(t, c.Signed).Auth.Origin; !reflect.DeepEqual(*tx.Auth.Sponsor, want) {
			t.Errorf("%s: a change of the copy changed the transaction", c.Name)
		}
	}
}

func TestOneKeyInTheWitnessModeSignsAsTheReferenceLibrary(t *testing.T) {
	keys := accountKeys(t)
	_, single := multisigVectors(t)
	if len(single) != 2 {
		t.Fatalf("%d vectors, want 2", len(single))
	}
	for _, c := range single {
		key := keys[c.Seed+strconv.Itoa(c.AccountIndex)]
		if got := SingleSigner(HashP2WPKH, key.PubKey().SerializeCompressed()); hex.EncodeToString(got[:]) != c.SignerHash {
			t.Errorf("%s: signer %x, want %s", c.Name, got, c.SignerHash)
		}
		tx := decodeHex(t, c.Unsigned)
		if err := tx.SignOrigin(signWith(key)); err != nil {
			t.Fatal(err)
		}
		if got, err := tx.Hex(); err != nil || got != c.Signed {
			t.Errorf("%s: %s, %v, want %s", c.Name, got, err, c.Signed)
		}
		if err := tx.Verify(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if got := tx.Auth.Origin.Address(c.Network == "mainnet").String(); got != c.Address {
			t.Errorf("%s: address %s, want %s", c.Name, got, c.Address)
		}
	}
}

// The order in which a key signs matters where signatures follow each other,
// and nowhere else.
func TestOnlySequentialModesChainTheirSignatures(t *testing.T) {
	several, _ := multisigVectors(t)
	for _, c := range several {
		tx := decodeHex(t, c.Signed)
		last := len(tx.Auth.Origin.Fields) - 1
		signed := -1
		for i := range last {
			if tx.Auth.Origin.Fields[i].isSignature() && tx.Auth.Origin.Fields[last].isSignature() {
				signed = i
			}
		}
		if signed < 0 {
			continue
		}
		// The last signature, checked against the hash that the first one signed.
		initial, err := tx.InitialSighash()
		if err != nil {
			t.Fatal(err)
		}
		key, err := Recover(presign(initial, AuthStandard, tx.Auth.Origin.Fee, tx.Auth.Origin.Nonce), tx.Auth.Origin.Fields[last].Signature)
		same := err == nil && hex.EncodeToString(key.SerializeCompressed()) == c.PublicKeys[last]
		if same == tx.Auth.Origin.HashMode.sequential() {
			t.Errorf("%s: the last key signed the first hash: %v", c.Name, same)
		}
	}
}

func TestAnOriginOfSeveralKeysNeedsAllItsSignatures(t *testing.T) {
	several, _ := multisigVectors(t)
	for _, c := range several {
		tx := decodeHex(t, c.Signed)
		tx.Auth.Origin.Required++
		if err := tx.VerifyOrigin(); err == nil {
			t.Errorf("%s: verifies with %d of %d signatures", c.Name, c.Required, c.Required+1)
		}
		tx.Auth.Origin.Required = 0
		if err := tx.VerifyOrigin(); err == nil {
			t.Errorf("%s: verifies when no signature is required", c.Name)
		}
	}
}

// testKeys returns three fixed keys for tests.
func testKeys() (keys []*secp256k1.PrivateKey) {
	for i := range byte(3) {
		secret := [32]byte{}
		for j := range secret {
			secret[j] = i + 1
		}
		keys = append(keys, secp256k1.PrivKeyFromBytes(secret[:]))
	}
	return keys
}
